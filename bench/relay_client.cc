// One measurement of a relay between an LSP client and a server (bench/relay.mjs runs many): starts COMMAND,
// which is bench/relay_server or a relay that runs it, as a harness would, finishes initialize, and then
// measures one thing.
//
//   relay_client [--socketpair] SCENARIO COUNT COMMAND [ARGUMENT…]
//
// --socketpair: standard input and output are socket pairs, as Node makes them, instead of pipes.
//
//   small      COUNT small requests, each sent when the last one's reply is there
//   replies    COUNT requests answered with 5 MB, likewise
//   large      COUNT notifications of 5 MB from the server, in a row
//   small-down COUNT notifications of about 120 bytes from the server, in a row
//   small-up   as many from the client
//   stall      COUNT megabytes from the server, of which the client reads nothing for 3 s
//
// A part of it is done before, unmeasured, to have all in caches (not of `stall`).
// Prints one line of JSON. Processor time and memory are those of the relay's processes: every descendant of
// this process but the server.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "process_usage.h"
#include "raw_messages.h"

namespace {

constexpr std::size_t megabyte = 1'000'000;

double now() {  // in microseconds
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

class Connection {
 public:
  Connection(char** command, bool socket_pair) : reader_(start(command, socket_pair)) {}

  void send(std::string_view body) { bench::write_all(to_, bench::framed(body)); }

  void ask(std::string_view method, std::string_view params) {
    send(R"({"jsonrpc":"2.0","id":)" + std::to_string(++id_) + R"(,"method":")" + std::string(method) +
         R"(","params":)" + std::string(params) + "}");
  }

  bench::Message receive() {
    bench::Message message;
    if (!reader_.next(message)) bench::fail("the server's output ended");
    return message;
  }

  /** The reply to what was asked last; `bytes` gets the sum of the bodies, its own and of notifications
   * before it. */
  bench::Message reply(std::size_t& bytes) {
    for (;;) {
      const bench::Message message = receive();
      bytes += message.length;
      if (message.start.find(R"("method":)") != std::string_view::npos) continue;
      if (bench::number_after(message.start, R"("id":)") != id_) bench::fail("a reply to something else");
      return message;
    }
  }
  bench::Message reply() {
    std::size_t bytes = 0;
    return reply(bytes);
  }

  /** Ends the server; false where the command left with another status than 0. */
  bool end() {
    ask("shutdown", "null");
    reply();
    send(R"({"jsonrpc":"2.0","method":"exit"})");
    ::close(to_);
    for (int i = 0; i < 3000; ++i) {
      int status = 0;
      if (::waitpid(pid_, &status, WNOHANG) == pid_) return status == 0;
      ::usleep(1000);
    }
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    return false;
  }

 private:
  int start(char** command, bool socket_pair) {
    int in[2];
    int out[2];
    const bool made = socket_pair ? ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) == 0 &&
                                        ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, out) == 0
                                  : ::pipe2(in, O_CLOEXEC) == 0 && ::pipe2(out, O_CLOEXEC) == 0;
    if (!made) bench::fail("cannot make pipes");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    if (::posix_spawnp(&pid_, command[0], &actions, nullptr, command, environ) != 0) {
      bench::fail("cannot run " + std::string(command[0]));
    }
    posix_spawn_file_actions_destroy(&actions);
    ::close(in[0]);
    ::close(out[1]);
    to_ = in[1];
    return out[0];
  }

  int to_ = -1;
  pid_t pid_ = -1;
  std::size_t id_ = 0;
  bench::MessageReader reader_;
};

constexpr const char* small_params =
    R"({"textDocument":{"uri":"file:///home/user/project/src/geometry.cpp"},"position":{"line":12,"character":8}})";

struct Figures {
  double microseconds = 0;   // of the whole
  std::vector<double> each;  // where one is timed alone
  std::size_t messages = 0;
  std::size_t bytes = 0;    // of bodies, the way that is measured
  std::size_t stalled = 0;  // KiB resident in the relay, the most while the client read nothing
};

std::string sizes(std::size_t bytes, std::size_t count) {
  return R"({"bytes":)" + std::to_string(bytes) + R"(,"count":)" + std::to_string(count) + "}";
}

Figures measure(const std::string& scenario, std::size_t count, Connection& connection,
                const std::vector<int>& relay) {
  Figures figures;
  figures.messages = count;
  const double begin = now();
  if (scenario == "small") {
    for (std::size_t i = 0; i < count; ++i) {
      const double sent = now();
      connection.ask("bench/echo", small_params);
      figures.bytes += connection.reply().length;
      figures.each.push_back(now() - sent);
    }
  } else if (scenario == "replies") {
    for (std::size_t i = 0; i < count; ++i) {
      const double sent = now();
      connection.ask("bench/reply", sizes(5 * megabyte, 1));
      connection.reply(figures.bytes);
      figures.each.push_back(now() - sent);
    }
  } else if (scenario == "large" || scenario == "small-down") {
    connection.ask("bench/send", sizes(scenario == "large" ? 5 * megabyte : 120, count));
    connection.reply(figures.bytes);
  } else if (scenario == "small-up") {
    const std::string body =
        R"({"jsonrpc":"2.0","method":"bench/note","params":{"textDocument":{"uri":"file:///home/user/project/a.cpp"},"n":1}})";
    for (std::size_t i = 0; i < count; ++i) connection.send(body);
    connection.ask("bench/received", "null");
    figures.bytes = body.size() * count;
    if (bench::number_after(connection.reply().start, R"("result":)") < figures.bytes)
      bench::fail("not all arrived");
  } else if (scenario == "stall") {
    connection.ask("bench/send", sizes(megabyte, count));
    while (now() - begin < 3e6) {
      figures.stalled = std::max(figures.stalled, bench::usage_of(relay).resident);
      ::usleep(50'000);
    }
    connection.reply(figures.bytes);
  } else {
    bench::fail("there is no scenario " + scenario);
  }
  figures.microseconds = now() - begin;
  return figures;
}

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

}  // namespace

int main(int argc, char** argv) {
  const bool socket_pair = argc > 1 && std::string_view(argv[1]) == "--socketpair";
  char** args = argv + (socket_pair ? 2 : 1);
  if (argv + argc - args < 3) {
    std::fprintf(stderr, "usage: relay_client [--socketpair] SCENARIO COUNT COMMAND [ARGUMENT...]\n");
    return 2;
  }
  const std::string scenario = args[0];
  const std::size_t count = std::strtoul(args[1], nullptr, 10);
  // Not SIG_IGN, which the relay would inherit.
  ::signal(SIGPIPE, [](int) {});
  ::alarm(120);  // whatever hangs

  Connection connection(args + 2, socket_pair);
  connection.ask("initialize", R"({"processId":null,"rootUri":null,"capabilities":{}})");
  const auto server = static_cast<int>(bench::number_after(connection.reply().start, R"("pid":)"));
  const std::vector<int> relay = bench::descendants(::getpid(), server);
  connection.send(R"({"jsonrpc":"2.0","method":"initialized","params":{}})");
  connection.ask("bench/received", "null");
  connection.reply();
  if (scenario != "stall") {
    const bool large = scenario == "large" || scenario == "replies";
    measure(scenario, large ? 2 : std::min<std::size_t>(count, 5000), connection, relay);
  }

  const bench::Usage before = bench::usage_of(relay);
  const Figures figures = measure(scenario, count, connection, relay);
  const bench::Usage after = bench::usage_of(relay);
  const bool ended = connection.end();

  const double seconds = figures.microseconds / 1e6;
  const double megabytes = static_cast<double>(figures.bytes) / static_cast<double>(megabyte);
  std::printf(
      R"({"scenario":"%s","messages":%zu,"seconds":%.6f,"p50":%.2f,"p90":%.2f,"min":%.2f,"perSecond":%.0f,)"
      R"("megabytesPerSecond":%.1f,"cpuSeconds":%.6f,"cpuPerMessage":%.3f,"cpuPerMegabyte":%.2f,)"
      R"("residentKiB":%zu,"peakKiB":%zu,"stalledKiB":%zu,"ended":%s})"
      "\n",
      scenario.c_str(), figures.messages, seconds, quantile(figures.each, 0.5), quantile(figures.each, 0.9),
      quantile(figures.each, 0), static_cast<double>(figures.messages) / seconds, megabytes / seconds,
      (after.processor - before.processor) / 1e6,
      (after.processor - before.processor) / static_cast<double>(figures.messages),
      (after.processor - before.processor) / megabytes, after.resident, after.peak, figures.stalled,
      ended ? "true" : "false");
  return 0;
}
