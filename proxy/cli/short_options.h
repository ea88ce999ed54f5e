// The letters of the common options: an option has the same one in every command that has it.
#pragma once

#include <string>
#include <string_view>

namespace symbols::cli {

// The names of `option`, "--format", as CLI11 takes them: "-f,--format"; `option` itself if it has no letter.
std::string with_letter(std::string_view option);

}  // namespace symbols::cli
