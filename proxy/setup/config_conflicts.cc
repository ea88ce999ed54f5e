#include "proxy/setup/config_conflicts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "proxy/setup/toml_entries.h"
#include "proxy/setup/yaml_lines.h"
#include "table/whitespace.h"

namespace symbols::setup {
namespace {

bool is_prefix(const TomlPath& of, const TomlPath& path) {
  return of.size() <= path.size() && std::equal(of.begin(), of.end(), path.begin());
}

// Whether a file with `entry` cannot have `table`, too.
bool conflicts(const TomlEntry& entry, const TomlPath& table) {
  if (entry.kind == TomlEntry::Kind::table) return entry.table == table;
  if (entry.kind == TomlEntry::Kind::array_of_tables) return is_prefix(entry.table, table);
  // Members of tables within ours do not matter: [ours.within] may come before [ours].
  return is_prefix(entry.key, table) || (is_prefix(table, entry.key) && !is_prefix(table, entry.table));
}

// The lines with content that are not indented.
std::vector<YamlLine> yaml_margin(std::string_view text) {
  std::vector<YamlLine> lines = yaml_lines(text);
  std::erase_if(lines, [](const YamlLine& line) { return line.text.front() == ' '; });
  return lines;
}

// Whether `line` gives a key that is among those of `lines`, and which.
std::optional<std::string_view> key_among(const YamlLine& line, const std::vector<YamlLine>& lines) {
  const std::optional<std::string_view> key = yaml_key(line.text);
  const bool is_there =
      std::ranges::any_of(lines, [&](const YamlLine& other) { return yaml_key(other.text) == key; });
  return is_there ? key : std::nullopt;
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
      if (!conflicts(entry, table.table)) continue;
      return Error{fmt::format("line {}: {} is already set there", entry.line, fmt::join(table.table, ".")),
                   "remove that, or add the lines by hand"};
    }
  }
  return {};
}

Result<void> check_yaml_keys(std::string_view rest, std::string_view lines) {
  const std::vector<YamlLine> ours = yaml_margin(lines);
  bool any = false;
  for (const YamlLine& line : yaml_lines(rest)) {
    if (!any && is_yaml_document_start(line.text)) continue;
    if (!any && table::is_whitespace(line.text.front())) {
      return Error{
          fmt::format("line {}: it is indented, so unindented keys would not belong to it", line.number),
          "add the lines by hand, with the same indentation"};
    }
    if (line.text.front() == ' ' || (any && is_yaml_element(line))) continue;
    any = true;
    // A value that does not begin with a key, or a key of several words.
    if (!yaml_key(line.text) || is_yaml_element(line) || line.text.starts_with("---") ||
        std::string_view("{[?%&*!|>").find(line.text.front()) != std::string_view::npos) {
      return Error{fmt::format("line {}: it is not a key of a mapping", line.number),
                   "add the lines by hand"};
    }
    if (const std::optional<std::string_view> key = key_among(line, ours)) {
      return Error{fmt::format("line {}: {} is already set there", line.number, *key),
                   "remove that, or add the lines by hand"};
    }
  }
  return {};
}

std::optional<LineSpan> empty_yaml_key(std::string_view text, std::string_view lines) {
  const std::vector<YamlLine> ours = yaml_margin(lines);
  for (const YamlLine& line : yaml_margin(text)) {
    if (!key_among(line, ours) || table::trim(line.text.substr(line.text.find(':') + 1)) != "{}") continue;
    const auto begin = static_cast<std::size_t>(line.text.data() - text.data());
    return LineSpan{begin, std::min(begin + line.text.size() + 1, text.size())};
  }
  return {};
}

}  // namespace symbols::setup
