// The documents of a session at the server: those that the client has open, and those that we have opened for
// it. Sends nothing itself: its functions return what is to be sent, and what a message outdates.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/position.h"
#include "lsp/recent_diagnostics.h"
#include "proxy/session/auto_opened_documents.h"
#include "proxy/session/client_documents.h"

namespace symbols::session {

class SessionDocuments {
 public:
  // The effects of a message.
  struct Change {
    std::vector<std::string> to_server{};   // bodies to be sent to the server before it
    bool workspace = false;                 // replies so far about any document may be out of date
    std::optional<std::string> document{};  // it has changed: requests about it in flight are of no use
    bool passes = true;                     // else `to_server` replaces the message
  };

  // See AutoOpenedDocuments.
  SessionDocuments(const servers::ServerRegistry& registry, const servers::ServerSpec* server)
      : opened_(registry, server) {}

  void set_position_encoding(lsp::PositionEncoding encoding) { client_.set_position_encoding(encoding); }

  // A notification of the client, before it passes; `params` is raw JSON.
  Change notified(std::string_view method, std::string_view params);
  // Before a request about a document passes that may not be open at the server.
  Change open_for_request(std::string_view uri);
  // Keeps a document open that we have opened, while the result lives; null if we have not opened it.
  std::shared_ptr<void> hold(std::string_view uri) const { return opened_.hold(uri); }

  // For a new server: `send` gets a didOpen for each document that the client has open. Returns those whose
  // text is unknown: the client's changes, saves and closes of them do not pass until their whole text is
  // sent again.
  std::vector<std::string> open_again(const std::function<void(std::string body)>& send);

  // The text at the server, valid UTF-8; null if it is unknown.
  std::shared_ptr<const std::string> text(std::string_view uri);
  // Whether the client has not opened the document, and there is no such file.
  bool is_unknown(std::string_view uri) const;

  // The diagnostics that the server has published.
  lsp::RecentDiagnostics& published() { return published_; }

 private:
  ClientDocuments client_;
  AutoOpenedDocuments opened_;
  lsp::RecentDiagnostics published_;
  std::set<std::string, std::less<>> unopened_;  // open at the client, not at the server
};

}  // namespace symbols::session
