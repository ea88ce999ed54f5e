// The limits that the kernel sets to a server process. A server obeys the project's settings, and some of
// these name files to write: clangd accepts any compile flag, even `-serialize-diagnostics
// ~/.ssh/authorized_keys`. Others name code to run. A list of such settings is never complete, so the kernel
// refuses what they do: it keeps the server from writing (landlock_rules.h), and from the network and other
// processes (system_call_filter.h). A server run as root keeps one of root's capabilities: reading every
// file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "proxy/process/landlock_rules.h"
#include "proxy/process/system_call_filter.h"

namespace symbols::process {

// Whether this kernel can keep a server from writing. A project that is not trusted is not confined without
// that; without the rest it is.
bool kernel_confines_writes();

// The error for a complete confinement that was asked for by name, with what this kernel lacks for it; none
// if it lacks nothing.
std::optional<Error> confinement_error();

// Prepared by the parent, applied by the child.
class Confinement {
 public:
  // As much as this kernel can, and at least LandlockRules::prepare(), whose errors it gives.
  static Result<Confinement> prepare(const std::vector<std::string>& writable_folders);

  // Confines the calling thread and what it starts, for good. Returns 0, or errno. May be called between fork
  // and exec.
  int apply() const;

 private:
  Confinement(LandlockRules rules, std::optional<SystemCallFilter> filter)
      : rules_(std::move(rules)), filter_(std::move(filter)) {}
  LandlockRules rules_;
  std::optional<SystemCallFilter> filter_;
};

}  // namespace symbols::process
