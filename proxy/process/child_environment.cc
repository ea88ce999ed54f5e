#include "proxy/process/child_environment.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>

namespace symbols::process {

std::vector<std::string> changed_environment(const std::vector<std::string>& changes) {
  const auto changed = [&](std::string_view variable) {
    const std::string_view name = variable.substr(0, variable.find('=') + 1);
    return std::any_of(changes.begin(), changes.end(),
                       [&](const std::string& change) { return change.starts_with(name); });
  };
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!changed(*variable)) variables.emplace_back(*variable);
  }
  variables.insert(variables.end(), changes.begin(), changes.end());
  return variables;
}

}  // namespace symbols::process
