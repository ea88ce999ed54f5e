// The notifications about an open document (LSP 3.17, "Text Document Synchronization") and about files on
// disk ("DidChangeWatchedFiles"), as whole JSON-RPC bodies in pure ASCII.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace symbols::lsp {

// `uri` and `language_id` are plain text, not JSON; `text` is UTF-8, and its invalid bytes are sent as
// U+FFFD.
std::string did_open_notification(std::string_view uri, std::string_view language_id, std::int32_t version,
                                  std::string_view text);

// Sends the whole new text, which servers accept whether they want full or incremental changes.
std::string did_change_notification(std::string_view uri, std::int32_t version, std::string_view text);

std::string did_close_notification(std::string_view uri);

// FileChangeType.
enum class FileChange { created = 1, changed = 2, deleted = 3 };
struct FileEvent {
  std::string uri;
  FileChange type = FileChange::changed;
};
std::string did_change_watched_files_notification(const std::vector<FileEvent>& events);

}  // namespace symbols::lsp
