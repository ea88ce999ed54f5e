// The file of a symbol of which only the name is known: `symbols context NAME`.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace symbols::index {

struct NamedFiles {
  std::vector<std::string> files;   // usable from the current folder, each once, the best first
  std::vector<std::string> places;  // `FILE:LINE  Kind name in container`, one for each symbol of that name
  std::size_t changed_files = 0;    // that were not searched, for they have changed since they were indexed
};

// Files with a symbol called `name` (a last component, or `A::b`) by the index of the project around `start`,
// a folder. If types have the name, theirs; else those of symbols at top level, if there are any. Empty: none
// has it. Errors: there is no index, or it cannot be read.
Result<NamedFiles> files_with_symbol(const std::string& name, const std::string& start);

}  // namespace symbols::index
