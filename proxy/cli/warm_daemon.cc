#include "proxy/cli/warm_daemon.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "proxy/batch/warm_servers.h"
#include "proxy/cli/dump.h"
#include "proxy/cli/run_output.h"
#include "proxy/servers/server_registry.h"
#include "proxy/servers/servers_file.h"
#include "proxy/warm/warm_address.h"
#include "proxy/warm/warm_service.h"

namespace symbols::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds alive_interval{1000};
// Without a call and without a server.
constexpr milliseconds idle_limit{std::chrono::minutes(15)};
constexpr milliseconds look_interval{std::chrono::seconds(30)};

class CallOutput final : public RunOutput {
 public:
  CallOutput(std::shared_ptr<warm::Call> call, bool shows_progress)
      : call_(std::move(call)), shows_progress_(shows_progress) {
    call_->on_written = [this] { on_written(); };
  }
  ~CallOutput() override {
    call_->on_written = [] {};
  }

  void write(std::string_view text) override { call_->say(warm::Say::output, text); }
  void tell(std::string_view message) override { call_->say(warm::Say::message, message); }
  bool shows_progress() const override { return shows_progress_; }
  void show_progress(std::string_view text) override {
    if (shows_progress_ && text != last_) call_->say(warm::Say::progress, text);
    last_ = text;
  }
  std::size_t unwritten_answers() const override { return call_->unwritten(); }
  std::size_t unwritten() const override { return call_->unwritten(); }

 private:
  std::shared_ptr<warm::Call> call_;
  bool shows_progress_;
  std::string last_;
};

// What chose the answers, besides their documents: the words of the command line without the paths at its
// end, and the format, which settings choose too.
std::string question_of(const DumpArguments& arguments) {
  std::vector<std::string> words = arguments.words;
  const std::vector<std::string>& paths = arguments.inputs.paths;
  if (words.size() >= paths.size() && std::equal(paths.rbegin(), paths.rend(), words.rbegin())) {
    words.resize(words.size() - paths.size());
  }
  std::string question = std::to_string(static_cast<int>(arguments.answers.format_or_default()));
  for (const std::string& word : words) question += '\0' + word;
  return question;
}

class Daemon {
 public:
  explicit Daemon(std::string socket) : socket_(std::move(socket)), servers_(loop_, {}) {}

  int run() {
    Result<Descriptor> listening = warm::listen_on(socket_);
    if (!listening) return 1;
    struct stat status {};
    if (::stat(socket_.c_str(), &status) == 0) inode_ = status.st_ino;
    loop_.on_signals({SIGINT, SIGTERM, SIGHUP}, [this](int) { end(); });
    service_.emplace(loop_, std::move(*listening),
                     [this](std::shared_ptr<warm::Call> call) { add(std::move(call)); });
    last_call_ = loop_.now();
    look();
    loop_.run();
    return 0;
  }

 private:
  struct Client {
    std::shared_ptr<warm::Call> call;
    std::unique_ptr<CallOutput> output{};
    std::unique_ptr<DocumentRun> run{};
    relay::Timers::Timer alive = 0;
    bool asked = false;
    bool over = false;
  };

  void add(std::shared_ptr<warm::Call> call) {
    if (clients_.size() >= warm::WarmService::most_calls || ending_) return;  // it answers cold
    last_call_ = loop_.now();
    const auto client = clients_.insert(clients_.end(), Client{.call = call});
    call->on_message = [this, client](const warm::Message& message) { receive(*client, message); };
    call->on_gone = [this, client] { gone(*client); };
  }

  void receive(Client& client, const warm::Message& message) {
    if (std::exchange(client.asked, true)) return;
    switch (message.say) {
      case warm::Say::run:
        start(client, message.payload);
        break;
      case warm::Say::list:
        for (const std::string& line : servers_.description())
          client.call->say(warm::Say::output, line + '\n');
        finish(client, 0);
        break;
      case warm::Say::stop:
        finish(client, 0);
        end();
        break;
      default:
        refuse(client);
    }
  }

  void start(Client& client, std::string_view payload) {
    const std::optional<warm::Request> request = warm::read_request(payload);
    // Relative paths are looked up here and now: nothing later depends on the folder.
    if (!request || ::chdir(request->folder.c_str()) != 0) return refuse(client);
    std::vector<const char*> words = {"symbols"};
    for (const std::string& argument : request->arguments) words.push_back(argument.c_str());
    const CommandLine parsed = parse_command_line(static_cast<int>(words.size()), words.data());
    const auto* const arguments = std::get_if<DumpArguments>(&parsed);
    if (arguments == nullptr) return refuse(client);
    const Result<Dump> dump = prepare_dump(*arguments, {.is_terminal = request->output_is_terminal,
                                                        .colour = request->output_colour,
                                                        .width = request->width});
    const Result<servers::ServerRegistry> registry =
        servers::ServerRegistry::load(servers::user_servers_file());
    if (!dump || !registry) return refuse(client);
    Result<batch::DocumentInputs> inputs = batch::find_document_inputs(dump->arguments.inputs, *registry);
    if (!inputs) return refuse(client);
    batch::DispatchOptions options = dispatch_options(dump->arguments, dump->inquiry, nullptr);
    options.warm = &servers_;
    options.question = question_of(dump->arguments);
    client.output = std::make_unique<CallOutput>(client.call, request->shows_progress);
    client.run = std::make_unique<DocumentRun>(loop_, *client.output, dump->arguments, std::move(options),
                                               std::move(*inputs), dump->make_sink,
                                               [this, &client] { finish(client, client.run->status()); });
    tell_alive(client);
    client.run->start();
  }

  void tell_alive(Client& client) {
    client.alive = loop_.later(alive_interval, [this, &client] {
      client.call->say(warm::Say::alive, {});
      tell_alive(client);
    });
  }

  void refuse(Client& client) {
    client.call->say(warm::Say::cold, {});
    remove_later(client);
  }

  void finish(Client& client, int status) {
    client.call->say(warm::Say::end, std::to_string(status));
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
    loop_.cancel(client.alive);
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
    const bool idle = clients_.empty() && servers_.empty() && loop_.now() - last_call_ >= idle_limit;
    if (!found || idle) return end();
    loop_.later(look_interval, [this] { look(); });
  }

  void end() {
    if (std::exchange(ending_, true)) return;
    struct stat status {};
    if (::stat(socket_.c_str(), &status) == 0 && status.st_ino == inode_) ::unlink(socket_.c_str());
    service_.reset();
    for (Client& client : clients_) {
      if (client.run && !client.over) client.run->stop(SIGTERM);
    }
    end_if_asked();
  }

  void end_if_asked() {
    if (!ending_ || !clients_.empty()) return;
    servers_.stop([this] { loop_.stop(); });
  }

  std::string socket_;
  ino_t inode_ = 0;
  relay::EventLoop loop_;
  batch::WarmServers servers_;
  std::optional<warm::WarmService> service_;
  std::list<Client> clients_;
  relay::Timers::Clock::time_point last_call_{};
  bool ending_ = false;
};

}  // namespace

int run_warm_daemon(const std::string& socket) {
  return Daemon(socket).run();
}

}  // namespace symbols::cli
