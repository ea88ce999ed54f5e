// Cuts texts of hovers to a number of Unicode scalar values (docs/spec.md, section 3).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace symbols::table {

// `text` (valid UTF-8) with at most `max_characters` Unicode scalar values. A longer one is cut to
// `max_characters` - 1 and `…`. 0 means no limit.
std::string cut_text(std::string_view text, std::size_t max_characters);

// `signature` with at most `max_characters`: parameters are left out from the end, so that the result stays
// (`f(a: A, …): R`). If what is around the list is too long, so is what is before the name: `… f(a: A): R`.
// If the type parameters of an alias take half of that, they go first: `type X<…> = …`.
// If that is too long as well, without a list of parameters, or with nothing after it: as `cut_text` does.
std::string cut_signature(std::string_view signature, std::size_t max_characters);

}  // namespace symbols::table
