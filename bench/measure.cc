// Runs a command once and tells what it took: of the command's own process, its children (language servers)
// left out.
//
//   measure COMMAND [ARGUMENT…]        standard output goes to /dev/null
//
// Prints: wall time in ms, the process's own user + system time in ms, its own peak resident memory in KiB.
#include <fcntl.h>
#include <spawn.h>
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
  if (argc < 2) return 2;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  const auto begin = std::chrono::steady_clock::now();
  pid_t pid = 0;
  if (::posix_spawnp(&pid, argv[1], &actions, nullptr, argv + 1, environ) != 0) return 1;
  const std::string proc = "/proc/" + std::to_string(pid);

  // The peak only grows, and the kernel forgets it with the process: looked at every 2 ms, the last look
  // counts.
  long peak = 0;
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == 0) {
    const std::string status = read_file(proc + "/status");
    if (const std::size_t at = status.find("VmHWM:"); at != std::string::npos) {
      peak = std::max(peak, std::strtol(status.c_str() + at + 6, nullptr, 10));
    }
    ::usleep(2000);
  }
  const auto end = std::chrono::steady_clock::now();

  // A zombie still tells the time that it ran, in nanoseconds, apart from its children's: that of its main
  // thread, the only one.
  const double own = std::strtod(read_file(proc + "/schedstat").c_str(), nullptr) / 1e6;
  int status = 0;
  ::waitpid(pid, &status, 0);
  std::printf("%.1f %.1f %ld\n", std::chrono::duration<double, std::milli>(end - begin).count(), own, peak);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
