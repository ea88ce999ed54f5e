// The tables and keys of a TOML file, and whether our tables may be appended to it. A second table or key of
// the same name would make the program refuse the file, or ignore one of the two.
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

// Checks whether `lines` (only tables, `[a.b]`, with members) can be appended to `rest`. Error, with the line
// in `rest`: the table or a part of it exists, or `rest` is not TOML as far as strings and brackets go.
Result<void> check_toml_tables(std::string_view rest, std::string_view lines);

}  // namespace symbols::setup
