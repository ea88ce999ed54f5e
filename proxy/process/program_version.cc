#include "proxy/process/program_version.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <thread>

#include "proxy/process/child_environment.h"

namespace symbols::process {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// A version is in the first lines; more is a program that did not understand the question.
constexpr std::size_t max_output = std::size_t{1} << 16;
// Between looks at whether a child has ended that still holds its output open.
constexpr milliseconds look_again{20};
// For a killed child to be gone; one that hangs in the kernel is left to the system.
constexpr milliseconds burial_limit{500};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// A NULL-terminated array of pointers to `strings`, which must outlive it.
std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

// One running program, and what it has written.
class Child {
 public:
  explicit Child(const VersionQuestion& question) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
      spawn_error_ = errno;
      return;
    }
    output_ = ends[0];
    std::vector<std::string> words{question.program};
    words.insert(words.end(), question.arguments.begin(), question.arguments.end());
    std::vector<std::string> variables = changed_environment(question.environment);

    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    ::posix_spawn_file_actions_addchdir_np(&actions, "/");
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    sigset_t defaults;
    ::sigfillset(&defaults);
    ::posix_spawnattr_setsigdefault(&attributes, &defaults);
    sigset_t blocked;
    ::sigemptyset(&blocked);
    ::posix_spawnattr_setsigmask(&attributes, &blocked);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(&attributes,
                               POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    spawn_error_ = ::posix_spawn(&pid_, question.program.c_str(), &actions, &attributes,
                                 pointers_to(words).data(), pointers_to(variables).data());
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (spawn_error_ != 0) pid_ = 0;
  }
  ~Child() {
    if (output_ >= 0) ::close(output_);
  }
  Child(Child&& other) noexcept
      : pid_(std::exchange(other.pid_, 0)),
        output_(std::exchange(other.output_, -1)),
        spawn_error_(other.spawn_error_),
        status_(other.status_),
        written_(std::move(other.written_)) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  Child& operator=(Child&&) = delete;

  int output() const { return output_; }
  bool is_running() const { return pid_ > 0; }

  // Reads what is there.
  void read() {
    std::array<char, 4096> chunk{};
    while (output_ >= 0) {
      const ssize_t count = ::read(output_, chunk.data(), chunk.size());
      if (count > 0 && written_.size() < max_output) {
        written_.append(chunk.data(), static_cast<std::size_t>(count));
      } else if (count > 0) {
        kill();
        return;
      } else if (count < 0 && errno == EINTR) {
        continue;
      } else if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
        return;
      } else {
        ::close(std::exchange(output_, -1));
      }
    }
  }

  // Whether it has ended, without waiting.
  void look() {
    if (pid_ <= 0) return;
    int status = 0;
    const pid_t ended = ::waitpid(pid_, &status, WNOHANG);
    if (ended == 0) return;
    if (ended == pid_) status_ = status;
    ::kill(-pid_, SIGKILL);  // what it left running
    pid_ = 0;
  }

  void kill() {
    if (pid_ > 0) ::kill(-pid_, SIGKILL);
  }

  Result<std::string> answer(const VersionQuestion& question, milliseconds limit) const {
    const std::string command = fmt::format("{} {}", question.program, fmt::join(question.arguments, " "));
    if (spawn_error_ != 0)
      return Error{fmt::format("cannot run {}: {}", command, std::generic_category().message(spawn_error_)),
                   {}};
    if (!status_) return Error{fmt::format("{} did not end within {} s", command, limit.count() / 1000), {}};
    if (!WIFEXITED(*status_) || WEXITSTATUS(*status_) != 0)
      return Error{fmt::format("{} failed: {}", command, written_.substr(0, written_.find('\n'))), {}};
    std::string version = version_in(written_);
    if (version.empty()) return Error{fmt::format("{} told no version", command), {}};
    return {boost::system::in_place_value, std::move(version)};
  }

 private:
  pid_t pid_ = 0;  // 0: not running
  int output_ = -1;
  int spawn_error_ = 0;
  std::optional<int> status_;  // waitpid's, where it ended by itself
  std::string written_;
};

// Reads and looks at `children` until all have ended or `until` is reached; whether all have.
bool tend(std::vector<Child>& children, steady_clock::time_point until) {
  for (;;) {
    std::vector<pollfd> outputs;
    bool any = false;
    for (Child& child : children) {
      child.look();  // first: what it wrote before its end is then there to be read
      child.read();
      if (!child.is_running()) continue;
      any = true;
      if (child.output() >= 0) outputs.push_back({child.output(), POLLIN, 0});
    }
    if (!any) return true;
    if (steady_clock::now() >= until) return false;
    ::poll(outputs.data(), outputs.size(), static_cast<int>(look_again.count()));
  }
}

}  // namespace

std::vector<Result<std::string>> ask_versions(const std::vector<VersionQuestion>& questions,
                                              milliseconds limit) {
  std::vector<Child> children;
  children.reserve(questions.size());
  for (const VersionQuestion& question : questions) children.emplace_back(question);
  std::vector<Result<std::string>> answers;
  const bool all_ended = tend(children, steady_clock::now() + limit);
  for (std::size_t i = 0; i < questions.size(); ++i)
    answers.push_back(children[i].answer(questions[i], limit));
  if (!all_ended) {
    for (Child& child : children) child.kill();
    tend(children, steady_clock::now() + burial_limit);
  }
  return answers;
}

std::string version_in(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_digit(text[i])) continue;
    // "v1.2" is one, "llvm14.0" is not.
    const bool after_v = i > 0 && (text[i - 1] == 'v' || text[i - 1] == 'V');
    const char before = i < (after_v ? 2U : 1U) ? ' ' : text[i - (after_v ? 2 : 1)];
    std::size_t end = i;
    while (end < text.size() && is_digit(text[end])) ++end;
    const bool has_dot = end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1]);
    const bool starts =
        !is_letter(before) && !is_digit(before) && before != '.' && before != '-' && before != '_';
    while (end < text.size() && (is_digit(text[end]) || is_letter(text[end]) ||
                                 std::string_view(".-+_").find(text[end]) != std::string_view::npos))
      ++end;
    if (has_dot && starts) {
      while (!is_digit(text[end - 1]) && !is_letter(text[end - 1])) --end;
      return std::string(text.substr(i, end - i));
    }
    i = end - 1;
  }
  return {};
}

}  // namespace symbols::process
