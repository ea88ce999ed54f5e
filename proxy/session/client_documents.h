// The documents that the client has open at the server, and their texts for the few answers that need one:
// the word at a position, the location of a name in a flat reply. Only observes: the notifications pass
// unchanged.
#pragma once

#include <rapidjson/fwd.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/text.h"
#include "lsp/position.h"

namespace symbols::session {

struct ClientDocumentLimits {
  std::size_t document_bytes = std::size_t{16} << 20;  // of one text
  std::size_t bytes = std::size_t{64} << 20;           // of all texts together
};

// A document is identified by its URI in the client's own spelling. If a notification cannot be understood,
// the document's text is unknown until the client sends all of it again. Single-threaded.
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

  // For a new server: calls `visit` for each document, in the order in which they were opened, with the
  // didOpen for its present text and version, or with none if the text is unknown.
  void open_again(
      const std::function<void(const std::string& uri, std::optional<std::string> did_open)>& visit) const;
  // That notification for one of them.
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

}  // namespace symbols::session
