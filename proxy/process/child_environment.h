// What a child process finds in its environment.
#pragma once

#include <string>
#include <vector>

namespace symbols::process {

// Our own environment with `changes` (NAME=VALUE) put over it.
std::vector<std::string> changed_environment(const std::vector<std::string>& changes);

}  // namespace symbols::process
