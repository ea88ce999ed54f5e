// The process that keeps servers warm, and does the runs of other calls with them.
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <list>
#include <optional>
#include <set>
#include <utility>

#include "base/clock.h"
#include "proxy/daemon/warm_client.h"
#include "proxy/daemon/warm_connection.h"
#include "proxy/engine/server_pool.h"
#include "proxy/options/configuration.h"
#include "proxy/output/document_run.h"
#include "proxy/output/run_output.h"
#include "proxy/servers/server_registry.h"
#include "proxy/system/descriptors.h"
#include "proxy/system/introspection.h"

namespace symbols::daemon {
namespace {

constexpr milliseconds alive_interval{1000};
constexpr milliseconds max_look_interval{std::chrono::seconds(30)};
constexpr std::size_t max_calls_at_once = 128;  // more are turned away: they answer cold
// A command line is 2 MiB at most on Linux, without larger limits.
constexpr std::size_t max_request = std::size_t{16} << 20;

// Repeating calls ahead of time. After several saved files, or a run of a formatter, all are answered once.
constexpr milliseconds quiet_before_repeat{150};
constexpr std::size_t max_remembered_calls = 8;
constexpr std::chrono::minutes remembered_for{10};
constexpr std::size_t max_repeated_documents = 8;  // of one call: folders take the machine's time for a guess
// Without a call in between: a server that writes into its project would keep it going for ever.
constexpr std::size_t max_repeats = 32;

// False: the caller is gone.
bool send(int connection, std::string_view bytes) {
  return ::send(connection, bytes.data(), bytes.size(), MSG_DONTWAIT) >= 0;
}

class Daemon {
 public:
  Daemon(std::string socket, PrepareDump prepare_dump, engine::PoolLimits limits)
      : socket_(std::move(socket)),
        prepare_dump_(std::move(prepare_dump)),
        idle_limit_(limits.server_idle * 3 / 2),
        servers_(loop_, limits, [this](const std::string& root) { project_changed(root); }) {}

  int run() {
    Result<Descriptor> listening = listen_on(socket_);
    if (!listening) return 1;
    listening_ = std::move(*listening);
    inode_ = inode();
    loop_.on_signals({SIGINT, SIGTERM, SIGHUP}, [this](int) { end(); });
    loop_.watch(listening_.get(), io::EventLoop::Wanted::input, [this] { accept(); });
    last_call_ = loop_.now();
    look();
    loop_.run();
    return 0;
  }

 private:
  struct Client {
    Client(io::EventLoop& loop, Descriptor its_connection)
        : connection(std::move(its_connection)), timer(loop) {}

    Descriptor connection;
    std::string received{};  // of the request
    Request request{};
    std::optional<output::PreparedRun> prepared{};  // until the streams are there
    Streams streams;
    std::optional<output::StandardOutput> output{};
    bool wrote = false;  // report::writes was sent: the caller no longer answers by itself
    std::optional<output::DocumentRun> run{};
    io::Timer timer;
    bool asked = false;
  };

  // A call that is repeated once its projects have changed, so that the next one like it finds its answer.
  struct RememberedCall {
    std::string request;
    std::set<std::string> roots;  // of its projects
    io::Timers::Clock::time_point asked{};
    bool is_due = false;
  };

  void accept() {
    Descriptor connection = system::accepted(listening_.get());
    if (!connection || !system::is_own_peer(connection.get()) || clients_.size() >= max_calls_at_once) return;
    last_call_ = loop_.now();
    Client& client = clients_.emplace_back(loop_, std::move(connection));
    loop_.watch(client.connection.get(), io::EventLoop::Wanted::input, [this, &client] { read(client); });
  }

  void read(Client& client) {
    const std::optional<std::string> bytes = receive(client.connection.get(), client.streams);
    if (!bytes || client.received.size() > max_request) return gone(client);
    if (client.prepared && client.streams[0]) return start(client);
    if (client.asked) return;
    const std::optional<std::string_view> payload = payload_of(client.received += *bytes);
    if (!payload) return;
    client.asked = true;
    const std::optional<Request> request = read_request(*payload);
    if (!request || ending_) return end_call(client, report::cold);
    client.request = *request;
    if (request->wanted == Wanted::run) return prepare(client, *payload);
    std::string text;
    if (request->wanted == Wanted::list) {
      for (const std::string& line : servers_.description()) text += line + '\n';
    }
    end_call(client, text.append(report::end) + '\0');
    if (request->wanted == Wanted::stop) end();
  }

  // Nothing where the call itself must answer: it is wrong, say, or a server would have several documents
  // open where that makes a difference.
  std::optional<output::PreparedRun> prepare(const Request& request) {
    // Relative paths are looked up here and now: nothing later depends on the folder.
    if (::chdir(request.folder.c_str()) != 0) return std::nullopt;
    std::optional<output::Dump> dump = prepare_dump_(request.arguments, request.console);
    if (!dump) return std::nullopt;
    Result<output::PreparedRun> run = output::find_documents(
        std::move(*dump), [this](const std::string& root) { return servers_.guessed_flags(root); });
    return run && output::may_use_kept_servers(*run) ? std::optional(std::move(*run)) : std::nullopt;
  }

  void prepare(Client& client, std::string_view payload) {
    servers_.call_begins();
    repeats_ = 0;
    if (repeating_ && payload != repeated_request_) repeating_->stop(SIGTERM);  // makes room
    client.prepared = prepare(client.request);
    if (!client.prepared) return end_call(client, report::cold);
    const std::vector<engine::DocumentInput>& documents = client.prepared->inputs.documents;
    std::set<std::string> roots;
    for (const engine::DocumentInput& input : documents) {
      if (input.job) roots.insert(input.job->root);
    }
    std::erase_if(remembered_, [&](const RememberedCall& call) { return call.request == payload; });
    if (documents.size() <= max_repeated_documents) {
      remembered_.push_front({std::string(payload), std::move(roots), loop_.now()});
      if (remembered_.size() > max_remembered_calls) remembered_.pop_back();
    }
    send(client.connection.get(), report::ready);
  }

  void project_changed(const std::string& root) {
    bool any = false;
    for (RememberedCall& call : remembered_) {
      if (call.roots.contains(root)) any = call.is_due = true;
    }
    if (any) repeat_soon();
  }

  void repeat_soon() {
    if (!ending_) repeat_timer_.start(quiet_before_repeat, [this] { repeat_next(); });
  }

  void repeat_next() {
    std::erase_if(remembered_,
                  [&](const RememberedCall& call) { return loop_.now() - call.asked > remembered_for; });
    const auto due = std::ranges::find_if(remembered_, &RememberedCall::is_due);
    if (due == remembered_.end() || repeats_ >= max_repeats) return;
    if (repeating_ || !clients_.empty()) return repeat_soon();
    due->is_due = false;
    ++repeats_;
    repeated_request_ = due->request;
    const std::optional<Request> request = read_request(repeated_request_);
    std::optional<output::PreparedRun> asked = request ? prepare(*request) : std::nullopt;
    if (!asked) return;
    repeating_.emplace(loop_, &servers_, no_output_, std::move(*asked), [this] {
      repeating_.reset();
      end_if_asked();
      if (std::ranges::any_of(remembered_, &RememberedCall::is_due)) repeat_soon();
    });
  }

  void start(Client& client) {
    if (ending_) return end_call(client, report::cold);
    client.output.emplace(loop_,
                          output::OutputStreams{.out = client.streams[0].get(),
                                                .error = client.streams[1].get(),
                                                .colour = client.request.message_colour,
                                                .shows_progress = client.request.shows_progress},
                          [&client] {
                            client.wrote = client.wrote || send(client.connection.get(), report::writes);
                            return client.wrote;
                          });
    output::PreparedRun prepared = *std::move(client.prepared);
    client.prepared.reset();
    client.run.emplace(loop_, &servers_, *client.output, std::move(prepared),
                       [this, &client] { ended(client); });
    report_alive(client);
  }

  void report_alive(Client& client) {
    client.timer.start(alive_interval, [this, &client] {
      // A caller that is stopped reads nothing: there must be room for the end.
      const int connection = client.connection.get();
      if (system::unread_bytes(connection) == 0) send(connection, report::alive);
      report_alive(client);
    });
  }

  void ended(Client& client) {
    if (const std::optional<int> status = client.run->status()) {
      end_call(client, std::string(report::end) + static_cast<char>(*status));
    } else {
      end_call(client, client.run->stopped_by() == SIGPIPE ? report::reader_gone
                       : client.wrote                      ? ""
                                                           : report::cold);
    }
  }

  // Nobody waits for the answer any more.
  void gone(Client& client) {
    if (!client.run) return end_call(client, {});
    loop_.unwatch(client.connection.get());
    client.run->stop(SIGTERM);
  }

  void end_call(Client& client, std::string_view last_report) {
    // Before the caller goes on its streams are as they were.
    client.run.reset();
    client.output.reset();
    send(client.connection.get(), last_report);
    loop_.unwatch(client.connection.get());
    std::erase_if(clients_, [&client](const Client& other) { return &other == &client; });
    end_if_asked();
  }

  ino_t inode() const {
    struct stat status {};
    return ::stat(socket_.c_str(), &status) == 0 ? status.st_ino : 0;
  }

  // The socket may have been removed, or taken over by another process.
  void look() {
    const bool idle = clients_.empty() && servers_.empty() && loop_.now() - last_call_ >= idle_limit_;
    const ino_t found = inode();
    if (found == 0 || found != inode_ || idle) return end();
    loop_.later(std::min(max_look_interval, idle_limit_ / 2), [this] { look(); });
  }

  void end() {
    if (std::exchange(ending_, true)) return;
    if (inode() == inode_) ::unlink(socket_.c_str());
    loop_.unwatch(listening_.get());
    listening_ = Descriptor();
    repeat_timer_.stop();
    if (repeating_) repeating_->stop(SIGTERM);
    for (Client& client : clients_) {
      if (client.run) client.run->stop(SIGTERM);
    }
    end_if_asked();
  }

  void end_if_asked() {
    if (!ending_ || !clients_.empty() || repeating_) return;
    servers_.stop([this] { loop_.stop(); });
  }

  std::string socket_;
  PrepareDump prepare_dump_;
  milliseconds idle_limit_;  // without a call and without a server
  ino_t inode_ = 0;
  io::EventLoop loop_;
  engine::ServerPool servers_;
  std::list<RememberedCall> remembered_;  // the last one first
  std::string repeated_request_;          // what repeating_ runs
  io::Timer repeat_timer_{loop_};
  output::RunOutput no_output_;
  std::optional<output::DocumentRun> repeating_;
  std::size_t repeats_ = 0;  // since the last call
  Descriptor listening_;
  std::list<Client> clients_;
  io::Timers::Clock::time_point last_call_{};
  bool ending_ = false;
};

}  // namespace

int run_warm_daemon(const std::string& socket, PrepareDump prepare_dump) {
  const Result<options::AnswerOptions> settings = options::user_settings();
  return Daemon(socket, std::move(prepare_dump),
                output::pool_limits(settings ? *settings : options::AnswerOptions{}))
      .run();
}

}  // namespace symbols::daemon
