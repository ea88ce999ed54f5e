// A running language server and our session with it, from the start of its process to its end. Each way in
// which that goes wrong becomes an error for the user.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/result.h"
#include "lsp/client_session.h"
#include "lsp/frame.h"
#include "proxy/files/traffic_log.h"
#include "proxy/io/timers.h"
#include "proxy/process/made_folder.h"
#include "proxy/process/server_process.h"
#include "proxy/servers/server_lookup.h"

namespace symbols::engine {

// How a server is started; documents with an equal launch and root share one process.
struct ServerLaunch {
  std::string name;  // of the server, for people and the log: "clangd"
  servers::ServerCommand command;
  enum class Search {
    of_project,     // references and callers: the server itself knows where
    of_open_files,  // clangd without an index
    of_index,       // clangd indexes the project, and reports that by $/progress; until that is done it knows
                    // little of other files
  };
  Search search = Search::of_project;
  // If set, it is confined (system/confinement.h): it may write only to these folders and one made for it.
  std::optional<std::vector<std::string>> only_writable_folders{};
  // If set, clangd gets no `.clangd`, and of this compilation database a copy with only flags known to write
  // nothing (filtered_database.h); empty: there is no database. For a project that is not trusted, where the
  // kernel does not refuse writes, and for a database of another checkout.
  std::optional<std::string> filtered_database{};
  // Where that copy is kept, with clangd's index beside it; empty: in a folder that is made for the process.
  std::string copy_folder{};
  // clangd's index is kept below it; empty: it is not kept by us, or the project's files cannot be looked at.
  std::string index_folder{};

  auto operator<=>(const ServerLaunch&) const = default;
};

struct ConnectionOptions {
  ServerLaunch server;
  std::string root{};                            // absolute path of the workspace's folder; empty for none
  milliseconds silence_before_symbols{120'000};  // longest silence that is accepted
  milliseconds silence_after_symbols{30'000};
  files::TrafficLog* log = nullptr;  // outlives the connection; may be null
};

// Single-threaded. No callback runs from within a call to this class, nor after it is destroyed.
class ServerConnection {
 public:
  struct Callbacks {
    // initialize was answered and, if the server needs that, its loading has ended.
    std::function<void()> on_ready = [] {};
    // Once: it could not be started, ended, was silent for too long or did not speak LSP. The error names the
    // server, its command, its stderr tail and what to do. The process is ended; on_stopped follows.
    std::function<void(Error)> on_failure = [](const Error&) {};
    // Once, after stop() or a failure: no process is left. Only this callback may destroy the connection.
    std::function<void()> on_stopped = [] {};
    // Whether the symbols of a document are awaited: selects the limit of silence of a server that is ready.
    std::function<bool()> waits_for_symbols = [] { return false; };
  };

  // `timers` and what `start_server` runs on must outlive it.
  ServerConnection(io::Timers& timers, process::StartServer start_server, ConnectionOptions options,
                   Callbacks callbacks);

  // From now on these are called: a server that is ready, or ending, may change hands.
  void set_callbacks(Callbacks callbacks) { callbacks_ = std::move(callbacks); }
  void set_silence(milliseconds before_symbols, milliseconds after_symbols);

  void start();
  lsp::ClientSession& session() { return session_; }

  // shutdown, exit, then its stdin closes. A server that takes too long gets SIGTERM, then SIGKILL; one with
  // a kept index SIGKILL at once.
  void stop();
  // SIGTERM at once, SIGKILL shortly after: for when we ourselves have to end.
  void abort();

  // The server's name and command, for messages: "clangd (/usr/bin/clangd-19 --log=error)".
  std::string description() const;
  // The resident bytes of its process and of what that has started; 0 without one.
  std::size_t memory() const { return process_ ? process_->memory() : 0; }
  // How many of the project's compile flags the started server was not given.
  std::size_t flags_left_out() const { return flags_left_out_; }
  // What the server reports that it is doing, for a progress line; may be empty.
  std::string progress_text() const { return session_.progress().text(); }

 private:
  enum class State {
    starting,  // until it has answered initialize
    loading,   // on_ready is to come
    ready,
    stopping,  // by stop() or abort()
    failed,    // on_failure was called
  };

  lsp::SessionOptions session_options() const;
  lsp::ClientSession::Callbacks session_callbacks();
  Result<void> start_process();
  void log(files::TrafficLog::Direction direction, std::string_view bytes) const;
  void initialized(const Result<lsp::ServerCapabilities>& capabilities);
  void receive(std::string_view bytes);
  void wait_until_loaded();
  void ready();
  void watch_silence();
  void output_closed();
  void process_ended(process::ExitStatus status);
  void stopped();
  std::string or_unconfined(std::string advice) const;
  void fail(const std::string& what, std::string advice);
  bool over() const { return state_ >= State::stopping; }
  void enter(State state);

  io::Timers& timers_;
  process::StartServer start_server_;
  ConnectionOptions options_;
  Callbacks callbacks_;
  State state_ = State::starting;
  lsp::FrameReader reader_;
  process::StderrTail stderr_tail_;
  lsp::ClientSession session_;
  std::optional<process::MadeFolder> made_folder_;  // outlives the process, which may write to it
  Descriptor index_;                                // the process uses it
  std::unique_ptr<process::ServerProcess> process_;
  io::Timer silence_timer_{timers_};
  io::Timer loading_timer_{timers_};
  io::Timer stop_timer_{timers_};  // also for a failed start
  io::Timers::Clock::time_point last_activity_;
  io::Timers::Clock::time_point started_loading_{};
  std::size_t flags_left_out_ = 0;
  std::uint64_t answers_read_ = 0;  // the part of session_.bytes_answered() that the server has read
};

}  // namespace symbols::engine
