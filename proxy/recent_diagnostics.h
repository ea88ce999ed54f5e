// What the server has published of late about documents (textDocument/publishDiagnostics), for those who ask
// for the context of a symbol: nobody can ask such a server for it again.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

#include "lsp/result.h"

namespace symbols::proxy {

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

  // The last Diagnostic[] for a document, raw JSON; valid until the next call of keep(). Error: none was
  // seen, or it is not known any more, in words for the reader of an answer.
  Result<std::string_view> last(std::string_view uri) const;

 private:
  static constexpr std::size_t most_bytes = std::size_t{2} << 20;
  static constexpr std::size_t most_messages = 4096;

  void add(std::string_view body);

  std::deque<std::string> bodies_;  // the oldest first; an empty one stands for one that was too long
  std::size_t bytes_ = 0;
  bool forgot_some_ = false;
};

}  // namespace symbols::proxy
