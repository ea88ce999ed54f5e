// The documents of a session as the server knows them: those that the client has open, and those that we have
// opened for it. Sends nothing itself: what has to be sent, and what a message puts in doubt, is what its
// functions return.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/position_encoding.h"
#include "lsp/recent_diagnostics.h"
#include "proxy/session/auto_opened_documents.h"
#include "proxy/session/client_documents.h"

namespace symbols::session {

class SessionDocuments {
 public:
  // What comes of a message.
  struct Change {
    std::vector<std::string> to_server{};   // bodies that the server is to be sent before it
    bool workspace = false;                 // earlier replies about any document may be outdated
    std::optional<std::string> document{};  // this one has changed: what is out for it is of no use
    bool passes = true;  // the message itself; where it does not, `to_server` is in its place
  };

  // As AutoOpenedDocuments has them.
  SessionDocuments(const servers::ServerRegistry& registry, const servers::ServerSpec* server)
      : opened_(registry, server) {}

  void set_position_encoding(lsp::PositionEncoding encoding) { client_.set_position_encoding(encoding); }

  // A notification of the client, before it passes; `params` is raw JSON.
  Change notified(std::string_view method, std::string_view params);
  // Before a request about a document passes that the server may not have been told of.
  Change open_for_request(std::string_view uri);
  // Keeps one that we have opened open; false where we have not.
  bool hold(std::string_view uri) { return opened_.hold(uri); }
  void let_go(std::string_view uri) { opened_.let_go(uri); }

  // The server is another one, to which no document is known yet. `send` gets the notifications that tell it
  // of those that the client has open; the others, whose text is not known, are returned, and that the
  // client changes, saves or closes them does not pass until their whole text is known again.
  std::vector<std::string> open_again(const std::function<void(std::string body)>& send);
  // Whether there are more that are not known of at all.
  bool lost_count() const { return client_.lost_count(); }

  // The text as the server knows it (valid UTF-8), or null where it is not known.
  std::shared_ptr<const std::string> text(std::string_view uri);
  // Whether a server cannot know the document: the client has not opened it, and there is no such file.
  bool is_unknown(std::string_view uri) const;

  // What the server has published of them.
  lsp::RecentDiagnostics& published() { return published_; }

 private:
  ClientDocuments client_;
  AutoOpenedDocuments opened_;
  lsp::RecentDiagnostics published_;
  std::set<std::string, std::less<>> unopened_;  // the client has them open, the server has not
};

}  // namespace symbols::session
