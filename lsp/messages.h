// JSON-RPC 2.0: reads the outermost members of a message without building a tree, and writes messages and the
// notifications about documents and files. Nothing else knows their members.
//
// Each writer returns a whole body in pure ASCII, to be framed and sent. Ids, params, results and errors are
// raw JSON and are inserted unchanged; a method is plain ASCII.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace symbols::lsp {

// Views point into the body and live as long as it does.
struct Envelope {
  enum class Kind {
    request,       // method and id
    notification,  // method alone
    reply,         // id and result
    error,         // id and error
  };
  Kind kind = Kind::notification;
  // Its raw bytes (`1` is not `"1"`, 9007199254740993 is kept exactly); may be `null`.
  std::string_view id;
  std::string method;  // unescaped
  // From the first byte of params, result or error to the body's end; empty if there is none.
  std::string_view rest;
};

// Reads the envelope of `body`. Members may be in any order (gopls writes `id` after `result`): only what
// precedes the last needed one is scanned. Errors: not a JSON object (a batch, say), or an object that is not
// a message. Without `past_params` nothing behind the params is read: a message whose id is there counts as a
// notification.
Result<Envelope> read_envelope(std::string_view body, bool past_params = true);

// Empty params are left out: `shutdown` takes none, and some servers refuse a null.
std::string request_body(std::string_view id, std::string_view method, std::string_view params);
std::string notification_body(std::string_view method, std::string_view params);
// $/cancelRequest for the request with this id.
std::string cancel_body(std::string_view id);

std::string result_body(std::string_view id, std::string_view result);
// `error` is a ResponseError as JSON: error_json writes one.
std::string error_body(std::string_view id, std::string_view error);

// {"code":…,"message":…}, and "data" if raw JSON is given for it. `message` is UTF-8, written as pure ASCII.
std::string error_json(int code, std::string_view message, std::string_view data = {});

// Error codes that we send or act on (LSP 3.17, "Response Message").
namespace error_code {
inline constexpr int invalid_request = -32600;
inline constexpr int method_not_found = -32601;
inline constexpr int invalid_params = -32602;
inline constexpr int internal_error = -32603;
inline constexpr int request_failed = -32803;
inline constexpr int server_cancelled = -32802;
inline constexpr int content_modified = -32801;
inline constexpr int request_cancelled = -32800;
}  // namespace error_code

// textDocument/didOpen, didChange and didClose. `uri` and `language_id` are plain text, not JSON; `text` is
// UTF-8, and its invalid bytes are sent as U+FFFD. didChange has the whole new text, which servers accept
// whether they want full or incremental changes.
std::string did_open_notification(std::string_view uri, std::string_view language_id, std::int32_t version,
                                  std::string_view text);
std::string did_change_notification(std::string_view uri, std::int32_t version, std::string_view text);
std::string did_close_notification(std::string_view uri);

// FileChangeType.
enum class FileChange { created = 1, changed = 2, deleted = 3 };
struct FileEvent {
  std::string uri;
  FileChange type = FileChange::changed;
};
// workspace/didChangeWatchedFiles.
std::string did_change_watched_files_notification(const std::vector<FileEvent>& events);

}  // namespace symbols::lsp
