#include "proxy/setup/config_conflicts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "proxy/setup/toml_entries.h"
#include "proxy/setup/yaml_lines.h"
#include "table/whitespace.h"

namespace symbols::setup {
namespace {

using Path = TomlPath;

bool is_prefix(const Path& of, const Path& path) {
  return of.size() <= path.size() && std::equal(of.begin(), of.end(), path.begin());
}

// The lines with content that are not indented.
std::vector<YamlLine> yaml_margin(std::string_view text) {
  std::vector<YamlLine> lines = yaml_lines(text);
  std::erase_if(lines, [](const YamlLine& line) { return line.text.front() == ' '; });
  return lines;
}

// The number of the first line with content, if it is indented; else 0.
std::size_t indented_start(std::string_view text) {
  for (const YamlLine& line : yaml_lines(text)) {
    if (!is_yaml_document_start(line.text)) return table::is_whitespace(line.text.front()) ? line.number : 0;
  }
  return 0;
}

}  // namespace

Result<void> check_toml_tables(std::string_view rest, std::string_view lines) {
  const Result<std::vector<TomlEntry>> there = read_toml(rest);
  if (!there) return there.error();
  const Result<std::vector<TomlEntry>> ours = read_toml(lines);
  if (!ours) return ours.error();
  for (const TomlEntry& table : *ours) {
    if (table.kind != TomlEntry::Kind::table) continue;
    for (const TomlEntry& entry : *there) {
      bool conflicts = false;
      switch (entry.kind) {
        case TomlEntry::Kind::table:
          conflicts = entry.table == table.table;
          break;
        case TomlEntry::Kind::array_of_tables:
          conflicts = is_prefix(entry.table, table.table);
          break;
        case TomlEntry::Kind::value:
          // Members of tables within ours do not matter: [ours.within] may come before [ours].
          conflicts = is_prefix(entry.key, table.table) ||
                      (is_prefix(table.table, entry.key) && !is_prefix(table.table, entry.table));
          break;
      }
      if (!conflicts) continue;
      return Error{fmt::format("line {}: {} is already set there", entry.line, fmt::join(table.table, ".")),
                   "remove that, or add the lines by hand"};
    }
  }
  return {};
}

Result<void> check_yaml_keys(std::string_view rest, std::string_view lines) {
  if (const std::size_t line = indented_start(rest); line != 0) {
    return Error{fmt::format("line {}: it is indented, so unindented keys would not belong to it", line),
                 "add the lines by hand, with the same indentation"};
  }
  bool any = false;
  for (const YamlLine& line : yaml_margin(rest)) {
    if (is_yaml_document_start(line.text) && !any) continue;
    const std::optional<std::string_view> key = yaml_key(line.text);
    const bool is_element = any && (line.text.starts_with("- ") || table::trim(line.text) == "-");
    // A value that does not begin with a key, or a key of several words.
    const bool is_odd = std::string_view("{[?%&*!|>").find(line.text.front()) != std::string_view::npos ||
                        line.text.starts_with("- ") || line.text.starts_with("---");
    if (!is_element && (!key || is_odd)) {
      return Error{fmt::format("line {}: it is not a key of a mapping", line.number),
                   "add the lines by hand"};
    }
    any = true;
    if (is_element) continue;
    for (const YamlLine& ours : yaml_margin(lines)) {
      if (yaml_key(ours.text) != key) continue;
      return Error{fmt::format("line {}: {} is already set there", line.number, *key),
                   "remove that, or add the lines by hand"};
    }
  }
  return {};
}

std::optional<LineSpan> empty_yaml_key(std::string_view text, std::string_view lines) {
  const std::vector<YamlLine> ours = yaml_margin(lines);
  for (const YamlLine& line : yaml_margin(text)) {
    const std::optional<std::string_view> key = yaml_key(line.text);
    if (!key || std::none_of(ours.begin(), ours.end(),
                             [&](const YamlLine& our) { return yaml_key(our.text) == key; })) {
      continue;
    }
    if (table::trim(line.text.substr(line.text.find(':') + 1)) != "{}") continue;
    const auto begin = static_cast<std::size_t>(line.text.data() - text.data());
    return LineSpan{begin, std::min(begin + line.text.size() + 1, text.size())};
  }
  return {};
}

}  // namespace symbols::setup
