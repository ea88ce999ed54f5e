// Our keys in a user's YAML file: new ones of its outermost mapping, or members within a mapping, such as an
// entry of Goose's `extensions`. A second key of the same name would make the program refuse the file, or
// ignore one of the two.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace symbols::setup {

// Checks whether `lines`, a block mapping, can be appended to `rest`. Error, with the line in `rest`: one of
// its keys exists, or `rest` is not a block mapping with each key at the start of a line.
Result<void> check_yaml_keys(std::string_view rest, std::string_view lines);

// The line of `text` that gives a key of `lines` an empty mapping, `key: {}`, and is to be replaced by them:
// byte offsets of its start and of the next line's. None if there is no such line.
struct LineSpan {
  std::size_t begin;
  std::size_t end;
};
std::optional<LineSpan> empty_yaml_key(std::string_view text, std::string_view lines);

// `users` with the members of `shipped`, which is a block mapping with two spaces per level and single-line
// values. A mapping that both have is merged member by member; a value of the user's under the same key is
// replaced, and everything else stays: other keys, order, comments, indentation, line ends. Merging again
// does not change the result. Error, with the line: the file, or a value on the way, is not a block mapping.
Result<std::string> with_yaml_members(std::string_view users, std::string_view shipped);

}  // namespace symbols::setup
