// Reads the #include names of a C or C++ source without running the preprocessor.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace symbols::files {

// The names in the #include and #import lines of a C or C++ text, sorted, each after its opening mark:
// `"a.h`,
// `<b.h`. Also of lines in comments or in branches that are not compiled; none that a macro makes, and none
// in a line that a comment or a backslash divides.
std::vector<std::string> include_names(std::string_view text);

}  // namespace symbols::files
