// What the server has published of late about documents (textDocument/publishDiagnostics), for those who ask
// for a document's diagnostics or the context of a symbol: nobody can ask such a server for it again.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

#include "base/result.h"

namespace symbols::lsp {

// The notifications pass as they come; here a copy of their bytes is kept and not looked at until somebody
// asks. So a session in which nobody does pays one copy of a message of some hundred bytes for each, and no
// other message pays anything. Single-threaded.
class RecentDiagnostics {
 public:
  // A longer notification is not kept, and need not be held up to be shown whole.
  static constexpr std::size_t longest = std::size_t{256} << 10;

  // A whole notification as it came, the newest of all.
  void keep(std::string_view body);
  // One that is too long to be kept has passed: what was known of its document, whichever it was, may be out
  // of date.
  void keep_none();

  // The server was told of a document: what it published for it before (from what it found on disk) is out of
  // date and better than nothing, but for an empty list, which servers publish when a document is closed.
  void opened(std::string_view uri);
  // The server was told of its new text: what it published before is out of date, and better than nothing.
  void changed(std::string_view uri);
  // Somebody has waited long enough for what the server has to say of the document as it is now. Of a server
  // that has never published anything nothing is then awaited any more, until it does.
  void waited_in_vain(std::string_view uri);

  struct Last {
    // The last Diagnostic[], raw JSON; valid until this object is next told of anything. Error: none was
    // seen, or it is not known any more, in words for the reader of an answer.
    Result<std::string_view> list;
    // Whether the server may well publish soon: it has not, since it was told of the document or its text,
    // and nobody has waited in vain: for it, or for anything of a server that never publishes.
    bool awaited = false;
  };
  Last last(std::string_view uri) const;

 private:
  static constexpr std::size_t most_bytes = std::size_t{2} << 20;
  static constexpr std::size_t most_entries = 4096;

  enum class Kind { published, too_long, opened, changed, waited_in_vain };
  struct Entry {
    Kind kind;
    std::string text;  // of what was published the body, else the document's uri
  };

  void add(Kind kind, std::string_view text);

  std::deque<Entry> entries_;  // the oldest first
  std::size_t bytes_ = 0;
  bool forgot_some_ = false;
  bool publishes_ = false;  // something was published at all
  bool gave_up_ = false;    // somebody has waited in vain before that
};

}  // namespace symbols::lsp
