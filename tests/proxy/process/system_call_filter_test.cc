#include <doctest/doctest.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/descriptor.h"
#include "proxy/process/confinement.h"
#include "tests/proxy/process/confined_attempt.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::process {
namespace {

struct Case {
  const char* what;
  std::function<bool()> attempt;
  int error;
  bool only_root = false;  // others are refused it with the same error without a filter
  bool may_lack = false;   // so is everybody on some systems
};

// Each attempt comes to its error, and not without the filter.
template <typename Filter, typename None>
void compare(const std::vector<Case>& cases, const Filter& filter, const None& none) {
  for (const Case& each : cases) {
    CAPTURE(each.what);
    CHECK(confined_attempt(filter, each.attempt) == each.error);
    if (each.error == 0) continue;
    if (seccomp_mode() != 0) {
      MESSAGE("not shown: the tests are filtered themselves");
    } else if (each.only_root && ::geteuid() != 0) {
      MESSAGE("not shown: not root");
    } else if (const int error = confined_attempt(none, each.attempt); error == each.error && each.may_lack) {
      MESSAGE("not shown: refused here to everybody");
    } else {
      CHECK(error != each.error);
    }
  }
}
void check(const std::vector<Case>& cases, bool refuses_truncation = false) {
  compare(cases, SystemCallFilter::prepare(refuses_truncation), Unconfined{});
}

// Whether there is nothing to test; the program has to see the same.
bool skipped() {
  CHECK(kernel_filters_system_calls() == kernel_has_filters());
  if (kernel_has_filters()) return false;
  MESSAGE("skipped: no seccomp here");
  return true;
}

bool makes_socket(int family, int type) {
  return ::socket(family, type, 0) >= 0;
}
bool makes_pair(int family, int type) {
  int pair[2];
  return ::socketpair(family, type, 0, pair) == 0;
}

TEST_CASE("no socket can be made but pairs that stay pairs") {
  if (skipped()) return;
  check({
      {"TCP", [] { return makes_socket(AF_INET, SOCK_STREAM); }, EACCES},
      {"UDP", [] { return makes_socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC); }, EACCES},
      {"Unix", [] { return makes_socket(AF_UNIX, SOCK_STREAM); }, EACCES},
      {"netlink", [] { return makes_socket(AF_NETLINK, SOCK_RAW); }, EACCES},
      {"packets", [] { return makes_socket(AF_PACKET, SOCK_RAW); }, EACCES},
      {"virtual machines", [] { return makes_socket(AF_VSOCK, SOCK_STREAM); }, EACCES},
      {"family with an upper half", [] { return ::syscall(SYS_socket, (1L << 32) | AF_INET, 1, 0) >= 0; },
       EACCES},
      {"a pair", [] { return makes_pair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC); }, 0},
      {"a pair of packets", [] { return makes_pair(AF_UNIX, SOCK_SEQPACKET); }, 0},
      // Each of these can send to any other socket.
      {"a pair of datagrams", [] { return makes_pair(AF_UNIX, SOCK_DGRAM); }, EACCES},
      {"the same by its older name", [] { return makes_pair(AF_UNIX, SOCK_RAW); }, EACCES},
      {"a pair of another family", [] { return makes_pair(AF_TIPC, SOCK_STREAM); }, EACCES},
      {"io_uring", [] { return ::syscall(425, 1, nullptr) >= 0; }, EPERM},
      {"io_uring_enter", [] { return ::syscall(426, 0, 0, 0, 0, nullptr, 0) >= 0; }, EPERM},
      {"another's descriptor", [] { return ::syscall(438, 0, 0, 0) >= 0; }, EPERM},
  });
}

TEST_CASE("an inherited socket can be used but neither connected nor opened to others") {
  if (skipped()) return;
  int pair[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0);
  const Descriptor ours(pair[0]), theirs(pair[1]);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const auto* const name = reinterpret_cast<const sockaddr*>(&address);
  check({
      {"send", [&] { return ::send(theirs.get(), "x", 1, 0) == 1; }, 0},
      {"connect", [&] { return ::connect(theirs.get(), name, sizeof address) == 0; }, EACCES},
      {"bind", [&] { return ::bind(theirs.get(), name, sizeof(sa_family_t)) == 0; }, EACCES},
      {"listen", [&] { return ::listen(theirs.get(), 1) == 0; }, EACCES},
      {"accept", [&] { return ::accept(theirs.get(), nullptr, nullptr) >= 0; }, EACCES},
  });
}

TEST_CASE("files keep their mode, owner, times and attributes") {
  if (skipped()) return;
  TemporaryFolder place;
  place.write("file", "mine");
  const std::string file = place.path("file");
  const char* const path = file.c_str();
  const auto written = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  std::filesystem::last_write_time(file, written);
  const Descriptor open(::open(path, O_RDONLY | O_CLOEXEC));
  const int number = open.get();
  int flags = 0;
  check({
      {"chmod", [&] { return ::chmod(path, 0666) == 0; }, EPERM},
      {"fchmod", [&] { return ::fchmod(number, 0666) == 0; }, EPERM},
      {"fchmodat", [&] { return ::fchmodat(AT_FDCWD, path, 0666, 0) == 0; }, EPERM},
      {"fchmodat2", [&] { return ::syscall(452, AT_FDCWD, path, 0666, 0) == 0; }, EPERM},
      {"chown", [&] { return ::chown(path, ::getuid(), ::getgid()) == 0; }, EPERM},
      {"fchown", [&] { return ::fchown(number, ::getuid(), ::getgid()) == 0; }, EPERM},
      {"utimensat", [&] { return ::utimensat(AT_FDCWD, path, nullptr, 0) == 0; }, 0},
      {"futimens", [&] { return ::futimens(number, nullptr) == 0; }, 0},
      {"setxattr", [&] { return ::setxattr(path, "user.x", "x", 1, 0) == 0; }, EPERM},
      {"fremovexattr", [&] { return ::fremovexattr(number, "user.x") == 0; }, EPERM},
      {"a lease", [&] { return ::fcntl(number, F_SETLEASE, F_RDLCK) == 0; }, EACCES},
      {"notifications of a folder", [&] { return ::fcntl(number, F_NOTIFY, DN_MODIFY) == 0; }, EACCES},
      {"whom its events signal", [&] { return ::fcntl(number, F_SETOWN, ::getppid()) == 0; }, EACCES},
      {"flags", [&] { return ::fcntl(number, F_GETFL) >= 0; }, 0},
      {"file_setattr", [&] { return ::syscall(469, AT_FDCWD, path, nullptr, 0, 0) == 0; }, EPERM},
      // FS_IOC_SETFLAGS: an ioctl of file systems.
      {"chattr", [&] { return ::ioctl(number, 0x40086602UL, &flags) == 0; }, ENOTTY},
      {"read",
       [&] {
         char byte;
         return ::read(number, &byte, 1) == 1 && ::access(path, R_OK) == 0;
       },
       0},
  });
#ifdef SYS_utimes
  check({
      {"utime", [&] { return ::syscall(SYS_utime, path, nullptr) == 0; }, 0},
      {"utimes", [&] { return ::syscall(SYS_utimes, path, nullptr) == 0; }, 0},
      {"lchown", [&] { return ::syscall(SYS_lchown, path, ::getuid(), ::getgid()) == 0; }, EPERM},
  });
#endif
  // Setting times says that it is done.
  CHECK(std::filesystem::last_write_time(file) == written);
}

// A struct at an address of which a filter that sees 32 bits sees nothing but 0; AddressSanitizer has lower
// ones for itself.
const rlimit* limits_far_up() {
  void* const wanted = reinterpret_cast<void*>(0x3000'0000'0000);  // NOLINT(performance-no-int-to-ptr)
  void* const memory =
      ::mmap(wanted, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory != wanted) return nullptr;
  auto* const limits = static_cast<rlimit*>(memory);
  return ::getrlimit(RLIMIT_CORE, limits) == 0 ? limits : nullptr;
}

TEST_CASE("other processes, keys, namespaces and the kernel are out of reach") {
  if (skipped()) return;
  rlimit none{};
  REQUIRE(::getrlimit(RLIMIT_CORE, &none) == 0);
  const rlimit* const far_up = limits_far_up();
  REQUIRE(far_up != nullptr);
  const pid_t parent = ::getpid();
  check({
      {"ptrace", [] { return ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0; }, EPERM},
      {"reading memory", [&] { return ::process_vm_readv(parent, nullptr, 0, nullptr, 0, 0) == 0; }, EPERM},
      {"writing memory", [&] { return ::process_vm_writev(parent, nullptr, 0, nullptr, 0, 0) == 0; }, EPERM},
      {"limits of another", [&] { return ::prlimit(parent, RLIMIT_CORE, &none, nullptr) == 0; }, EPERM},
      {"limits of another, far up in memory",
       [&] { return ::prlimit(parent, RLIMIT_CORE, far_up, nullptr) == 0; }, EPERM},
      {"limits of another, read", [&] { return ::prlimit(parent, RLIMIT_CORE, nullptr, &none) == 0; }, 0},
      {"its own limits", [&] { return ::setrlimit(RLIMIT_CORE, &none) == 0; }, 0},
      {"shared memory",
       [] {
         const int memory = ::shmget(IPC_PRIVATE, 1, 0600);
         return memory >= 0 && ::shmctl(memory, IPC_RMID, nullptr) == 0;
       },
       EPERM},
      {"keys", [] { return ::syscall(SYS_keyctl, 0, -3, 0) >= 0; }, EPERM},
      // In a chroot, in a container and by kernel.unprivileged_userns_clone there are none.
      {"a user namespace", [] { return ::unshare(CLONE_NEWUSER) == 0; }, EPERM, false, true},
      {"a network namespace", [] { return ::unshare(CLONE_NEWNET | CLONE_FS) == 0; }, EPERM, true},
      {"a namespace by clone",
       [] { return ::syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, nullptr) >= 0; },
       EPERM, false, true},
      {"clone3", [] { return ::syscall(435, nullptr, 0) >= 0; }, ENOSYS},
      {"no namespace", [] { return ::unshare(CLONE_FS) == 0; }, 0},
      // Without a filter the folder is missing, before the right to mount is.
      {"mount", [] { return ::syscall(SYS_mount, "none", "/nonexistent/x", "tmpfs", 0, nullptr) == 0; },
       EPERM},
      {"bpf", [] { return ::syscall(SYS_bpf, 0, nullptr, 0) >= 0; }, EPERM, true},
      {"a handle in place of a path", [] { return ::syscall(SYS_open_by_handle_at, -1, nullptr, 0) >= 0; },
       EPERM, true},
  });
}

TEST_CASE("a process sets its own priority and processors, and no other's") {
  if (skipped()) return;
  const pid_t parent = ::getpid();
  const id_t other = static_cast<id_t>(parent);
  const int priority = ::getpriority(PRIO_PROCESS, 0);
  sched_param plain{};
  cpu_set_t processors;
  REQUIRE(::sched_getaffinity(0, sizeof processors, &processors) == 0);
  check({
      {"priority", [&] { return ::setpriority(PRIO_PROCESS, other, priority) == 0; }, EPERM},
      {"of a group", [&] { return ::setpriority(PRIO_PGRP, 0, priority) == 0; }, EPERM, true},
      {"of a user", [&] { return ::setpriority(PRIO_USER, 54321, priority) == 0; }, EPERM},
      {"its own", [&] { return ::setpriority(PRIO_PROCESS, 0, priority) == 0; }, 0},
      {"input and output", [&] { return ::syscall(SYS_ioprio_set, 1, parent, 0) == 0; }, EPERM},
      {"of a user's", [&] { return ::syscall(SYS_ioprio_set, 3, 54321, 0) == 0; }, EPERM},
      {"processors", [&] { return ::sched_setaffinity(parent, sizeof processors, &processors) == 0; }, EPERM},
      {"its own processors", [&] { return ::sched_setaffinity(0, sizeof processors, &processors) == 0; }, 0},
      {"parameters", [&] { return ::sched_setparam(parent, &plain) == 0; }, EPERM},
      {"attributes", [&] { return ::syscall(SYS_sched_setattr, parent, nullptr, 0) == 0; }, EPERM},
      // As clangd does for the threads that index.
      {"the idle class of a thread by its id",
       [&] {
         return ::sched_setscheduler(static_cast<pid_t>(::syscall(SYS_gettid)), SCHED_IDLE, &plain) == 0;
       },
       0},
  });
}

TEST_CASE("a process does not leave its group, and is not told so") {
  if (skipped()) return;
  const std::function<bool()> leaves = [] {
    const pid_t session = ::getsid(0), group = ::getpgrp();
    const bool said = ::setpgid(0, 0) == 0 && ::setsid() >= 0;
    errno = said ? 0 : ECHILD;
    return said && (::getsid(0) != session || ::getpgrp() != group);
  };
  const SystemCallFilter filter = SystemCallFilter::prepare(false);
  const std::function<bool()> stays = [&] { return !leaves() && errno == 0; };
  CHECK(confined_attempt(filter, stays) == 0);
  // As Python does with start_new_session, or Go with Setpgid, where an error is one of the start.
  CHECK(confined_attempt(filter, [] {
          ::execlp("setsid", "setsid", "true", nullptr);
          return false;
        }) == 0);
  // A leader of its group cannot make a session, so its child tries.
  const std::function<bool()> child_leaves = [] {
    const pid_t session = ::getsid(0);
    return ::setsid() >= 0 && ::getsid(0) != session;
  };
  CHECK(confined_attempt(Unconfined{}, child_leaves) == 0);
}

TEST_CASE("a terminal can be asked for its size, but not typed into") {
  if (skipped()) return;
  const Descriptor terminal(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  REQUIRE(terminal);
  const int number = terminal.get();
  winsize size{};
  const char key = 'x';
  int queued = 0;
  int discipline = 0;
  TemporaryFolder place;
  place.write("file", "mine");
  // No terminal: some of these would change the machine's.
  const Descriptor file(::open(place.path("file").c_str(), O_RDONLY | O_CLOEXEC));
  const auto takes_over = [&](unsigned long request) {
    return ::ioctl(file.get(), request, &discipline) == 0;
  };
  char settings[64];
  check({
      {"size", [&] { return ::ioctl(number, TIOCGWINSZ, &size) == 0; }, 0},
      {"queued", [&] { return ::ioctl(number, FIONREAD, &queued) == 0; }, 0},
      {"type", [&] { return ::ioctl(number, TIOCSTI, &key) == 0; }, EACCES},
      // The kernel ignores the upper half, and so must the filter.
      {"type, with an upper half",
       [&] { return ::syscall(SYS_ioctl, number, (1UL << 32) | TIOCSTI, &key) == 0; }, EACCES},
      {"paste", [&] { return ::ioctl(number, TIOCLINUX, &key) == 0; }, EACCES},
      {"another line discipline", [&] { return takes_over(TIOCSETD); }, EACCES},
      {"the terminal of its session", [&] { return takes_over(TIOCSCTTY); }, EACCES},
      {"the foreground", [&] { return takes_over(TIOCSPGRP); }, EACCES},
      {"the console", [&] { return takes_over(TIOCCONS); }, EACCES},
      // Numbers end alike, and what they do has nothing in common: TIOCGPTN, and TUNSETIFF.
      {"upper bits", [&] { return ::ioctl(number, 0x80045430UL, settings) == 0; }, ENOTTY},
      {"settings, as newer C libraries ask", [&] { return ::ioctl(number, 0x802C542AUL, settings) == 0; }, 0},
  });
}

#ifdef __x86_64__
// socket(AF_INET, SOCK_STREAM, 0) as a 32-bit program calls it.
long socket_by_interrupt() {
  long result = 359;
  asm volatile("int $0x80" : "+a"(result) : "b"(2L), "c"(1L), "d"(0L) : "memory");
  return result;
}
#endif

TEST_CASE("calls by other conventions and unknown ones do not exist") {
  if (skipped()) return;
  // The kernel does not know them either. So a filter below ours marks them with an error of its own, which
  // ours, as the later one, replaces.
  const auto mark = [] {
    sock_filter instructions[] = {
        {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
        {BPF_JMP | BPF_JGT | BPF_K, 0, 1, 469},
        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EXDEV},
        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
    };
    const sock_fprog program{.len = 4, .filter = instructions};
    return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0U, &program) == 0;
  };
  const SystemCallFilter filter = SystemCallFilter::prepare(false);
  const std::vector<Case> unknown{
      {"x32", [] { return ::syscall(0x40000000L | SYS_socket, AF_INET, SOCK_STREAM, 0) >= 0; }, ENOSYS},
      {"newer", [] { return ::syscall(470) >= 0; }, ENOSYS},
      {"absurd", [] { return ::syscall(-1L) >= 0; }, ENOSYS},
      {"known", [] { return ::syscall(SYS_getpid) > 0; }, 0},
  };
  compare(unknown, Prepared<SystemCallFilter>{mark, filter}, Prepared<Unconfined>{mark, {}});
#ifdef __x86_64__
  const auto by_interrupt = [] {
    const long result = socket_by_interrupt();
    errno = result < 0 ? static_cast<int>(-result) : 0;
    return result >= 0;
  };
  if (confined_attempt(Unconfined{}, by_interrupt) == 0) {
    check({{"32-bit", by_interrupt, ENOSYS}});
  } else {
    MESSAGE("not shown: this kernel runs no 32-bit calls");
  }
#endif
}

TEST_CASE("truncating by path is refused where Landlock does not see it") {
  if (skipped()) return;
  TemporaryFolder place;
  place.write("file", "mine");
  const std::string file = place.path("file");
  const auto opens = [&](int flags) { return ::open(file.c_str(), flags, 0600) >= 0; };
  check(
      {
          {"truncate", [&] { return ::truncate(file.c_str(), 0) == 0; }, EACCES},
          {"read and truncate", [&] { return opens(O_RDONLY | O_TRUNC); }, EACCES},
          {"truncate without reading or writing", [&] { return opens(3 | O_TRUNC); }, EACCES},
          {"openat2", [&] { return ::syscall(437, AT_FDCWD, file.c_str(), nullptr, 0) >= 0; }, ENOSYS},
          {"read", [&] { return opens(O_RDONLY); }, 0},
          {"append", [&] { return opens(O_WRONLY | O_APPEND); }, 0},
          // Opening for writing is what Landlock decides about.
          {"write and truncate", [&] { return opens(O_WRONLY | O_TRUNC | O_CREAT); }, 0},
      },
      true);
  check({{"truncate", [&] { return ::truncate(file.c_str(), 0) == 0; }, 0}});
}

TEST_CASE("a filtered process starts threads and programs, which are filtered too") {
  if (skipped()) return;
  check({
      {"thread",
       [] {
         bool made = true;
         std::thread([&made] { made = makes_socket(AF_INET, SOCK_STREAM); }).join();
         return !made;
       },
       0},
      {"program",
       [] {
         ::execl("/bin/sh", "sh", "-c", "! chmod 700 . 2>/dev/null", nullptr);
         return false;
       },
       0},
  });
}

}  // namespace
}  // namespace symbols::process
