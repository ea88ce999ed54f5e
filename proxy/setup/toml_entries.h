// The tables and keys of a TOML file and their positions, needed before another table is added.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace symbols::setup {

// Names from the root; a quoted one is the text between the quotes, with escapes unchanged.
using TomlPath = std::vector<std::string>;

// One `[table]`, `[[table]]` or `key = value` of a TOML file.
struct TomlEntry {
  enum class Kind { table, array_of_tables, value };
  Kind kind;
  TomlPath table;  // the table that contains the key, or the table itself
  TomlPath key;    // of a value, from the root
  std::size_t line;
};

// The entries of `text`, in order. Values are skipped by their strings and brackets only. Error, with the
// line: invalid TOML, as far as these go.
Result<std::vector<TomlEntry>> read_toml(std::string_view text);

}  // namespace symbols::setup
