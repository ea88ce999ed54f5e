// The documents that the client has open, as it told the server, and their texts for the few answers of ours
// that need one: the word at a position, the place of a name in a flat reply. Listens only: what the client
// sends is passed on as it came, whatever is made of it here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/string_hash.h"
#include "lsp/position_encoding.h"

namespace symbols::session {

struct ClientDocumentLimits {
  std::size_t documents = 10'000;
  std::size_t document_bytes = std::size_t{16} << 20;  // of one text
  std::size_t bytes = std::size_t{64} << 20;  // of all texts together, and of changes not applied yet
};

// The notifications are given as the raw JSON text of their params (Envelope::rest will do). What cannot be
// understood costs the document's text and nothing else.
//
// Most documents are edited and closed without anybody asking for their text, so that an edit must cost
// little: it is found out what is edited, and kept as it came. The text is made when it is asked for, or when
// the edits outgrow what they would cost to apply in a few milliseconds.
//
// A document is known by its URI in the client's own spelling. Not thread safe.
class ClientDocuments {
 public:
  explicit ClientDocuments(ClientDocumentLimits limits = {}) : limits_(limits) {}

  // The one that the server chose in its reply to initialize; to be told before the first change.
  void set_position_encoding(lsp::PositionEncoding encoding) { encoding_ = encoding; }

  // textDocument/didOpen, didChange, didClose. Each gives the URI that it is about; none where there is none
  // to be found in `params`.
  std::optional<std::string> did_open(std::string_view params);
  std::optional<std::string> did_change(std::string_view params);
  std::optional<std::string> did_close(std::string_view params);

  // One of them was too long to be read: whichever document it was about, no text is known until it is sent
  // again, and any document may be open.
  void did_unread();

  // Whether the client has this document open. Once it has had more documents open at a time than are kept
  // account of, any other document counts as open too, to the end: to open one for the client that it has
  // open is worse than not to.
  bool is_open(std::string_view uri) const;

  // Whether it has any document of the same file open, however its URI is spelled. For other URIs than
  // `file:` the same as is_open().
  bool is_file_open(std::string_view uri) const;

  // The document's text as the server knows it, valid UTF-8 (an invalid byte or a lone surrogate is U+FFFD).
  // It stays as it is when the document changes. Null where it is not known: the document is not open, too
  // large, or a message about it could not be understood; until its whole text is sent again.
  std::shared_ptr<const std::string> text(std::string_view uri);

  // For a server that is to be told of them anew: `visit` is called for each document, in the order in which
  // they were opened, with the notification that opens it with its present text and version, and with none
  // where that is not known.
  void open_again(
      const std::function<void(const std::string& uri, std::optional<std::string> did_open)>& visit);
  // That notification for one of them.
  std::optional<std::string> did_open_again(std::string_view uri);
  // Whether documents are open that are not kept account of.
  bool lost_count() const { return lost_count_; }

  std::size_t size() const { return documents_.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  struct Document {
    std::string language_id;  // raw JSON, as are those of version
    std::string version;
    std::uint64_t order = 0;  // ascending as they were opened
    // The text is `text`, or what `raw_text` (a JSON string's inside) holds once it is read; and `changes` to
    // it, raw ContentChangeEvents, one behind the other.
    std::shared_ptr<std::string> text;
    std::string raw_text;
    std::string changes;
    std::size_t change_count = 0;
    bool is_known = false;
    std::size_t counted = 0;  // its part of bytes_
    std::string path;         // of a file: URI, else empty
  };
  template <class Value>
  using Map = std::unordered_map<std::string, Value, StringHash, std::equal_to<>>;

  Document* track(const std::string& uri);
  bool add_edit(Document& document, std::string_view change);
  bool set_whole_text(Document& document, std::string_view raw_text);
  bool apply_changes(Document& document);
  bool read_raw_text(Document& document);
  void lose_text(Document& document);
  void count(Document& document);

  ClientDocumentLimits limits_;
  lsp::PositionEncoding encoding_ = lsp::PositionEncoding::utf16;
  Map<Document> documents_;
  Map<std::size_t> files_;  // by path, how many documents are open of it
  std::size_t bytes_ = 0;
  std::size_t uri_bytes_ = 0;
  std::uint64_t last_order_ = 0;
  bool lost_count_ = false;  // more documents were open than are kept account of
};

}  // namespace symbols::session
