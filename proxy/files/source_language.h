// The languages of sources as far as the index and the search for mentions tell them apart.
#pragma once

#include <string_view>

namespace symbols::files {

enum class Language { c_header, c_source, script, python, other };  // `script`: of JavaScript's kin

// By the end of the path.
Language language_of(std::string_view path);

}  // namespace symbols::files
