// Whether our lines may be appended to an existing TOML or YAML file. A second table or key of the same name
// would make the program refuse the file, or ignore one of the two.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace symbols::setup {

// Checks whether `lines` (TOML; only tables, `[a.b]`, with members) can be appended to `rest`. Error, with
// the line in `rest`: the table or a part of it exists, or `rest` is not TOML as far as strings and brackets
// go.
Result<void> check_toml_tables(std::string_view rest, std::string_view lines);

// The same for YAML and the keys of its outermost mapping. It is also an error if `rest` is not a block
// mapping with each key at the start of a line.
Result<void> check_yaml_keys(std::string_view rest, std::string_view lines);

// The line of `text` that gives a key of `lines` an empty mapping, `key: {}`, and is to be replaced by them:
// byte offsets of its start and of the next line's. None if there is no such line.
struct LineSpan {
  std::size_t begin;
  std::size_t end;
};
std::optional<LineSpan> empty_yaml_key(std::string_view text, std::string_view lines);

}  // namespace symbols::setup
