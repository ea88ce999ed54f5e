#include "proxy/process/confinement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <utility>

namespace symbols::process {
namespace {

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

bool kernel_confines_writes() {
  return landlock_version() > 0;
}

std::optional<Error> confinement_error() {
  std::vector<std::string_view> missing;
  if (landlock_version() == 0) missing.emplace_back("Landlock (Linux 5.13)");
  if (!kernel_filters_system_calls()) missing.emplace_back("seccomp filters on x86-64 or AArch64");
  if (missing.empty()) return std::nullopt;
  return Error{fmt::format("cannot confine servers: this system lacks {}", fmt::join(missing, " and ")),
               "leave --confine out, or the setting confine (config.json, SYMBOLS_CONFINE)"};
}

Result<Confinement> Confinement::prepare(const std::vector<std::string>& writable_folders) {
  Result<LandlockRules> rules = LandlockRules::prepare(writable_folders);
  if (!rules) return rules.error();
  std::optional<SystemCallFilter> filter;
  if (kernel_filters_system_calls()) {
    filter = SystemCallFilter::prepare(landlock_version() < landlock_with_truncation);
  }
  return {boost::system::in_place_value, Confinement(std::move(*rules), std::move(filter))};
}

int Confinement::apply() const {
  // The kernel requires it: a program with a set-user-ID bit must not regain what is taken away here.
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  if (const int error = give_up_capabilities(); error != 0) return error;
  if (const int error = rules_.apply(); error != 0) return error;
  return filter_ ? filter_->apply() : 0;
}

}  // namespace symbols::process
