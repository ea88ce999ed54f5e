// One client's conversation with one server, without any I/O: bodies go in, and come out by a callback.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "lsp/messages.h"
#include "lsp/recent_diagnostics.h"
#include "lsp/requests.h"
#include "lsp/server_capabilities.h"
#include "lsp/work_done_progress.h"

namespace symbols::lsp {

struct SessionOptions {
  std::string root_uri;                // the workspace's folder; empty for none
  std::string initialization_options;  // JSON text; empty for none
  int process_id = 0;                  // ours: servers watch it and end when it is gone; 0 for none
  std::string version;                 // of this program, for clientInfo
  // How a message that it logs begins once it has found the files of the workspace, one of these. Empty: it
  // has found them before it answers, or reports work-done progress.
  std::vector<std::string> files_found_logs{};
  // Whether its work-done progress means that it is loading. pyright reports progress for open files until a
  // client requests their diagnostics.
  bool reports_loading = true;
  bool versioned_diagnostics = false;  // RecentDiagnostics' are_versioned
};

// The ClientCapabilities that a session declares, as JSON text, pure ASCII:
// - hierarchicalDocumentSymbolSupport: without it clangd's containerName is empty and gopls drops children.
// - The symbol kinds 1 to 26 in both value sets: clangd reads workspace.symbol's, and without it turns
//   Struct into Class and EnumMember into Enum.
// - contentFormat Markdown first: without it clangd's hover is plain text with the signature last.
// - UTF-16 only: the unit of the tables.
// - workspace.configuration, workDoneProgress: servers then send these requests, which are answered, and
//   report what they are loading.
// - No dynamicRegistration, so that providers are in the reply to initialize. Except of diagnostics: pyright
//   offers textDocument/diagnostic only to such clients, and publishes its errors too late for an answer.
std::string client_capabilities();

// The answer (a whole body, pure ASCII) to a request of the server, like that of a client without a user
// interface; a client that does not answer hangs its server. A configuration item is null, the server's
// default; what is not known is error -32601. `folders`: WorkspaceFolder[], raw JSON.
std::string answer_server_request(const Envelope& request, std::string_view folders);

// WorkspaceFolder[] with the only folder of a workspace, pure ASCII; null if `root_uri` is empty.
std::string workspace_folders(std::string_view root_uri);

// The order of calls: initialize(); if its handler got no error, open(), request(), …; last shutdown(), which
// sends exit. Not thread safe. Callbacks and handlers run inside receive(), and may call the session again.
class ClientSession : public RequestSender {
 public:
  struct Callbacks {
    std::function<void(std::string body)> send;  // one whole body to be framed and written, pure ASCII
    // A sign of life: a reply, or work-done progress; may be empty. Called before the handler of a reply.
    std::function<void()> on_activity;
  };

  ClientSession(SessionOptions options, Callbacks callbacks);

  // Sends initialize; on success sends initialized, then calls `done` with the capabilities.
  void initialize(std::function<void(Result<ServerCapabilities>)> done);

  // textDocument/didOpen, didChange (the whole new text) and didClose. `text` is valid UTF-8. `version`:
  // above those before; open() gives it version 1.
  void open(std::string_view uri, std::string_view language_id, std::string_view text);
  void change(std::string_view uri, std::int32_t version, std::string_view text) {
    callbacks_.send(did_change_notification(uri, version, text));
  }
  void close(std::string_view uri) { callbacks_.send(did_close_notification(uri)); }
  // workspace/didChangeWatchedFiles.
  void tell_changes(const std::vector<FileEvent>& events) {
    callbacks_.send(did_change_watched_files_notification(events));
  }

  RequestNumber request(std::string_view method, std::string_view params, ReplyHandler handler) override {
    return requests_.request(method, params, std::move(handler));
  }
  void cancel(RequestNumber number) override { requests_.cancel(number); }
  void notify(std::string_view method, std::string_view params) {
    callbacks_.send(notification_body(method, params));
  }

  // Sends shutdown, once it is answered (or refused: nothing else can be done) exit, and calls `done`.
  void shutdown(std::function<void()> done);

  // One body from the server. Error: it is not JSON-RPC. Replies that are not awaited and unknown
  // notifications are ignored; the server's own requests are answered at once.
  Result<void> receive(std::string_view body);

  std::size_t requests_in_flight() const { return requests_.size(); }
  // Bytes sent in answer to the server's own requests; the caller's writer knows how many were read.
  std::uint64_t bytes_answered() const { return bytes_answered_; }

  // What the server offers, as far as it has declared it by now.
  const ServerCapabilities& capabilities() const { return capabilities_; }
  // The diagnostics that it has published.
  RecentDiagnostics& published() { return published_; }

  const WorkDoneProgress& progress() const { return progress_; }
  // Whether it is still loading: what it answers about the workspace may lack something.
  bool is_loading() const { return reports_loading() || !files_are_found_; }
  bool reports_loading() const { return options_.reports_loading && progress_.active(); }  // by its progress
  // A description of what is loading, for messages. May be empty.
  std::string loading_text() const;
  // Whether it has said that a disk was full. It may go on without what it could not write: gopls then knows
  // nothing of a project until it is started again.
  bool lacked_disk_space() const { return lacked_disk_space_; }

 private:
  void receive_notification(const Envelope& envelope, std::string_view body);

  SessionOptions options_;
  Callbacks callbacks_;
  OutgoingRequests requests_;
  ServerCapabilities capabilities_;
  RecentDiagnostics published_{options_.versioned_diagnostics};
  std::uint64_t bytes_answered_ = 0;
  WorkDoneProgress progress_;
  bool files_are_found_;
  bool lacked_disk_space_ = false;
};

}  // namespace symbols::lsp
