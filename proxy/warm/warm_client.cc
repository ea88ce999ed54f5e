#include "proxy/warm/warm_client.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "proxy/files/regular_file.h"
#include "proxy/warm/warm_address.h"

namespace symbols::warm {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds start_limit{3000};
constexpr milliseconds step{2};
// Of one user: environments in which something is different each time would start one each time.
constexpr std::size_t most_processes = 8;

// In the child, between fork and exec: only what is safe there.
[[noreturn]] void become(const std::vector<char*>& words) {
  ::setsid();
  // Not a child of the call's parent, whatever that waits for.
  if (::fork() != 0) ::_exit(0);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (int descriptor = 0; descriptor < 3; ++descriptor) ::dup2(nothing, descriptor);
  ::close_range(3, ~0U, 0);
  if (::chdir("/") != 0) ::_exit(127);
  ::execv("/proc/self/exe", words.data());
  ::_exit(127);
}

void start_process(const std::string& socket) {
  std::vector<std::string> texts = {"symbols", "warm", "--serve", socket};
  std::vector<char*> words;
  for (std::string& text : texts) words.push_back(text.data());
  words.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) become(words);
  if (child > 0) {
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

// Removes what processes that were killed have left.
std::size_t count_listening(const std::filesystem::path& folder) {
  std::size_t count = 0;
  for (const std::filesystem::path& socket : all_sockets(folder)) {
    if (connect_to(socket)) {
      ++count;
    } else if (errno == ECONNREFUSED) {
      std::error_code ignored;
      std::filesystem::remove(socket, ignored);
      std::filesystem::remove(socket.string() + ".lock", ignored);
    }
  }
  return count;
}

bool send_all(int connection, std::string_view bytes, Clock::time_point end) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
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

}  // namespace

Descriptor reach() {
  const Result<std::filesystem::path> folder = runtime_folder();
  if (!folder) return Descriptor();
  const std::filesystem::path socket = socket_path(*folder);
  if (Descriptor connection = connect_to(socket)) return connection;

  const Clock::time_point end = Clock::now() + start_limit;
  const Descriptor starting(
      ::open((socket.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!starting || !files::lock_within(starting.get(), start_limit)) return Descriptor();
  if (Descriptor connection = connect_to(socket)) return connection;  // another call has started it
  if (count_listening(*folder) >= most_processes) return Descriptor();
  start_process(socket.string());
  while (Clock::now() < end) {
    if (Descriptor connection = connect_to(socket)) return connection;
    std::this_thread::sleep_for(step);
  }
  return Descriptor();
}

Reply ask(int connection, const Request& request, milliseconds patience) {
  Reply reply;
  if (!send_all(connection, frame_of(write_request(request)), Clock::now() + patience)) return reply;
  std::array<char, 4096> buffer;
  Clock::time_point heard = Clock::now();
  for (;;) {
    const auto left = std::chrono::duration_cast<milliseconds>(heard + patience - Clock::now());
    // What it reported before is still read; from here on it cannot report that it begins to write.
    if (left.count() <= 0) ::shutdown(connection, SHUT_RDWR);
    pollfd input{connection, POLLIN, 0};
    if (::poll(&input, 1, std::max(static_cast<int>(left.count()), 0)) <= 0) continue;
    const ssize_t length = ::recv(connection, buffer.data(), buffer.size(), 0);
    if (length < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (length <= 0) break;
    heard = Clock::now();
    if (request.wanted == Wanted::run && buffer[0] == report::ready[0]) send_streams(connection);
    reply.bytes.append(buffer.data(), static_cast<std::size_t>(length));
  }
  const std::size_t size = reply.bytes.size();
  if (size >= 2 && reply.bytes.compare(size - 2, 1, report::end) == 0) {
    reply.status = static_cast<unsigned char>(reply.bytes.back());
    reply.bytes.resize(size - 2);
  }
  return reply;
}

}  // namespace symbols::warm
