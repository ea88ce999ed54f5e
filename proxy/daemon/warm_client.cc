#include "proxy/daemon/warm_client.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string_view>
#include <system_error>
#include <thread>

#include "base/clock.h"
#include "base/descriptor.h"
#include "proxy/files/project_root.h"
#include "proxy/files/regular_file.h"
#include "proxy/system/descriptors.h"
#include "proxy/system/introspection.h"

namespace symbols::daemon {
namespace {

using Clock = steady_clock;

constexpr milliseconds start_limit{3000};
constexpr milliseconds step{2};
// The daemon reports every second that it goes on with a run.
constexpr milliseconds run_silence{10'000};
constexpr milliseconds list_silence{5'000};
// Of one user: environments in which something is different each time would start one each time.
constexpr std::size_t max_processes = 8;

// In the child, between fork and exec: only what is safe there.
[[noreturn]] void become(const char* image, const std::vector<char*>& words) {
  ::setsid();
  // Not a child of the call's parent, whatever that waits for.
  if (::fork() != 0) ::_exit(0);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (int descriptor = 0; descriptor < 3; ++descriptor) ::dup2(nothing, descriptor);
  system::close_from(3);
  if (::chdir("/") != 0) ::_exit(127);
  ::execv(image, words.data());
  ::_exit(127);
}

void start_process(const std::string& socket) {
  std::vector<std::string> texts = {"symbols", "warm", "--serve", socket};
  std::vector<char*> words;
  for (std::string& text : texts) words.push_back(text.data());
  words.push_back(nullptr);
  const std::string image = system::own_image();
  const pid_t child = ::fork();
  if (child == 0) become(image.c_str(), words);
  if (child > 0) {
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

// Removes what processes that were killed have left.
std::size_t count_listening(const fs::path& folder) {
  std::size_t count = 0;
  for (const fs::path& socket : all_sockets(folder)) {
    if (connect_to(socket)) {
      ++count;
    } else if (errno == ECONNREFUSED) {
      std::error_code ignored;
      fs::remove(socket, ignored);
      fs::remove(socket.string() + ".lock", ignored);
    }
  }
  return count;
}

bool send_all(int connection, std::string_view bytes, Clock::time_point end) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(connection, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (sent >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN || Clock::now() >= end) return false;
    pollfd room{connection, POLLOUT, 0};
    ::poll(&room, 1, static_cast<int>(step.count()));
  }
  return true;
}

// A connection to the daemon for this environment, which is started if there is none. Two first calls at once
// start one. None: it cannot be had within a few seconds.
Descriptor reach() {
  const Result<fs::path> folder = runtime_folder();
  if (!folder) return Descriptor();
  const fs::path socket = socket_path(*folder);
  if (Descriptor connection = connect_to(socket)) return connection;

  const Clock::time_point end = Clock::now() + start_limit;
  const Descriptor starting(
      ::open((socket.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!starting || !files::lock_within(starting.get(), start_limit)) return Descriptor();
  if (Descriptor connection = connect_to(socket)) return connection;  // another call has started it
  if (count_listening(*folder) >= max_processes) return Descriptor();
  start_process(socket.string());
  while (Clock::now() < end) {
    if (Descriptor connection = connect_to(socket)) return connection;
    std::this_thread::sleep_for(step);
  }
  return Descriptor();
}

// Sends the request, and our own standard streams when the daemon is ready for them. When it returns, the
// daemon does not begin to write to them any more.
Reply ask(int connection, const Request& request, milliseconds patience) {
  Reply reply;
  if (!send_all(connection, frame_of(write_request(request)), Clock::now() + patience)) return reply;
  Streams none;
  Clock::time_point heard = Clock::now();
  for (;;) {
    const auto left = std::chrono::duration_cast<milliseconds>(heard + patience - Clock::now());
    // What it reported before is still read; from here on it cannot report that it begins to write.
    if (left.count() <= 0) ::shutdown(connection, SHUT_RDWR);
    pollfd input{connection, POLLIN, 0};
    if (::poll(&input, 1, std::max(static_cast<int>(left.count()), 0)) <= 0) continue;
    const std::optional<std::string> reports = receive(connection, none);
    if (!reports) break;
    heard = Clock::now();
    if (request.wanted == Wanted::run && reports->starts_with(report::ready)) send_streams(connection);
    reply.bytes += *reports;
  }
  const std::size_t size = reply.bytes.size();
  if (size >= 2 && reply.bytes.compare(size - 2, 1, report::end) == 0) {
    reply.status = static_cast<unsigned char>(reply.bytes.back());
    reply.bytes.resize(size - 2);
  }
  return reply;
}

bool may_be_warm(const output::DumpArguments& in_effect) {
  const std::vector<std::string>& paths = in_effect.inputs.paths;
  return in_effect.answers.warm.value_or(false) && in_effect.log.empty() &&
         std::ranges::find(paths, "-") == paths.end() && in_effect.inputs.files_from != "-";
}

}  // namespace

std::optional<int> run_warm(const output::DumpArguments& in_effect, const terminal::Console& console) {
  if (!may_be_warm(in_effect)) return std::nullopt;
  const fs::path folder = files::working_folder();
  const Descriptor connection = folder.empty() ? Descriptor() : reach();
  if (!connection) return std::nullopt;
  const auto colour = in_effect.answers.color.value_or(terminal::ColourUse::automatic);
  const bool shows_progress = terminal::obeys_escapes(STDERR_FILENO);
  const Reply reply = ask(connection.get(),
                          {.folder = folder.string(),
                           .console = console,
                           .message_colour = terminal::colour_wanted(STDERR_FILENO, colour),
                           .shows_progress = shows_progress,
                           .arguments = in_effect.words},
                          run_silence);
  if (reply.status) return reply.status;
  if (reply.bytes.ends_with(report::reader_gone)) output::die_by(SIGPIPE);
  if (reply.bytes.ends_with(report::cold)) return std::nullopt;
  if (shows_progress) std::fputs("\r\x1B[K", stderr);  // the line that a lost daemon has left there
  if (reply.bytes.find(report::writes) == std::string::npos) return std::nullopt;
  terminal::tell(
      "the background process was lost in the middle of the answer; run this again or without --warm");
  return 1;
}

Result<std::vector<Reply>> ask_all(Wanted wanted) {
  const Result<fs::path> folder = runtime_folder();
  if (!folder) return folder.error();
  std::vector<Reply> replies;
  for (const fs::path& socket : all_sockets(*folder)) {
    const Descriptor connection = connect_to(socket);
    if (!connection) continue;  // of a process that was killed
    replies.push_back(ask(connection.get(), {.wanted = wanted}, list_silence));
    replies.back().socket = socket;
  }
  return replies;
}

}  // namespace symbols::daemon
