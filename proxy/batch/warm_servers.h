// Servers that stay between one call and the next, with the documents that they have open and the answers
// that still hold. A dispatcher borrows a server for its documents and gives it back; what has changed
// meanwhile is told to the server, or the server goes, so that its answers are those of one that has just
// been started.
#pragma once

#include <chrono>
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
#include <utility>
#include <vector>

#include "lsp/server_capabilities.h"
#include "proxy/batch/server_connection.h"
#include "proxy/files/project_watch.h"
#include "proxy/query/document_inquiry.h"
#include "proxy/query/hover_scheduler.h"
#include "proxy/relay/event_loop.h"
#include "proxy/relay/timers.h"
#include "proxy/servers/guessed_flags.h"

namespace symbols::batch {

// A server that answers, and what it has open. The order of the members is that of their lifetimes.
struct LiveServer {
  std::unique_ptr<ServerConnection> connection;
  std::unique_ptr<query::HoverScheduler> hovers;
  lsp::ServerCapabilities capabilities;

  struct Document {
    std::string text;  // as the server knows it
    std::string settings;
    std::int32_t version = 1;
    std::uint64_t last_used = 0;
    bool stale = false;  // something else changed, which this server takes into account only when it opens it
    static constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();
    // Of the project, when it was opened; `unknown` if the server had not been told of all changes.
    std::uint64_t generation = 0;
  };
  std::map<std::string, Document> documents{};  // by path
  // Files have come or gone of which it may not know yet where it answers about the whole project.
  bool lacks_files = false;
  bool gave_hovers = false;  // for any document
};

struct WarmLimits {
  std::size_t servers = 4;                           // that are idle; the longest idle one is stopped
  std::size_t server_memory = std::size_t{4} << 30;  // bytes of those; likewise
  std::size_t documents = 32;                        // open in one server; the longest unused one is closed
  std::size_t answer_bytes = std::size_t{64} << 20;
  std::chrono::milliseconds server_idle{std::chrono::minutes(10)};
};

// One server for one project.
using ServerKey = std::pair<ServerLaunch, std::string>;

// Single-threaded.
class WarmServers {
 public:
  // `loop` outlives it. `on_change` is called with the root of a project in which something has changed, also
  // from within calls to this class.
  WarmServers(relay::EventLoop& loop, WarmLimits limits, std::function<void(const std::string&)> on_change);
  ~WarmServers();

  enum class State {
    absent,   // none: the caller starts one
    lent,     // to another dispatcher: when_returned() tells when it is back, or gone
    cold,     // none, and none may be kept: it is not known what changes in the project
    present,  // borrow() gives it
  };
  // A call begins: whatever has changed in its project before, it is told about.
  void call_begins();

  // To be asked before each use, for it looks for changes.
  State state(const ServerKey& key);
  // Makes the server, if it is present, one that has nothing to tell about the document at `path` that
  // depends on others which were asked about before: those are closed, or the server goes. `published`: also
  // what it publishes of it by itself is wanted.
  void prepare_alone(const ServerKey& key, const std::string& path, bool published);
  // The server; the caller gives it back or says that it is gone. Empty unless state() is `present`.
  LiveServer borrow(const ServerKey& key);
  // Whether the caller may start a server of its own besides the one that is lent, which it does not give
  // back: no call waits for long because another one asks about a whole folder. ended_apart() follows.
  bool start_apart();
  void ended_apart() { --apart_; }
  // The caller has started one, or borrowed it and lost it.
  void started(const ServerKey& key) { lent_.try_emplace(key); }
  void lost(const ServerKey& key);
  // The server, without requests in flight. It is stopped later, or at once where it cannot be kept.
  void give_back(const ServerKey& key, LiveServer server);

  // In place of give_back(): the server cannot be kept, or has ended.
  void discard(const ServerKey& key, LiveServer server);

  // Opens the document in the server of `key`, which is lent, or tells it the new text. `uri` is that of
  // `path`.
  void open(const ServerKey& key, LiveServer& server, const std::string& path, const std::string& uri,
            const std::string& language_id, const std::string& settings, const std::string& text);

  // The answer to the same question about the same text, if nothing in the project has changed since it was
  // asked; `question` tells everything that chose it but the document.
  const query::InquiryResult* answer(const ServerKey& key, const std::string& path,
                                     const std::string& question, std::string_view text);
  // Keeps an answer about the document at `path`, which `server`, that of `key` and lent, has open, that was
  // asked for when the project's generation() was `generation`.
  void keep_answer(const ServerKey& key, const LiveServer& server, const std::string& path,
                   const std::string& question, std::uint64_t generation, const query::InquiryResult& result);
  // The guessed flags of a project, as its files are now; null if nothing is known of its changes. Valid
  // until the next call to this class.
  servers::GuessedFlags* guessed_flags(const std::string& root);
  // Counts the looks that found something changed.
  std::uint64_t generation(const ServerKey& key);

  // Calls `again` once, from the loop, after any server came back or went, unless forget() comes first. Of
  // one `waiter` the last counts.
  void when_returned(const void* waiter, std::function<void()> again) {
    waiting_.insert_or_assign(waiter, std::move(again));
  }
  void forget(const void* waiter) { waiting_.erase(waiter); }

  // Ends all idle servers; `done` when no process of theirs is left.
  void stop(std::function<void()> done);
  // What is kept, for people, a line each.
  std::vector<std::string> description();
  bool empty() const { return idle_.empty() && lent_.empty() && ending_.empty(); }

 private:
  struct Idle {
    LiveServer server;
    relay::Timers::Timer timer = 0;
    relay::Timers::Clock::time_point since{};
    std::uint64_t order = 0;
  };
  struct Project {
    std::unique_ptr<files::ProjectWatch> watch;  // null: it cannot be watched
    relay::Timers::Clock::time_point tried{};    // to watch it
    std::string why_not;
    bool call_has_begun = false;  // since the last look
    std::uint64_t generation = 0;
    relay::Timers::Timer gathering = 0;
    std::optional<servers::GuessedFlags> guessed_flags;
  };
  struct Answer {
    std::string text;
    query::InquiryResult result;
    std::size_t bytes = 0;
    std::uint64_t last_used = 0;
  };
  using AnswerKey = std::tuple<ServerKey, std::string, std::string>;

  Project& project(const std::string& root);
  void look(const std::string& root);
  void look_when_changed(const std::string& root);
  std::vector<ServerKey> idle_of(const std::string& root) const;
  LiveServer take_idle(const ServerKey& key);  // without a connection where there is none
  void apply(const ServerKey& key, LiveServer& server, const files::ProjectChanges& changes);
  void forget_answers(const std::string& root);
  void forget_project(const std::string& root);
  void retire(const ServerKey& key);
  void retire_longest_idle();
  void weigh();
  void end(LiveServer server);
  void tell_waiting();

  relay::EventLoop& loop_;
  WarmLimits limits_;
  std::function<void(const std::string&)> on_change_;
  std::map<std::string, Project> projects_;  // by root
  std::map<ServerKey, Idle> idle_;
  std::map<ServerKey, files::ProjectChanges> lent_;  // with what they have missed since
  std::size_t apart_ = 0;
  std::list<LiveServer> ending_;
  std::map<AnswerKey, Answer> answers_;
  std::size_t answer_bytes_ = 0;
  std::uint64_t clock_ = 0;
  std::map<const void*, std::function<void()>> waiting_;
  relay::Timer telling_{loop_};
  relay::Timer weighing_{loop_};
  std::function<void()> stopped_;
};

}  // namespace symbols::batch
