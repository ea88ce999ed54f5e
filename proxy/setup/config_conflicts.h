// Whether lines of ours may stand behind what a TOML or YAML file has already: a table or key of the same
// name there would make it a file that its program refuses, or one of the two go unread.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace symbols::setup {

// Looks whether `lines` (TOML; tables alone, `[a.b]`, with members) can be put behind `rest`. Error, with the
// line in `rest`: the table or a part of it is there, or `rest` is no TOML as far as strings and brackets go.
Result<void> check_toml_tables(std::string_view rest, std::string_view lines);

// The same for YAML and the keys of its outermost mapping. Error also: `rest` is not such a mapping in the
// form with a key at each line's start.
Result<void> check_yaml_keys(std::string_view rest, std::string_view lines);

// The line of `text` that gives a key of `lines` an empty mapping, `key: {}`, which is where they belong
// then: byte offsets of its start and of the next line's. None where there is no such line.
struct LineSpan {
  std::size_t begin;
  std::size_t end;
};
std::optional<LineSpan> empty_yaml_key(std::string_view text, std::string_view lines);

}  // namespace symbols::setup
