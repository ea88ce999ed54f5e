// The diagnostics that the server has published recently (textDocument/publishDiagnostics), for questions
// about a document's diagnostics or a symbol's context: they cannot be requested again.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

#include "base/result.h"

namespace symbols::lsp {

// The notifications pass unchanged; a copy of their bytes is kept here. It is read when it is asked for, and
// once in a while to drop what later ones supersede, so memory grows with the documents and not with the
// length of the session. Single-threaded.
class RecentDiagnostics {
 public:
  // A longer notification is not kept, so it need not be gathered.
  static constexpr std::size_t longest = std::size_t{256} << 10;

  // A whole notification as it came, the newest of all.
  void keep(std::string_view body);
  // A notification has passed that is too long to be kept: what is known of its document, whichever that is,
  // may be out of date.
  void keep_none();

  // A document was opened at the server: what it published before (from the file on disk) is out of date but
  // better than nothing, except for an empty list, which servers publish when a document is closed.
  void opened(std::string_view uri);
  // A change of the document was sent: what the server published before is out of date but better than
  // nothing.
  void changed(std::string_view uri);
  // A wait for diagnostics of the document's present text timed out. If the server has never published
  // anything, nothing more is awaited until it does.
  void waited_in_vain(std::string_view uri);

  struct Last {
    // The last Diagnostic[], raw JSON; valid until the next call that is not const. Error: none was seen, or
    // it is no longer known, as text for the reader of an answer.
    Result<std::string_view> list;
    // Whether the server is likely to publish soon: it has not since the document was opened or changed, and
    // no wait has timed out, for this document or, with a server that never publishes, for any.
    bool awaited = false;
  };
  Last last(std::string_view uri) const;

 private:
  static constexpr std::size_t most_bytes = std::size_t{2} << 20;
  static constexpr std::size_t most_entries = 4096;
  static constexpr std::size_t least_entries = 64;
  static constexpr std::size_t least_bytes = std::size_t{64} << 10;

  enum class Kind { published, too_long, opened, changed, waited_in_vain };
  struct Entry {
    Kind kind;
    std::string text;  // the body of what was published, else the document's key
  };

  void add(Kind kind, std::string text);
  void drop_superseded();
  void forget_oldest(std::size_t entries, std::size_t bytes);

  std::deque<Entry> entries_;  // the oldest first
  std::size_t bytes_ = 0;
  // From which size on it looks for what is superseded: twice what was needed the last time, at
  // most the limits.
  std::size_t entries_to_look_ = least_entries;
  std::size_t bytes_to_look_ = least_bytes;
  bool forgot_some_ = false;
  bool publishes_ = false;  // anything was ever published
  bool gave_up_ = false;    // a wait has timed out before that
};

}  // namespace symbols::lsp
