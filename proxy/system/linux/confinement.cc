#include "proxy/system/confinement.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>

#include "base/filesystem.h"
#include "table/escape.h"

// Known to kernels newer than the build's headers (Debian 12: 6.1); the running kernel is asked for its
// version. The rest of linux/landlock.h that they lack is in RulesetAttributes.
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif
#ifndef LANDLOCK_ACCESS_FS_IOCTL_DEV
#define LANDLOCK_ACCESS_FS_IOCTL_DEV (1ULL << 15)
#endif

namespace symbols::system {
namespace {

// struct landlock_ruleset_attr of Linux 6.12. A kernel that knows less of it accepts it if the rest is zero.
struct RulesetAttributes {
  std::uint64_t handled_access_fs = 0;
  std::uint64_t handled_access_net = 0;
  std::uint64_t scoped = 0;
};
constexpr int version_with_tcp = 4;
constexpr std::uint64_t bind_tcp = 1U << 0;
constexpr std::uint64_t connect_tcp = 1U << 1;
constexpr std::uint64_t abstract_unix_sockets = 1U << 0;
constexpr std::uint64_t signals = 1U << 1;

// Devices that servers may read: sources of bytes, and memory shared by name. The others include terminals,
// whose reader takes the keys that the user types, keyboards and disks.
constexpr const char* readable_devices[] = {"/dev/null",   "/dev/zero",    "/dev/full",
                                            "/dev/random", "/dev/urandom", "/dev/shm"};

// Reading files, and all accesses that change something, as far as this kernel knows them.
std::uint64_t handled_accesses(int version) {
  std::uint64_t accesses =
      LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
      LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
      LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
      LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
  // Renaming or linking across folders. The first version refuses that even within the writable folders.
  if (version >= 2) accesses |= LANDLOCK_ACCESS_FS_REFER;
  // Without it truncate() and O_RDONLY|O_TRUNC could still empty a file.
  if (version >= landlock_with_truncation) accesses |= LANDLOCK_ACCESS_FS_TRUNCATE;
  // An ioctl could type a key into the user's terminal.
  if (version >= 5) accesses |= LANDLOCK_ACCESS_FS_IOCTL_DEV;
  return accesses;
}

// Allows `accesses` at `path` and below. Returns 0, or errno.
int allow(const Descriptor& ruleset, const char* path, std::uint64_t accesses) {
  const Descriptor place(::open(path, O_PATH | O_CLOEXEC));
  if (!place) return errno;
  landlock_path_beneath_attr rule{};
  rule.allowed_access = accesses;
  rule.parent_fd = place.get();
  return ::syscall(SYS_landlock_add_rule, ruleset.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0U) == 0 ? 0
                                                                                                     : errno;
}

// Allows reading all files but devices. A rule covers a whole tree, so each folder beside /dev gets one.
// Returns an error if the root folder cannot be listed.
std::error_code allow_reading(const Descriptor& ruleset) {
  std::error_code failure;
  for (fs::directory_iterator entry("/", failure), end; !failure && entry != end; entry.increment(failure)) {
    if (entry->path() != "/dev") (void)allow(ruleset, entry->path().c_str(), LANDLOCK_ACCESS_FS_READ_FILE);
  }
  for (const char* device : readable_devices) (void)allow(ruleset, device, LANDLOCK_ACCESS_FS_READ_FILE);
  return failure;
}

Result<Descriptor> landlock_rules(const std::vector<std::string>& writable_folders) {
  const auto failed = [](const std::string& what, int error) {
    return Error{fmt::format("{}: {}", what, std::strerror(error)),
                 "pass --no-confine, and leave --confine out, to start it without the kernel's limits"};
  };
  const int version = landlock_version();
  if (version < 1) return failed("cannot confine what it writes", errno);
  const std::uint64_t handled = handled_accesses(version);
  RulesetAttributes attributes{.handled_access_fs = handled};
  // No rule allows any, so all are refused.
  if (version >= version_with_tcp) attributes.handled_access_net = bind_tcp | connect_tcp;
  if (version >= landlock_with_signals) attributes.scoped = abstract_unix_sockets | signals;
  Descriptor ruleset(  // closed on exec
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0U)));
  if (!ruleset) return failed("cannot confine what it writes", errno);

  if (const std::error_code error = allow_reading(ruleset))
    return failed("cannot let it read files", error.value());
  // Root could make the disk's device in a writable folder, and write to that.
  const std::uint64_t devices =
      LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_IOCTL_DEV;
  for (const std::string& folder : writable_folders) {
    if (const int error = allow(ruleset, folder.c_str(), handled & ~devices))
      return failed(fmt::format("cannot let it write to {}", table::quoted(folder)), error);
  }
  for (const char* device : {"/dev/null", "/dev/zero", "/dev/full"}) {
    // A server does without /dev where a container has none. A regular file there must not become writable.
    struct stat status {};
    if (::stat(device, &status) != 0 || !S_ISCHR(status.st_mode)) continue;
    const std::uint64_t writing = handled & (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE);
    (void)allow(ruleset, device, writing);
  }
  return ruleset;
}

// Takes all capabilities but that of reading every file from the calling thread and from what it runs, for
// which PR_SET_NO_NEW_PRIVS has to be set: then a program that root runs gets no more than these. Landlock
// does not stand in for it: root may read any process's environment. Returns 0, or errno.
int give_up_capabilities() {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {};
  if (::syscall(SYS_capget, &header, sets) != 0) return errno;
  const std::uint32_t reading = sets[0].permitted & (1U << CAP_DAC_READ_SEARCH);
  sets[0] = {.effective = reading, .permitted = reading, .inheritable = 0};
  sets[1] = {};
  // Those that are neither permitted nor inheritable are not ambient either.
  return ::syscall(SYS_capset, &header, sets) == 0 ? 0 : errno;
}

}  // namespace

int landlock_version() {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, std::size_t{0}, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? static_cast<int>(version) : 0;
}

std::optional<Error> confinement_error() {
  std::vector<std::string_view> missing;
  if (!kernel_confines_writes()) missing.emplace_back("Landlock (Linux 5.13)");
  if (!kernel_filters_system_calls()) missing.emplace_back("seccomp filters on x86-64 or AArch64");
  if (missing.empty()) return std::nullopt;
  return Error{fmt::format("cannot confine servers: this system lacks {}", fmt::join(missing, " and ")),
               "leave --confine out, or the setting confine (config.json, SYMBOLS_CONFINE)"};
}

Result<Confinement> Confinement::prepare(const std::vector<std::string>& writable_folders) {
  Result<Descriptor> ruleset = landlock_rules(writable_folders);
  if (!ruleset) return ruleset.error();
  std::optional<SystemCallFilter> filter;
  if (kernel_filters_system_calls())
    filter = SystemCallFilter::prepare(landlock_version() < landlock_with_truncation);
  return {boost::system::in_place_value, Confinement(std::move(*ruleset), std::move(filter))};
}

int Confinement::apply() const {
  // The kernel requires it: a program with a set-user-ID bit must not regain what is taken away here.
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  if (const int error = give_up_capabilities(); error != 0) return error;
  if (::syscall(SYS_landlock_restrict_self, ruleset_.get(), 0U) != 0) return errno;
  return filter_ ? filter_->apply() : 0;
}

}  // namespace symbols::system
