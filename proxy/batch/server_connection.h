// A running language server with the session that we hold with it: from the start of its process to its end,
// and every way in which that goes wrong told in words.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lsp/client_session.h"
#include "proxy/files/traffic_log.h"
#include "proxy/process/server_process.h"

namespace symbols::batch {

struct ConnectionOptions {
  std::string name;  // of the server, for people and the log: "clangd"
  process::ProcessOptions process;
  std::string root;                    // absolute path of the workspace's folder; empty for none
  std::string initialization_options;  // JSON text; empty for none
  bool wait_for_progress = false;      // its answers mean little before its work-done progress has ended
  std::chrono::milliseconds silence_before_symbols{120'000};  // longest silence that is borne
  std::chrono::milliseconds silence_after_symbols{30'000};
  files::TrafficLog* log = nullptr;  // outlives the connection; may be null
  std::string version;               // of this program
  // Where set, the server may write to these folders and one that is made for it, and to nothing else.
  std::optional<std::vector<std::string>> only_writable_folders{};
  // Where set, as the kernel cannot refuse that: clangd gets of this compilation database, and of no
  // `.clangd`, what is known to write nothing (filtered_database.h); empty: it has none.
  std::optional<std::string> filtered_database{};
};

// Single-threaded. No callback runs from within a call to this class, nor after it is destroyed.
class ServerConnection {
 public:
  struct Callbacks {
    // initialize was answered and, where the server wants that, its loading has ended.
    std::function<void(lsp::ServerCapabilities)> on_ready;
    // Once: it could not be started, ended, was silent for too long or spoke no LSP. The error names the
    // server, its command, its last words and what to do. The process is made to end; on_stopped follows.
    std::function<void(Error)> on_failure;
    // Once, at the end of stop() or after a failure: no process is left.
    std::function<void()> on_stopped;
  };

  ServerConnection(boost::asio::io_context& io, ConnectionOptions options, Callbacks callbacks);
  ~ServerConnection();
  ServerConnection(const ServerConnection&) = delete;
  ServerConnection& operator=(const ServerConnection&) = delete;

  void start();
  lsp::ClientSession& session();

  // Which of the two silences counts: how many collections still wait for their symbols. The caller keeps it.
  void set_waiting_for_symbols(bool waiting);

  // shutdown, exit, then its stdin closes. A server that has not answered shutdown within `shutdown_limit`,
  // or not ended within `exit_grace` after exit, gets SIGTERM, then SIGKILL.
  void stop(std::chrono::milliseconds shutdown_limit, std::chrono::milliseconds exit_grace);
  // SIGTERM at once, SIGKILL shortly after: for when we ourselves were told to end.
  void abort();

  // The server's name and command, for messages: "clangd (/usr/bin/clangd-19 --log=error)".
  std::string description() const;
  // How many of the project's compile flags the started server was not given.
  std::size_t flags_left_out() const;
  // What the server says it is doing, for a progress line; may be empty.
  std::string progress_text() const;

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace symbols::batch
