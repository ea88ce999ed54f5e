// Runs a command once and tells what it took: of the command's own process, its children (language servers)
// left out.
//
//   measure [-o FILE] COMMAND [ARGUMENT…]        standard output goes to FILE, or /dev/null
//
// Prints: wall time in ms, the process's own user + system time in ms, its own peak resident memory in KiB,
// the user + system time in ms of it and of the children that it has waited for, and the peak resident memory
// in KiB of the largest of these.
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

namespace {

std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

int main(int argc, char** argv) {
  const bool to_file = argc > 3 && std::strcmp(argv[1], "-o") == 0;
  const char* output = to_file ? argv[2] : "/dev/null";
  argv += to_file ? 3 : 1;
  if (*argv == nullptr) return 2;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const auto begin = std::chrono::steady_clock::now();
  pid_t pid = 0;
  if (::posix_spawnp(&pid, argv[0], &actions, nullptr, argv, environ) != 0) return 1;
  const std::string proc = "/proc/" + std::to_string(pid);

  // The peak only grows, and the kernel forgets it with the process: looked at every 2 ms, the last look
  // counts. The descriptor is readable as soon as the process has ended.
  pollfd exited{static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)), POLLIN, 0};
  long peak = 0;
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == 0) {
    const std::string status = read_file(proc + "/status");
    if (const std::size_t at = status.find("VmHWM:"); at != std::string::npos) {
      peak = std::max(peak, std::strtol(status.c_str() + at + 6, nullptr, 10));
    }
    ::poll(&exited, 1, 2);
  }
  const auto end = std::chrono::steady_clock::now();

  // A zombie still tells the time that it ran, in nanoseconds, apart from its children's: that of its main
  // thread, the only one.
  const double own = std::strtod(read_file(proc + "/schedstat").c_str(), nullptr) / 1e6;
  int status = 0;
  rusage usage{};
  ::wait4(pid, &status, 0, &usage);
  const auto milliseconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
  };
  std::printf("%.1f %.1f %ld %.1f %ld\n", std::chrono::duration<double, std::milli>(end - begin).count(), own,
              peak, milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime), usage.ru_maxrss);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
