#include "proxy/warm/warm_daemon.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "proxy/batch/warm_servers.h"
#include "proxy/cli/command_line.h"
#include "proxy/index/index_answers.h"
#include "proxy/runs/kept_run.h"
#include "proxy/runs/prepare.h"
#include "proxy/runs/run_output.h"
#include "proxy/servers/server_registry.h"
#include "proxy/settings/settings.h"
#include "proxy/warm/warm_address.h"
#include "proxy/warm/warm_call.h"
#include "proxy/warm/warm_prefetch.h"

namespace symbols::warm {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds alive_interval{1000};
constexpr milliseconds most_look_interval{std::chrono::seconds(30)};
constexpr std::size_t most_calls_at_once = 256;  // each has two descriptors; more answer cold

class CallOutput final : public runs::RunOutput {
 public:
  CallOutput(std::shared_ptr<Call> call, bool shows_progress)
      : call_(std::move(call)), shows_progress_(shows_progress) {
    call_->on_written = [this] { on_written(); };
  }
  ~CallOutput() override {
    call_->on_written = [] {};
  }

  void write(std::string_view text) override { call_->say(Say::output, text); }
  void tell(std::string_view message) override { call_->say(Say::message, message); }
  bool shows_progress() const override { return shows_progress_; }
  void show_progress(std::string_view text) override {
    if (shows_progress_ && text != last_) call_->say(Say::progress, text);
    last_ = text;
  }
  std::size_t unwritten_answers() const override { return call_->unwritten(); }
  std::size_t unwritten() const override { return call_->unwritten(); }

 private:
  std::shared_ptr<Call> call_;
  bool shows_progress_;
  std::string last_;
};

class Daemon {
 public:
  Daemon(std::string socket, batch::WarmLimits limits)
      : socket_(std::move(socket)),
        idle_limit_(limits.server_idle * 3 / 2),
        servers_(loop_, limits, [this](const std::string& root) { prefetch_.changed(root); }),
        prefetch_(loop_,
                  {.make_run = [this](const std::string& request, runs::RunOutput& output,
                                      std::function<void()> on_end) -> std::unique_ptr<runs::DocumentRun> {
                     const std::optional<Request> read = read_request(request);
                     std::optional<runs::KeptRun> asked = read ? prepare(*read) : std::nullopt;
                     return asked ? make_run(std::move(*asked), output, std::move(on_end)) : nullptr;
                   },
                   .is_busy = [this] { return !clients_.empty(); },
                   .on_finished = [this] { end_if_asked(); }}) {}

  int run() {
    Result<Descriptor> listening = listen_on(socket_);
    if (!listening) return 1;
    listening_ = std::move(*listening);
    struct stat status {};
    if (::stat(socket_.c_str(), &status) == 0) inode_ = status.st_ino;
    loop_.on_signals({SIGINT, SIGTERM, SIGHUP}, [this](int) { end(); });
    loop_.watch(listening_.get(), relay::EventLoop::Wanted::input, [this] { accept(); });
    last_call_ = loop_.now();
    look();
    loop_.run();
    return 0;
  }

 private:
  struct Client {
    std::shared_ptr<Call> call;
    std::unique_ptr<CallOutput> output{};
    std::unique_ptr<runs::DocumentRun> run{};
    relay::Timers::Timer alive = 0;
    bool asked = false;
    bool over = false;
  };

  void accept() {
    Descriptor connection(::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!connection || !is_own_peer(connection.get()) || clients_.size() >= most_calls_at_once) return;
    last_call_ = loop_.now();
    const auto call = std::make_shared<Call>(loop_, std::move(connection));
    const auto client = clients_.insert(clients_.end(), Client{.call = call});
    call->on_message = [this, client](const Message& message) { receive(*client, message); };
    call->on_gone = [this, client] { gone(*client); };
  }

  void receive(Client& client, const Message& message) {
    if (std::exchange(client.asked, true)) return;
    if (ending_) return refuse(client);
    switch (message.say) {
      case Say::run:
        start(client, message.payload);
        break;
      case Say::list:
        for (const std::string& line : servers_.description()) client.call->say(Say::output, line + '\n');
        finish(client, 0);
        break;
      case Say::stop:
        finish(client, 0);
        end();
        break;
      default:
        refuse(client);
    }
  }

  static std::optional<runs::Dump> prepare(const cli::CommandLine& parsed, const terminal::Console& console) {
    if (const auto* const context = std::get_if<settings::ContextArguments>(&parsed)) {
      std::variant<runs::Dump, runs::ContextRefusal> prepared = index::prepare_context(*context, console);
      auto* const dump = std::get_if<runs::Dump>(&prepared);
      return dump == nullptr ? std::nullopt : std::optional(std::move(*dump));
    }
    const auto* const arguments = std::get_if<settings::DumpArguments>(&parsed);
    if (arguments == nullptr) return std::nullopt;
    Result<runs::Dump> dump = runs::prepare_dump(*arguments, console);
    return dump ? std::optional(std::move(*dump)) : std::nullopt;
  }

  // Nothing where the call itself must answer: it is wrong, say, or a server would have several documents
  // open where that makes a difference.
  std::optional<runs::KeptRun> prepare(const Request& request) {
    // Relative paths are looked up here and now: nothing later depends on the folder.
    if (::chdir(request.folder.c_str()) != 0) return std::nullopt;
    std::optional<runs::Dump> dump = prepare(
        cli::parse_command_line(request.arguments),
        {.is_terminal = request.output_is_terminal, .colour = request.output_colour, .width = request.width});
    const Result<servers::ServerRegistry> registry = servers::ServerRegistry::load();
    if (!dump || !registry) return std::nullopt;
    Result<batch::DocumentInputs> inputs =
        batch::find_document_inputs(dump->arguments.inputs, *registry,
                                    [this](const std::string& root) { return servers_.guessed_flags(root); });
    if (!inputs) return std::nullopt;
    runs::KeptRun run{std::move(*dump), std::move(*inputs)};
    return runs::may_use_kept_servers(run) ? std::optional(std::move(run)) : std::nullopt;
  }

  std::unique_ptr<runs::DocumentRun> make_run(runs::KeptRun run, runs::RunOutput& output,
                                              std::function<void()> on_end) {
    return runs::make_kept_run(loop_, servers_, std::move(run), output, std::move(on_end));
  }

  void start(Client& client, std::string_view payload) {
    const std::optional<Request> request = read_request(payload);
    if (!request) return refuse(client);
    servers_.call_begins();
    prefetch_.call_begins(payload);
    std::optional<runs::KeptRun> asked = prepare(*request);
    if (!asked) return refuse(client);
    std::set<std::string> roots;
    for (const batch::DocumentInput& input : asked->inputs.documents) {
      if (input.job) roots.insert(input.job->root);
    }
    prefetch_.remember(std::string(payload), std::move(roots), asked->inputs.documents.size());
    client.output = std::make_unique<CallOutput>(client.call, request->shows_progress);
    client.run = make_run(std::move(*asked), *client.output, [this, &client] {
      if (const std::optional<int> status = client.run->status()) {
        finish(client, *status);
      } else {
        refuse(client);
      }
    });
    tell_alive(client);
    client.run->start();
  }

  void tell_alive(Client& client) {
    client.alive = loop_.later(alive_interval, [this, &client] {
      client.call->say(Say::alive, {});
      tell_alive(client);
    });
  }

  // The caller answers by itself; once it has printed a part of the answer, it reports that the rest is
  // missing.
  void refuse(Client& client) {
    client.call->say(Say::cold, {});
    remove_later(client);
  }

  void finish(Client& client, int status) {
    client.call->say(Say::end, std::to_string(status));
    remove_later(client);
  }

  // Whoever asked does not wait any more.
  void gone(Client& client) {
    if (client.run && !client.over) {
      client.run->stop(SIGTERM);
    } else {
      remove_later(client);
    }
  }

  // From the loop: this is called from within what it removes. Once the caller has closed its side, or a
  // little later: until then there may be bytes to be written.
  void remove_later(Client& client) {
    client.over = true;
    const bool gone = client.call->gone() || client.call->unwritten() == 0;
    constexpr milliseconds write_limit{10'000};
    if (!gone) client.call->on_gone = [this, &client] { remove_later(client); };
    loop_.cancel(client.alive);
    client.alive = loop_.later(gone ? milliseconds(0) : write_limit, [this, &client] {
      std::erase_if(clients_, [&client](const Client& other) { return &other == &client; });
      end_if_asked();
    });
  }

  // The socket may have been removed, or taken over by another process.
  void look() {
    struct stat status {};
    const bool found = ::stat(socket_.c_str(), &status) == 0 && status.st_ino == inode_;
    const bool idle = clients_.empty() && servers_.empty() && loop_.now() - last_call_ >= idle_limit_;
    if (!found || idle) return end();
    loop_.later(std::min(most_look_interval, idle_limit_ / 2), [this] { look(); });
  }

  void end() {
    if (std::exchange(ending_, true)) return;
    struct stat status {};
    if (::stat(socket_.c_str(), &status) == 0 && status.st_ino == inode_) ::unlink(socket_.c_str());
    loop_.unwatch(listening_.get());
    listening_ = Descriptor();
    prefetch_.stop();
    for (Client& client : clients_) {
      if (client.run && !client.over) client.run->stop(SIGTERM);
    }
    end_if_asked();
  }

  void end_if_asked() {
    if (!ending_ || !clients_.empty() || prefetch_.is_running()) return;
    servers_.stop([this] { loop_.stop(); });
  }

  std::string socket_;
  milliseconds idle_limit_;  // without a call and without a server
  ino_t inode_ = 0;
  relay::EventLoop loop_;
  batch::WarmServers servers_;
  WarmPrefetch prefetch_;
  Descriptor listening_;
  std::list<Client> clients_;
  relay::Timers::Clock::time_point last_call_{};
  bool ending_ = false;
};

}  // namespace

int run_warm_daemon(const std::string& socket) {
  const Result<options::AnswerOptions> settings = settings::user_settings();
  return Daemon(socket, runs::warm_limits(settings ? *settings : options::AnswerOptions{})).run();
}

}  // namespace symbols::warm
