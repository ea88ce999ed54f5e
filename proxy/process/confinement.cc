#include "proxy/process/confinement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <utility>

#ifdef __linux__
#include <linux/capability.h>
#include <sys/prctl.h>
#endif

namespace symbols::process {
namespace {

#ifdef __linux__
// Takes root's powers from the program that is run next, but for that of reading every file; without effect
// for anybody else, who has none. Root may read any process's environment, whatever Landlock says.
void give_up_capabilities() {
  for (unsigned long capability = 0; ::prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; ++capability) {
    if (capability != CAP_DAC_OVERRIDE && capability != CAP_DAC_READ_SEARCH)
      ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  }
}
#endif

}  // namespace

bool kernel_confines_writes() {
  return landlock_version() > 0;
}

std::vector<std::string> missing_for_confinement() {
  std::vector<std::string> missing;
  if (landlock_version() == 0) missing.emplace_back("Landlock (Linux 5.13)");
  if (!kernel_filters_system_calls()) missing.emplace_back("seccomp filters on x86-64 or AArch64");
  return missing;
}

std::optional<Error> confinement_error() {
  const std::vector<std::string> missing = missing_for_confinement();
  if (missing.empty()) return std::nullopt;
  return Error{fmt::format("cannot confine servers: this system lacks {}", fmt::join(missing, " and ")),
               "leave --confine out; what then holds is in docs/servers.md"};
}

Result<Confinement> Confinement::prepare(const std::vector<std::string>& writable_folders) {
  Result<LandlockRules> rules = LandlockRules::prepare(writable_folders);
  if (!rules) return rules.error();
  std::optional<SystemCallFilter> filter;
  if (kernel_filters_system_calls()) {
    filter = SystemCallFilter::prepare({.refuses_truncation = landlock_version() < landlock_with_truncation});
  }
  return {boost::system::in_place_value, Confinement(std::move(*rules), std::move(filter))};
}

int Confinement::apply() const {
#ifdef __linux__
  give_up_capabilities();
  // The kernel requires it: a program with a set-user-ID bit must not regain what is taken away here.
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
#endif
  if (const int error = rules_.apply(); error != 0) return error;
  return filter_ ? filter_->apply() : 0;
}

}  // namespace symbols::process
