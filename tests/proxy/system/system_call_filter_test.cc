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
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "base/descriptor.h"
#include "proxy/system/confinement.h"
#include "tests/proxy/system/confined_attempt.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::system {
namespace system_call_filter_test {

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

// A system call with these arguments, each a whole register.
long word(auto argument) {
  if constexpr (std::is_integral_v<decltype(argument)> || std::is_enum_v<decltype(argument)>) {
    return static_cast<long>(argument);
  } else {
    return reinterpret_cast<long>(static_cast<const void*>(argument));
  }
}
std::function<bool()> call(long number, auto... arguments) {
  return [=] { return ::syscall(number, word(arguments)...) >= 0; };
}
std::function<bool()> pair_of(int family, int type) {
  return [=] {
    int pair[2];
    return ::socketpair(family, type, 0, pair) == 0;
  };
}

TEST_CASE("no socket can be made but pairs that stay pairs, and none connected") {
  if (skipped()) return;
  int pair[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0);
  const Descriptor ours(pair[0]), inherited(pair[1]);
  const int number = inherited.get();
  check({
      {"TCP", call(SYS_socket, AF_INET, SOCK_STREAM, 0), EACCES},
      {"Unix", call(SYS_socket, AF_UNIX, SOCK_STREAM, 0), EACCES},
      {"netlink", call(SYS_socket, AF_NETLINK, SOCK_RAW, 0), EACCES},
      {"family with an upper half", call(SYS_socket, (1L << 32) | AF_INET, 1, 0), EACCES},
      {"a pair", pair_of(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC), 0},
      {"a pair of packets", pair_of(AF_UNIX, SOCK_SEQPACKET), 0},
      // Each of these can send to any other socket.
      {"a pair of datagrams", pair_of(AF_UNIX, SOCK_DGRAM), EACCES},
      {"the same by its older name", pair_of(AF_UNIX, SOCK_RAW), EACCES},
      {"a pair of another family", pair_of(AF_TIPC, SOCK_STREAM), EACCES},
      {"io_uring", call(425, 1, nullptr), EPERM},
      {"io_uring_enter", call(426, 0, 0, 0, 0, nullptr, 0), EPERM},
      {"another's descriptor", call(438, 0, 0, 0), EPERM},
      {"send on an inherited one", call(SYS_sendto, number, "x", 1, 0, nullptr, 0), 0},
      {"connect it", call(SYS_connect, number, nullptr, 0), EACCES},
      {"bind it", call(SYS_bind, number, nullptr, 0), EACCES},
      {"listen", call(SYS_listen, number, 1), EACCES},
      {"accept", call(SYS_accept, number, nullptr, nullptr), EACCES},
  });
}

TEST_CASE("files keep their mode, owner, times and attributes") {
  if (skipped()) return;
  TemporaryFolder place;
  const std::string file = place.write("file", "mine");
  const char* const path = file.c_str();
  const auto written = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  std::filesystem::last_write_time(file, written);
  const Descriptor open(::open(path, O_RDONLY | O_CLOEXEC));
  const int number = open.get();
  check({
      {"fchmod", call(SYS_fchmod, number, 0666), EPERM},
      {"fchmodat", call(SYS_fchmodat, AT_FDCWD, path, 0666), EPERM},
      {"fchmodat2", call(452, AT_FDCWD, path, 0666, 0), EPERM},
      {"fchown", call(SYS_fchown, number, ::getuid(), ::getgid()), EPERM},
      {"fchownat", call(SYS_fchownat, AT_FDCWD, path, ::getuid(), ::getgid(), 0), EPERM},
      {"utimensat", call(SYS_utimensat, AT_FDCWD, path, nullptr, 0), 0},
      {"setxattr", call(SYS_setxattr, path, "user.x", "x", 1, 0), EPERM},
      {"fremovexattr", call(SYS_fremovexattr, number, "user.x"), EPERM},
      {"a lease", call(SYS_fcntl, number, F_SETLEASE, F_RDLCK), EACCES},
      {"notifications of a folder", call(SYS_fcntl, number, F_NOTIFY, DN_MODIFY), EACCES},
      {"whom its events signal", call(SYS_fcntl, number, F_SETOWN, ::getppid()), EACCES},
      {"flags", call(SYS_fcntl, number, F_GETFL), 0},
      {"file_setattr", call(469, AT_FDCWD, path, nullptr, 0, 0), EPERM},
      {"chattr: an ioctl of file systems", call(SYS_ioctl, number, 0x40086602UL, nullptr), ENOTTY},
      {"read", [&] { return ::access(path, R_OK) == 0; }, 0},
#ifdef SYS_utimes
      {"utime", call(SYS_utime, path, nullptr), 0},
      {"utimes", call(SYS_utimes, path, nullptr), 0},
      {"chmod", call(SYS_chmod, path, 0666), EPERM},
      {"lchown", call(SYS_lchown, path, ::getuid(), ::getgid()), EPERM},
#endif
  });
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
  const rlimit* const far_up = limits_far_up();
  REQUIRE(far_up != nullptr);
  const rlimit own = *far_up;
  rlimit read{};
  const rlimit* const null = nullptr;
  const long parent = ::getpid();
  const int priority = ::getpriority(PRIO_PROCESS, 0);
  sched_param plain{};
  cpu_set_t processors;
  REQUIRE(::sched_getaffinity(0, sizeof processors, &processors) == 0);
  check({
      {"ptrace", call(SYS_ptrace, 0L, 0L, 0L, 0L), EPERM},
      {"reading memory", call(SYS_process_vm_readv, parent, nullptr, 0L, nullptr, 0L, 0L), EPERM},
      {"writing memory", call(SYS_process_vm_writev, parent, nullptr, 0L, nullptr, 0L, 0L), EPERM},
      {"limits of another", call(SYS_prlimit64, parent, RLIMIT_CORE, &own, null), EPERM},
      {"limits of another, far up in memory", call(SYS_prlimit64, parent, RLIMIT_CORE, far_up, null), EPERM},
      {"limits of another, read", call(SYS_prlimit64, parent, RLIMIT_CORE, null, &read), 0},
      {"its own limits", call(SYS_prlimit64, 0L, RLIMIT_CORE, far_up, null), 0},
      {"shared memory",
       [] {
         const int memory = ::shmget(IPC_PRIVATE, 1, 0600);
         return memory >= 0 && ::shmctl(memory, IPC_RMID, nullptr) == 0;
       },
       EPERM},
      {"keys", call(SYS_keyctl, 0, -3, 0), EPERM},
      // In a chroot, in a container and by kernel.unprivileged_userns_clone there are none.
      {"a user namespace", call(SYS_unshare, CLONE_NEWUSER), EPERM, false, true},
      {"a network namespace", call(SYS_unshare, CLONE_NEWNET | CLONE_FS), EPERM, true},
      {"a namespace by clone", call(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, nullptr),
       EPERM, false, true},
      {"clone3", call(435, nullptr, 0), ENOSYS},
      {"no namespace", call(SYS_unshare, CLONE_FS), 0},
      // Without a filter the folder is missing, before the right to mount is.
      {"mount", call(SYS_mount, "none", "/nonexistent/x", "tmpfs", 0, nullptr), EPERM},
      {"bpf", call(SYS_bpf, 0, nullptr, 0), EPERM, true},
      {"a handle in place of a path", call(SYS_open_by_handle_at, -1, nullptr, 0), EPERM, true},

      {"priority of another", call(SYS_setpriority, PRIO_PROCESS, parent, priority), EPERM},
      {"of a group", call(SYS_setpriority, PRIO_PGRP, 0, priority), EPERM, true},
      {"of a user", call(SYS_setpriority, PRIO_USER, 54321, priority), EPERM},
      {"its own", call(SYS_setpriority, PRIO_PROCESS, 0, priority), 0},
      {"input and output", call(SYS_ioprio_set, 1, parent, 0), EPERM},
      {"of a user's", call(SYS_ioprio_set, 3, 54321, 0), EPERM},
      {"processors", call(SYS_sched_setaffinity, parent, sizeof processors, &processors), EPERM},
      {"its own processors", call(SYS_sched_setaffinity, 0, sizeof processors, &processors), 0},
      {"parameters", call(SYS_sched_setparam, parent, &plain), EPERM},
      {"attributes", call(SYS_sched_setattr, parent, nullptr, 0), EPERM},
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
  const SystemCallFilter filter = SystemCallFilter::prepare(false);
  CHECK(confined_attempt(filter, [] {
          const pid_t session = ::getsid(0), group = ::getpgrp();
          const bool said = ::setpgid(0, 0) == 0 && ::setsid() >= 0;
          errno = ECHILD;
          return said && ::getsid(0) == session && ::getpgrp() == group;
        }) == 0);
  // As Python does with start_new_session, or Go with Setpgid, where an error is one of the start.
  CHECK(confined_attempt(filter, [] {
          ::execlp("setsid", "setsid", "true", nullptr);
          return false;
        }) == 0);
  // A leader of its group cannot make a session, so its child tries.
  CHECK(confined_attempt(Unconfined{}, [] {
          const pid_t session = ::getsid(0);
          return ::setsid() >= 0 && ::getsid(0) != session;
        }) == 0);
}

TEST_CASE("a terminal can be asked for its size, but not typed into") {
  if (skipped()) return;
  const Descriptor terminal(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  REQUIRE(terminal);
  const int number = terminal.get();
  TemporaryFolder place;
  // No terminal: some of these would change the machine's.
  const Descriptor file(::open(place.write("file", "mine").c_str(), O_RDONLY | O_CLOEXEC));
  char result[64] = "x";
  check({
      {"size", call(SYS_ioctl, number, TIOCGWINSZ, result), 0},
      {"queued", call(SYS_ioctl, number, FIONREAD, result), 0},
      {"type", call(SYS_ioctl, number, TIOCSTI, result), EACCES},
      // The kernel ignores the upper half, and so must the filter.
      {"type, with an upper half", call(SYS_ioctl, number, (1UL << 32) | TIOCSTI, result), EACCES},
      {"paste", call(SYS_ioctl, number, TIOCLINUX, result), EACCES},
      {"another line discipline", call(SYS_ioctl, file.get(), TIOCSETD, result), EACCES},
      {"the terminal of its session", call(SYS_ioctl, file.get(), TIOCSCTTY, result), EACCES},
      {"the foreground", call(SYS_ioctl, file.get(), TIOCSPGRP, result), EACCES},
      {"the console", call(SYS_ioctl, file.get(), TIOCCONS, result), EACCES},
      // Numbers end alike, and what they do has nothing in common: TIOCGPTN, and TUNSETIFF.
      {"upper bits", call(SYS_ioctl, number, 0x80045430UL, result), ENOTTY},
      {"settings, as newer C libraries ask", call(SYS_ioctl, number, 0x802C542AUL, result), 0},
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
      {"x32", call(0x40000000L | SYS_socket, AF_INET, SOCK_STREAM, 0), ENOSYS},
      {"newer", call(470), ENOSYS},
      {"absurd", call(-1L), ENOSYS},
      {"known", call(SYS_getpid), 0},
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
  const std::string file = place.write("file", "mine");
  const char* const path = file.c_str();
  const auto opening = [&](int flags) { return call(SYS_openat, AT_FDCWD, path, flags, 0600); };
  check(
      {
          {"truncate", call(SYS_truncate, path, 0L), EACCES},
          {"read and truncate", opening(O_RDONLY | O_TRUNC), EACCES},
          {"truncate without reading or writing", opening(3 | O_TRUNC), EACCES},
          {"openat2", call(437, AT_FDCWD, path, nullptr, 0), ENOSYS},
          {"read", opening(O_RDONLY), 0},
          {"append", opening(O_WRONLY | O_APPEND), 0},
          // Opening for writing is what Landlock decides about.
          {"write and truncate", opening(O_WRONLY | O_TRUNC | O_CREAT), 0},
      },
      true);
  check({{"truncate", call(SYS_truncate, path, 0L), 0}});
}

TEST_CASE("a filtered process starts threads and programs, which are filtered too") {
  if (skipped()) return;
  check({
      {"thread",
       [] {
         bool made = true;
         std::thread([&made] { made = call(SYS_socket, AF_INET, SOCK_STREAM, 0)(); }).join();
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

}  // namespace system_call_filter_test
}  // namespace symbols::system
