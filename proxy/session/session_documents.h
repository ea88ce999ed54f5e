// The documents of a session at the server: those that the client has open, and those that we have opened for
// it. Sends nothing itself: its functions return what is to be sent, and what a message outdates. A document
// is identified by its URI in the client's own spelling. Single-threaded.
#pragma once

#include <rapidjson/fwd.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text.h"
#include "lsp/position.h"
#include "lsp/recent_diagnostics.h"
#include "proxy/session/auto_opened_documents.h"

namespace symbols::session {

struct ClientDocumentLimits {
  std::size_t document_bytes = std::size_t{16} << 20;  // of one text
  std::size_t bytes = std::size_t{64} << 20;           // of all texts together
};

// The documents that the client has open, and their texts for the few answers that need one: the word at a
// position, the location of a name in a flat reply. Only observes: the notifications pass unchanged. If one
// cannot be understood, the document's text is unknown until the client sends all of it again.
class ClientDocuments {
 public:
  explicit ClientDocuments(ClientDocumentLimits limits = {}) : limits_(limits) {}

  // The one that the server chose in its reply to initialize. To be set before the first change.
  void set_position_encoding(lsp::PositionEncoding encoding) { encoding_ = encoding; }

  // textDocument/didOpen, didChange, didClose of a document; `params` is raw JSON (Envelope::rest will do).
  void did_open(const std::string& uri, std::string_view params);
  void did_change(const std::string& uri, std::string_view params);
  void did_close(const std::string& uri);

  // Whether the client has this document open.
  bool is_open(std::string_view uri) const { return documents_.contains(uri); }

  // Whether it has any document of the same file open, however its URI is spelled. For other URIs than
  // `file:` the same as is_open().
  bool is_file_open(std::string_view uri) const;

  // The document's text at the server, valid UTF-8 (an invalid byte or a lone surrogate is U+FFFD). It does
  // not change with the document. Null if it is unknown, or the document is not open.
  std::shared_ptr<const std::string> text(std::string_view uri) const;

  // The URIs, in the order in which the documents were opened.
  std::map<std::uint64_t, std::string> in_order() const;
  // For a new server: the didOpen of a document's present text and version. None if the text is unknown.
  std::optional<std::string> did_open_again(std::string_view uri) const;

  std::size_t bytes() const { return bytes_; }

 private:
  struct Document {
    std::string language_id;
    std::int32_t version = 0;
    std::uint64_t order = 0;  // ascending as they were opened
    std::shared_ptr<std::string> text;
    std::size_t bytes = 0;  // its part of bytes_
    std::string path;       // of a file: URI, else empty
  };
  static void set_version(Document& document, const rapidjson::Value* identifier);
  void apply(const rapidjson::Value& change, std::optional<std::string>& text) const;
  void set_text(Document& document, std::optional<std::string> text);

  ClientDocumentLimits limits_;
  lsp::PositionEncoding encoding_ = lsp::PositionEncoding::utf16;
  std::unordered_map<std::string, Document, StringHash, std::equal_to<>> documents_;
  std::size_t bytes_ = 0;
  std::uint64_t last_order_ = 0;
};

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

  // For a new server: sends a didOpen for each document that the client has open. Returns those of unknown
  // text: the client's changes, saves and closes of them do not pass until their whole text is sent again.
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
