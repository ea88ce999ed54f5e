// Which tables and keys a TOML file has, and where: what must be known before another table is added to it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace symbols::setup {

// Names from the root; of one in quotes what stands between them, escapes as they are.
using TomlPath = std::vector<std::string>;

// One `[table]`, `[[table]]` or `key = value` of a TOML file.
struct TomlEntry {
  enum class Kind { table, array_of_tables, value };
  Kind kind;
  TomlPath table;  // the one it stands in, or is
  TomlPath key;    // of a value, from the root
  std::size_t line;
};

// Those of `text`, in order. Values are skipped by their strings and brackets alone. Error, with the line:
// this is no TOML as far as these go.
Result<std::vector<TomlEntry>> read_toml(std::string_view text);

}  // namespace symbols::setup
