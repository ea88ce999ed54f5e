#include <cerrno>

#include "proxy/system/confinement.h"

#if defined(__x86_64__) || defined(__aarch64__)
#define SYMBOLS_SECCOMP
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>
#endif

namespace symbols::system {

#ifdef SYMBOLS_SECCOMP
namespace {

#ifdef __x86_64__
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#endif

// Calls that the build's headers may lack are given by number: from 424 on all architectures number alike.
constexpr std::uint32_t clone3 = 435;
constexpr std::uint32_t openat2 = 437;
constexpr std::uint32_t last_known = 469;  // of Linux 6.17

constexpr std::uint32_t new_namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                         CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | 0x80;  // NEWTIME
constexpr std::uint32_t socket_type_mask = 0xF;  // without SOCK_CLOEXEC and SOCK_NONBLOCK

// With a socket these make a connection, or take one. A server gets no socket but pairs, yet its standard
// error may be one that its client gave it, and a datagram socket of a pair can be connected anew.
constexpr std::uint32_t network_calls[] = {SYS_socket, SYS_connect, SYS_bind,
                                           SYS_listen, SYS_accept,  SYS_accept4};

constexpr std::uint32_t time_calls[] = {
#ifdef SYS_utime
    SYS_utime, SYS_utimes, SYS_futimesat,
#endif
    SYS_utimensat};

constexpr std::uint32_t other_calls[] = {
// Attributes of files. These and time_calls need no descriptor open for writing, so Landlock misses them.
#ifdef SYS_chmod  // the older ones, which newer architectures do without
    SYS_chmod, SYS_chown, SYS_lchown,
#endif
    SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr,
    SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, 452 /* fchmodat2 */, 463 /* setxattrat */,
    466 /* removexattrat */, 469 /* file_setattr */,
    // io_uring (setup, enter, register) does by itself what is refused here.
    425, 426, 427,
    // Other processes: a second line, as Landlock refuses tracing those outside.
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, 438 /* pidfd_getfd */, SYS_kcmp,
    440 /* process_madvise */, SYS_move_pages, SYS_migrate_pages, SYS_perf_event_open,
    // Memory, semaphores and queues that processes of this user find by number or name.
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_semget, SYS_semop, SYS_semtimedop, SYS_semctl, SYS_msgget,
    SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_mq_open, SYS_mq_unlink,
    // The user's keys.
    SYS_add_key, SYS_request_key, SYS_keyctl,
    // The view of the file system, which Landlock's rules are about. A handle opens a file without its path.
    // By number: open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr, open_tree_attr.
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, 428, 429, 430, 431, 432, 433, 442, 467, SYS_setns,
    SYS_open_by_handle_at,
    // Code in the kernel.
    SYS_bpf, SYS_userfaultfd, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load,
    SYS_kexec_file_load,
    // What root could do to the machine.
    SYS_reboot, SYS_swapon, SYS_swapoff, SYS_acct, SYS_quotactl, 443 /* quotactl_fd */, SYS_syslog,
    SYS_sethostname, SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime,
    SYS_vhangup,
#ifdef SYS_iopl
    SYS_iopl, SYS_ioperm,
#endif
    SYS_fanotify_init};

// Builds the filter from rules. Each leaves the call's number loaded for the next one.
class Program {
 public:
  using Rules = std::vector<sock_filter>;

  void refuse(std::uint32_t call, int error) { judge(call, {refused(error)}); }

  // Rules about the arguments of one call: what is loaded is not the number, so they end with a verdict.
  // argument() is the lower half, and the whole of an `int` or `unsigned`, whose upper half the kernel
  // ignores. Of a pointer there is an upper half too.
  void judge(std::uint32_t call, const Rules& rules) {
    filter_.push_back(skip_unless_equal(call, static_cast<std::uint8_t>(rules.size())));
    filter_.insert(filter_.end(), rules.begin(), rules.end());
  }

  static sock_filter argument(std::size_t index) { return load(offsetof(seccomp_data, args) + 8 * index); }
  static sock_filter upper_half(std::size_t index) {  // both processors are little-endian
    return load(offsetof(seccomp_data, args) + 8 * index + 4);
  }
  static sock_filter mask(std::uint32_t bits) { return statement(BPF_ALU | BPF_AND | BPF_K, bits); }
  static sock_filter refused(int error) {
    return statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error));
  }
  static sock_filter allowed() { return statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW); }
  // Skip that many instructions.
  static sock_filter skip_if_equal(std::uint32_t value, std::uint8_t count) {
    return {BPF_JMP | BPF_JEQ | BPF_K, count, 0, value};
  }
  static sock_filter skip_unless_equal(std::uint32_t value, std::uint8_t count) {
    return {BPF_JMP | BPF_JEQ | BPF_K, 0, count, value};
  }
  static sock_filter skip_unless_any(std::uint32_t bits, std::uint8_t count) {
    return {BPF_JMP | BPF_JSET | BPF_K, 0, count, bits};
  }
  // Appends: where what is loaded is one of `values`, `verdict`.
  static void for_each_of(std::initializer_list<std::uint32_t> values, sock_filter verdict, Rules& rules) {
    for (const std::uint32_t value : values) {
      rules.push_back(skip_unless_equal(value, 1));
      rules.push_back(verdict);
    }
  }

  // The bytes of the whole.
  std::string finished() {
    filter_.push_back(allowed());
    return {reinterpret_cast<const char*>(filter_.data()), filter_.size() * sizeof(sock_filter)};
  }

 private:
  static sock_filter statement(int code, std::uint32_t value) {
    return {static_cast<std::uint16_t>(code), 0, 0, value};
  }
  static sock_filter load(std::size_t offset) {
    return statement(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
  }

  Rules filter_ = {
      load(offsetof(seccomp_data, arch)),
      skip_if_equal(architecture, 1),  // a 32-bit call (int 0x80) has other numbers
      refused(ENOSYS),
      load(offsetof(seccomp_data, nr)),
      {BPF_JMP | BPF_JGT | BPF_K, 0, 1, last_known},  // x32's numbers are larger still
      refused(ENOSYS),
  };
};

// The calls of which only some are refused.
void judge_arguments(Program& program) {
  using P = Program;
  // Pairs, which Node.js and Python use between their processes: only of those that stay a pair. One datagram
  // socket can be sent or connected to any other by its address.
  program.judge(SYS_socketpair, {P::argument(0), P::skip_unless_equal(AF_UNIX, 4), P::argument(1),
                                 P::mask(socket_type_mask), P::skip_if_equal(SOCK_STREAM, 2),
                                 P::skip_if_equal(SOCK_SEQPACKET, 1), P::refused(EACCES), P::allowed()});
  // Of terminals and of descriptors all but what serves to type into a terminal or to take it over; nothing
  // of file systems, where some change attributes, or make a subvolume, by a descriptor that is only open for
  // reading. Numbers with upper bits belong to others (0x400454ca to network devices), but for those that
  // newer C libraries ask in isatty() and tcsetattr(): TCGETS2, TCSETS2, TCSETSW2 and TCSETSF2, which
  // asm/termbits.h names, which does not go with termios.h.
  P::Rules ioctls{P::argument(1)};
  P::for_each_of({0x802C542A, 0x402C542B, 0x402C542C, 0x402C542D}, P::allowed(), ioctls);
  P::for_each_of({TIOCSTI, TIOCLINUX, TIOCSETD, TIOCSCTTY, TIOCSPGRP, TIOCCONS}, P::refused(EACCES), ioctls);
  ioctls.insert(ioctls.end(),
                {P::mask(0xFFFFFF00), P::skip_if_equal(0x5400, 1), P::refused(ENOTTY), P::allowed()});
  program.judge(SYS_ioctl, ioctls);
  // A lease delays writers of the file, by 45 s by default. F_SETOWN names the process that a descriptor's
  // events signal.
  P::Rules fcntls{P::argument(1)};
  P::for_each_of({F_SETLEASE, F_NOTIFY, F_SETOWN, F_SETOWN_EX}, P::refused(EACCES), fcntls);
  fcntls.push_back(P::allowed());
  program.judge(SYS_fcntl, fcntls);
  for (const std::uint32_t call : {std::uint32_t{SYS_clone}, std::uint32_t{SYS_unshare}})
    program.judge(call,
                  {P::argument(0), P::skip_unless_any(new_namespaces, 1), P::refused(EPERM), P::allowed()});
  // A limit of no processor time at all ends a process as a signal would. It is asked for by id, 0 for
  // oneself; with null for the new limit it is only read.
  program.judge(SYS_prlimit64,
                {P::argument(0), P::skip_if_equal(0, 5), P::argument(2), P::skip_unless_equal(0, 2),
                 P::upper_half(2), P::skip_if_equal(0, 1), P::refused(EPERM), P::allowed()});
  // Priorities and processors: only the calling thread's. sched_setscheduler is not among them: clangd's
  // threads ask by their own id for the idle class, and a filter does not know whose an id is.
  for (const std::uint32_t call : {std::uint32_t{SYS_sched_setparam}, std::uint32_t{SYS_sched_setattr},
                                   std::uint32_t{SYS_sched_setaffinity}})
    program.judge(call, {P::argument(0), P::skip_if_equal(0, 1), P::refused(EPERM), P::allowed()});
  // The first argument says whether it is for one process, a group or all of a user.
  for (const auto& [call, one_process] :
       {std::pair{std::uint32_t{SYS_setpriority}, std::uint32_t{PRIO_PROCESS}},
        std::pair{std::uint32_t{SYS_ioprio_set}, std::uint32_t{1}}}) {
    program.judge(call, {P::argument(0), P::skip_unless_equal(one_process, 2), P::argument(1),
                         P::skip_if_equal(0, 1), P::refused(EPERM), P::allowed()});
  }
}

// open() with `flags` among its arguments: truncating without opening for writing. There is a fourth mode of
// access besides reading, writing and both, which gives neither and truncates.
void judge_opening(Program& program, std::uint32_t call, std::size_t flags) {
  using P = Program;
  constexpr std::uint32_t access = 3;  // O_ACCMODE, which musl has more bits in
  program.judge(call, {P::argument(flags), P::mask(access | O_TRUNC), P::skip_if_equal(O_TRUNC, 1),
                       P::skip_unless_equal(access | O_TRUNC, 1), P::refused(EACCES), P::allowed()});
}

}  // namespace

bool kernel_filters_system_calls() {
  std::uint32_t action = SECCOMP_RET_ERRNO;
  return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0U, &action) == 0;
}

SystemCallFilter SystemCallFilter::prepare(bool refuses_truncation) {
  Program program;
  judge_arguments(program);
  // Its process group is what a server is ended with, with all that it has started. Not an error: Go, Rust
  // and Python then do not start a program at all.
  program.refuse(SYS_setsid, 0);
  program.refuse(SYS_setpgid, 0);
  // Its flags are in memory, where a filter cannot see them. C libraries then use clone.
  program.refuse(clone3, ENOSYS);
  if (refuses_truncation) {
    program.refuse(openat2, ENOSYS);
    program.refuse(SYS_truncate, EACCES);
    judge_opening(program, SYS_openat, 2);
#ifdef SYS_open
    judge_opening(program, SYS_open, 1);
#endif
  }
  for (const std::uint32_t call : network_calls) program.refuse(call, EACCES);
  // Not an error: pylsp's parser marks its cache's files as used, and gives up the document if it cannot.
  for (const std::uint32_t call : time_calls) program.refuse(call, 0);
  for (const std::uint32_t call : other_calls) program.refuse(call, EPERM);
  SystemCallFilter filter;
  filter.instructions_ = program.finished();
  return filter;
}

int SystemCallFilter::apply() const {
  sock_fprog program{};
  program.len = static_cast<unsigned short>(instructions_.size() / sizeof(sock_filter));
  // A string's bytes are as aligned as memory from operator new.
  program.filter = reinterpret_cast<sock_filter*>(const_cast<char*>(instructions_.data()));
  // Without the flag kernels before 5.16 slow the process, against an attack by code in the same process.
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) == 0
             ? 0
             : errno;
}

#else

bool kernel_filters_system_calls() {
  return false;
}
SystemCallFilter SystemCallFilter::prepare(bool) {
  return {};
}
int SystemCallFilter::apply() const {
  return ENOSYS;
}

#endif

}  // namespace symbols::system
