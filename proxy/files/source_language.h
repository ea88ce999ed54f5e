// The languages of sources as far as the index and the search for mentions tell them apart, and what a source
// in C or C++ includes, read without running the preprocessor.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace symbols::files {

enum class Language { c_header, c_source, script, python, other };  // `script`: of JavaScript's kin

// By the end of the path.
Language language_of(std::string_view path);

// The names in the #include and #import lines of a C or C++ text, sorted, each after its opening mark:
// `"a.h`,
// `<b.h`. Also of lines in comments or in branches that are not compiled; none that a macro makes, and none
// in a line that a comment or a backslash divides.
std::vector<std::string> include_names(std::string_view text);

}  // namespace symbols::files
