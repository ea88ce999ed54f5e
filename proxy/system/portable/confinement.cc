#include "proxy/system/confinement.h"

#include <cerrno>

namespace symbols::system {

int landlock_version() {
  return 0;
}

bool kernel_filters_system_calls() {
  return false;
}

std::optional<Error> confinement_error() {
  return Error{"cannot confine servers: this program has no means for it on this system",
               "leave --confine out, or the setting confine (config.json, SYMBOLS_CONFINE)"};
}

Result<Confinement> Confinement::prepare(const std::vector<std::string>&) {
  return *confinement_error();
}

int Confinement::apply() const {
  return ENOTSUP;
}

}  // namespace symbols::system
