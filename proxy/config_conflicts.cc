#include "proxy/config_conflicts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace symbols::proxy {
namespace {

using Path = std::vector<std::string>;

bool is_prefix(const Path& of, const Path& path) {
  return of.size() <= path.size() && std::equal(of.begin(), of.end(), path.begin());
}

// One `[table]`, `[[table]]` or `key = value` of a TOML file.
struct TomlEntry {
  enum class Kind { table, array_of_tables, value };
  Kind kind;
  Path table;  // the one it stands in, or is
  Path key;    // of a value, from the root
  std::size_t line;
};

// Reads what of TOML tells where tables and keys are; values are skipped.
class TomlReader {
 public:
  explicit TomlReader(std::string_view text) : text_(text) {}

  Result<std::vector<TomlEntry>> read() {
    std::vector<TomlEntry> entries;
    Path table;
    for (;;) {
      skip_between();
      if (at_ == text_.size()) return {boost::system::in_place_value, std::move(entries)};
      const std::size_t line = line_;
      if (peek() == '[') {
        ++at_;
        const bool is_array = peek() == '[';
        if (is_array) ++at_;
        std::optional<Path> path = read_key();
        if (!path || !take(is_array ? "]]" : "]") || !at_line_end()) return fault(line, "no table's name");
        table = std::move(*path);
        entries.push_back(
            {is_array ? TomlEntry::Kind::array_of_tables : TomlEntry::Kind::table, table, {}, line});
        continue;
      }
      const std::optional<Path> key = read_key();
      if (!key || !take("=")) return fault(line, "neither a table nor a key with a value");
      if (!skip_value()) return fault(line, "a value that does not end");
      Path whole = table;
      whole.insert(whole.end(), key->begin(), key->end());
      entries.push_back({TomlEntry::Kind::value, table, std::move(whole), line});
    }
  }

 private:
  char peek() const { return at_ == text_.size() ? '\0' : text_[at_]; }
  void next() {
    if (text_[at_] == '\n') ++line_;
    ++at_;
  }
  bool take(std::string_view word) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t') ++at_;
  }
  void skip_comment() { at_ = std::min(text_.find('\n', at_), text_.size()); }
  void skip_between() {
    while (at_ != text_.size()) {
      if (peek() == '#') {
        skip_comment();
      } else if (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n') {
        next();
      } else {
        return;
      }
    }
  }
  bool at_line_end() {
    skip_blanks();
    return at_ == text_.size() || peek() == '\n' || peek() == '\r' || peek() == '#';
  }
  static Error fault(std::size_t line, std::string_view what) {
    return {fmt::format("line {}: {}, so this is no TOML", line, what), "correct it there"};
  }

  // Past a string of any of the four kinds, which starts here.
  bool skip_string() {
    const char quote = peek();
    const std::string three(3, quote);
    const bool is_long = text_.substr(at_).starts_with(three);
    for (std::size_t i = 0; i < (is_long ? 3U : 1U); ++i) ++at_;
    while (at_ != text_.size()) {
      if (quote == '"' && peek() == '\\') {
        next();
        if (at_ != text_.size()) next();
      } else if (is_long && text_.substr(at_).starts_with(three)) {
        at_ += 3;
        // Up to two quotes may stand before the closing three.
        for (int i = 0; i < 2 && peek() == quote; ++i) ++at_;
        return true;
      } else if (!is_long && peek() == quote) {
        ++at_;
        return true;
      } else if (!is_long && peek() == '\n') {
        return false;
      } else {
        next();
      }
    }
    return false;
  }

  // `a."b c".d`; a name in quotes counts as what stands between them, escapes as they are.
  std::optional<Path> read_key() {
    Path path;
    for (;;) {
      skip_blanks();
      const std::size_t start = at_;
      if (peek() == '"' || peek() == '\'') {
        if (!skip_string()) return {};
        path.emplace_back(text_.substr(start + 1, at_ - start - 2));
      } else {
        while (at_ != text_.size() &&
               std::string_view(" \t\r\n.=[]{}\"'#,").find(peek()) == std::string_view::npos)
          ++at_;
        if (at_ == start) return {};
        path.emplace_back(text_.substr(start, at_ - start));
      }
      skip_blanks();
      if (peek() != '.') return path;
      ++at_;
    }
  }

  bool skip_value() {
    std::size_t depth = 0;
    bool any = false;
    while (at_ != text_.size()) {
      const char c = peek();
      if (c == '"' || c == '\'') {
        if (!skip_string()) return false;
        any = true;
      } else if (c == '#') {
        skip_comment();
      } else if (c == '\n' && depth == 0) {
        return any;
      } else {
        if (c == '[' || c == '{') ++depth;
        if (c == ']' || c == '}') {
          if (depth == 0) return false;
          --depth;
        }
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n') any = true;
        next();
      }
    }
    return any && depth == 0;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r"), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

// The key that a line of YAML's outermost mapping begins with; none for any other line.
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

// `---`, and not one with something of the document behind it.
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

// The lines that start at the margin and are no comment.
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

// The number of the first line that says something, if it is indented; else 0.
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
  const Result<std::vector<TomlEntry>> there = TomlReader(rest).read();
  if (!there) return there.error();
  const Result<std::vector<TomlEntry>> ours = TomlReader(lines).read();
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
          // Members of tables within ours are no matter: [ours.within] may stand before [ours].
          conflicts = is_prefix(entry.key, table.table) ||
                      (is_prefix(table.table, entry.key) && !is_prefix(table.table, entry.table));
          break;
      }
      if (!conflicts) continue;
      return Error{fmt::format("line {}: {} is set there already", entry.line, fmt::join(table.table, ".")),
                   "take that out, or put the lines in by hand"};
    }
  }
  return {};
}

Result<void> check_yaml_keys(std::string_view rest, std::string_view lines) {
  if (const std::size_t line = indented_start(rest); line != 0) {
    return Error{
        fmt::format("line {}: it begins with blanks, so keys at the margin would not belong to it", line),
        "put the lines in by hand, with the same blanks before them"};
  }
  bool any = false;
  for (const YamlLine& line : yaml_margin(rest)) {
    if (is_document_start(line.text) && !any) continue;
    const std::optional<std::string_view> key = yaml_key(line.text);
    const bool is_element = any && (line.text.starts_with("- ") || trimmed(line.text) == "-");
    // Other ways to begin a value than with a key, or a key of more than a word.
    const bool is_odd = std::string_view("{[?%&*!|>").find(line.text.front()) != std::string_view::npos ||
                        line.text.starts_with("- ") || line.text.starts_with("---");
    if (!is_element && (!key || is_odd)) {
      return Error{fmt::format("line {}: no key of a mapping stands there", line.number),
                   "put the lines in by hand"};
    }
    any = true;
    if (is_element) continue;
    for (const YamlLine& ours : yaml_margin(lines)) {
      if (yaml_key(ours.text) != key) continue;
      return Error{fmt::format("line {}: {} is set there already", line.number, *key),
                   "take that out, or put the lines in by hand"};
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

}  // namespace symbols::proxy
