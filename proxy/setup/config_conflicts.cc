#include "proxy/setup/config_conflicts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "proxy/setup/toml_entries.h"

namespace symbols::setup {
namespace {

using Path = TomlPath;

bool is_prefix(const Path& of, const Path& path) {
  return of.size() <= path.size() && std::equal(of.begin(), of.end(), path.begin());
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r"), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

// The key at the start of a line of YAML's outermost mapping; none for any other line.
std::optional<std::string_view> yaml_key(std::string_view line) {
  std::size_t colon = line.find(": ");
  if (colon == line.npos && trimmed(line).ends_with(':')) colon = trimmed(line).size() - 1;
  if (colon == line.npos || colon == 0) return {};
  std::string_view key = trimmed(line.substr(0, colon));
  if (key.size() > 1 && (key.front() == '"' || key.front() == '\'') && key.back() == key.front()) {
    key = key.substr(1, key.size() - 2);
  }
  return key;
}

// `---` alone, without content after it.
bool is_document_start(std::string_view line) {
  if (!line.starts_with("---")) return false;
  line.remove_prefix(3);
  const std::string_view behind = trimmed(line);
  return behind.empty() || (behind.front() == '#' && line.front() != '#');
}

struct YamlLine {
  std::string_view text;
  std::size_t number;
};

// The unindented lines that are not comments.
std::vector<YamlLine> yaml_margin(std::string_view text) {
  std::vector<YamlLine> lines;
  std::size_t number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (!trimmed(line).empty() && line.front() != ' ' && line.front() != '#') lines.push_back({line, number});
    at = end + 1;
  }
  return lines;
}

// The number of the first line with content, if it is indented; else 0.
std::size_t indented_start(std::string_view text) {
  std::size_t number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const std::string_view said = trimmed(line);
    if (!said.empty() && said.front() != '#' && !is_document_start(line))
      return line.front() == ' ' || line.front() == '\t' ? number : 0;
    at = end + 1;
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
    if (is_document_start(line.text) && !any) continue;
    const std::optional<std::string_view> key = yaml_key(line.text);
    const bool is_element = any && (line.text.starts_with("- ") || trimmed(line.text) == "-");
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
    if (trimmed(line.text.substr(line.text.find(':') + 1)) != "{}") continue;
    const auto begin = static_cast<std::size_t>(line.text.data() - text.data());
    return LineSpan{begin, std::min(begin + line.text.size() + 1, text.size())};
  }
  return {};
}

}  // namespace symbols::setup
