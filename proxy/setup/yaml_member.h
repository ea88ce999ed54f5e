// Sets members within a mapping of a user's YAML file, such as an entry of Goose's `extensions`.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace symbols::setup {

// `users` with the members of `shipped`, which is a block mapping with two spaces per level and single-line
// values. A mapping that both have is merged member by member; a value of the user's under the same key is
// replaced, and everything else stays: other keys, order, comments, indentation, line ends. Merging again
// does not change the result. Error, with the line: the file, or a value on the way, is not a block mapping.
Result<std::string> with_yaml_members(std::string_view users, std::string_view shipped);

}  // namespace symbols::setup
