// The program `symbols`.
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>

#include "proxy/cli/command_line.h"

namespace {

// The next pipe would reuse a closed descriptor 0, 1 or 2, and our output would go into a server's traffic.
void open_standard_descriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (::fcntl(fd, F_GETFD) == -1) (void)::open("/dev/null", O_RDWR);
  }
}

// A write to a pipe without a reader must fail, not end the process. Unlike SIG_IGN, a handler is not
// inherited by the servers.
void keep_from_dying_of_pipes() {
  struct sigaction action {};
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGPIPE, &action, nullptr);
}

// The next answer needs as much memory as the last one. By default glibc returns it to the system after each
// and faults it in again page by page: a twentieth of our own time for a table.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kept = 8 << 20;
  ::mallopt(M_TRIM_THRESHOLD, kept);
  ::mallopt(M_MMAP_THRESHOLD, kept / 2);  // larger texts are rare, and are returned at once
  ::mallopt(M_TOP_PAD, 256 << 10);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_descriptors();
  keep_from_dying_of_pipes();
  keep_freed_memory();
  // Some parents leave it ignored; the kernel would then discard the exit status of our servers.
  ::signal(SIGCHLD, SIG_DFL);
  try {
    return symbols::cli::run_command_line({argv + std::min(argc, 1), argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "symbols: internal error: %s; please report this with the command that led to it\n",
                 error.what());
    return 1;
  }
}
