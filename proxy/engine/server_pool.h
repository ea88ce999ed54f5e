// The servers of a process. A dispatcher leases one for its documents and releases it.
//
// A call without --warm has a pool of its own, which keeps nothing: what is released ends. A pool that stays
// between calls keeps released servers, with the documents that they have open and the answers that still
// hold. What changes meanwhile is reported to the server, or the server is ended, so that its answers are
// those of one that has just been started.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/clock.h"
#include "proxy/engine/live_server.h"
#include "proxy/files/project_watch.h"
#include "proxy/io/event_loop.h"
#include "proxy/io/timers.h"
#include "proxy/query/document_query.h"
#include "proxy/servers/guessed_flags.h"

namespace symbols::engine {

struct PoolLimits {
  std::size_t servers = 4;                           // that are idle; the longest idle one is stopped
  std::size_t server_memory = std::size_t{4} << 30;  // bytes of those; likewise
  std::size_t documents = 32;                        // open in one server; the longest unused one is closed
  std::size_t answer_bytes = std::size_t{32} << 20;  // of one project
  milliseconds server_idle{std::chrono::minutes(10)};
};

// How a server is started; its launch and root come from its key.
struct LeaseOptions {
  ConnectionOptions connection{};
  // TypeScript 7 answers 2,000 hovers a sixth faster if it has them all than with 32 to 512 at a time.
  // Nothing is requested twice, so nothing is cached.
  query::HoverScheduler::Options hovers{.in_flight = 4096, .cache = false};
};

// Single-threaded.
class ServerPool {
 public:
  // Keeps nothing. `timers` and what `start_server` runs on outlive it. No more than `processes` run at a
  // time, those that are about to end included, and one for each key.
  ServerPool(io::Timers& timers, process::StartServer start_server, std::size_t processes);
  // Keeps servers. `loop` outlives it. `on_change` is called with the root of a project in which something
  // has changed, also from within calls to this class.
  ServerPool(io::EventLoop& loop, PoolLimits limits, std::function<void(const std::string&)> on_change);
  ~ServerPool();

  // A call begins: the next look finds whatever has changed in its project before.
  void call_begins();

  // Ends the server, if it is kept, or closes documents in it, unless it is one that has nothing to report
  // about the document at `path` that depends on others which were asked about before. `published`: also what
  // it publishes of it by itself is wanted; `references`: also lists of these, whose order is the server's.
  void prepare_alone(const ServerKey& key, const std::string& path, bool published, bool references);
  // A server that is kept, which is ready, or a new one for the caller to start. Null: it is lent, or too
  // many run: to be asked again after a while. `waited_long`: then the caller may get one of its own besides
  // the one that is lent, so that no call waits for long because another asks about a whole folder.
  LiveServer* lease(const ServerKey& key, const LeaseOptions& options, bool waited_long);
  // The lease is over, and no request is in flight: the server is kept, or ended.
  void release(LiveServer& server);
  // The server is stopped, unless it has failed and ends by itself. `at_once`: without a shutdown.
  void end(LiveServer& server, bool at_once = false);

  // Opens the document in a leased server, or has the server know its new text. Returns the generation of the
  // project: the number of times that something in it was found changed.
  std::uint64_t open(LiveServer& server, const std::string& path, const std::string& language_id,
                     const std::string& settings, const std::string& text);

  // The answer to the same question about the same text, if nothing in the project has changed since it was
  // asked; `question` tells everything that chose it but the document.
  const query::InquiryResult* answer(const ServerKey& key, const std::string& path,
                                     const std::string& question, std::string_view text);
  bool keeps_answers() const { return loop_ != nullptr && limits_.answer_bytes > 0; }
  // Keeps an answer about the document at `path`, which the leased server has open, that was asked for when
  // the project was of this generation.
  void keep_answer(LiveServer& server, const std::string& path, const std::string& question,
                   std::uint64_t generation, const query::InquiryResult& result);
  // The guessed flags of a project, as its files are now; null if nothing is known of its changes. Valid
  // until the next call to this class.
  servers::GuessedFlags* guessed_flags(const std::string& root);

  // Ends all idle servers; `done` when no process is left.
  void stop(std::function<void()> done);
  // Servers that are about to end do so at once.
  void hurry();
  // What is kept, for people, a line each.
  std::vector<std::string> description();
  bool empty() const { return servers_.empty(); }

 private:
  struct Answer {
    std::string text;
    query::InquiryResult result;
  };
  // The server, the document's path, and what else chose the answer.
  using AnswerKey = std::tuple<ServerLaunch, std::string, std::string>;
  struct Project {
    explicit Project(io::Timers& timers) : gathering(timers) {}

    std::unique_ptr<files::ProjectWatch> watch;  // null: it cannot be watched
    io::Timers::Clock::time_point tried{};       // to watch it
    std::string why_not;
    bool call_has_begun = false;  // since the last look
    std::uint64_t generation = 0;
    io::Timer gathering;  // of changes, until the next look
    std::optional<servers::GuessedFlags> guessed_flags;
    std::map<AnswerKey, Answer> answers;
    std::size_t answer_bytes = 0;  // also of those that were replaced since the last change
  };

  Project& project(const std::string& root);
  void look(const std::string& root);
  void look_when_changed(const std::string& root);
  LiveServer* find(const ServerKey& key, ServerState state);
  std::size_t count(ServerState state, bool to_keep) const;
  void apply(LiveServer& server, const files::ProjectChanges& changes);
  void forget_project(const std::string& root);
  void end_longest_idle();
  void weigh();

  io::Timers& timers_;
  io::EventLoop* loop_ = nullptr;  // null: nothing is kept
  process::StartServer start_server_;
  PoolLimits limits_;
  std::size_t processes_ = std::numeric_limits<std::size_t>::max();
  std::function<void(const std::string&)> on_change_;
  std::map<std::string, Project> projects_;  // by root
  std::list<LiveServer> servers_;
  io::Timer weighing_{timers_};
  std::function<void()> stopped_;
};

}  // namespace symbols::engine
