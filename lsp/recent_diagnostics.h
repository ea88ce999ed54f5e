// The diagnostics that the server has published recently (textDocument/publishDiagnostics), for questions
// about a document's diagnostics or a symbol's context: they cannot be requested again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace symbols::lsp {

// The notifications pass unchanged; a copy of each document's last list is kept here. Single-threaded.
class RecentDiagnostics {
 public:
  // `are_versioned`: the server publishes what changes of an open document with the document's version. What
  // comes without one is of the file on disk.
  explicit RecentDiagnostics(bool are_versioned = false) : are_versioned_(are_versioned) {}

  // A whole notification as it came, the newest of all.
  void keep(std::string_view body);

  // A document was opened at the server: what it published before (from the file on disk) is out of date but
  // better than nothing, except for an empty list, which servers publish when a document is closed.
  void opened(std::string_view uri);
  // A change of the document was sent: what was published before is out of date, but better than nothing.
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
  // `is_files`: what is found in the file holds, as no document was opened with another text.
  Last last(std::string_view uri, bool is_files = true) const;
  // Whether any list had a version, or none has: what is published by now is of open documents.
  bool has_versioned() const { return has_versioned_ || !are_versioned_; }

 private:
  static constexpr std::size_t max_bytes = std::size_t{2} << 20;
  static constexpr std::size_t document_bytes = 512;  // what each counts beside its key and list

  struct Document {
    std::uint64_t heard = 0;  // the larger, the more recent
    std::string list{};       // the last Diagnostic[]; empty: none is known
    bool opened = false;      // since then
    bool of_file = false;     // it had no version where there are such
    bool awaited = false;     // opened or changed since then, and no wait has timed out after that
  };

  Document& newest(std::string_view uri);
  void forget_oldest();

  bool are_versioned_;
  std::map<std::string, Document> documents_;  // by document_key
  std::uint64_t last_heard_ = 0;
  std::size_t bytes_ = 0;  // of keys and lists, and document_bytes each
  bool forgot_any_ = false;
  bool publishes_ = false;  // anything was ever published
  bool has_versioned_ = false;
  bool gave_up_ = false;  // a wait has timed out, and nothing was ever published
};

}  // namespace symbols::lsp
