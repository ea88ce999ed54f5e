#include "proxy/setup/toml_entries.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace symbols::setup {
namespace {

// Reads tables and keys of TOML; values are skipped.
class TomlReader {
 public:
  explicit TomlReader(std::string_view text) : text_(text) {}

  Result<std::vector<TomlEntry>> read() {
    std::vector<TomlEntry> entries;
    TomlPath table;
    std::size_t line = 1;
    for (std::size_t counted = 0;;) {
      skip(" \t\r\n");
      if (peek() == '#') {
        skip_comment();
        continue;
      }
      if (at_ == text_.size()) return {boost::system::in_place_value, std::move(entries)};
      line += static_cast<std::size_t>(std::ranges::count(text_.substr(counted, at_ - counted), '\n'));
      counted = at_;
      if (take("[")) {
        const bool is_array = peek() == '[';
        if (is_array) ++at_;
        std::optional<TomlPath> path = read_key();
        if (!path || !take(is_array ? "]]" : "]") || !at_line_end()) return fault(line, "no table's name");
        table = std::move(*path);
        entries.push_back(
            {is_array ? TomlEntry::Kind::array_of_tables : TomlEntry::Kind::table, table, {}, line});
        continue;
      }
      const std::optional<TomlPath> key = read_key();
      if (!key || !take("=")) return fault(line, "neither a table nor a key with a value");
      if (!skip_value()) return fault(line, "a value that does not end");
      TomlPath whole = table;
      whole.insert(whole.end(), key->begin(), key->end());
      entries.push_back({TomlEntry::Kind::value, table, std::move(whole), line});
    }
  }

 private:
  char peek() const { return at_ == text_.size() ? '\0' : text_[at_]; }
  void skip(std::string_view characters) {
    at_ = std::min(text_.find_first_not_of(characters, at_), text_.size());
  }
  void skip_blanks() { skip(" \t"); }
  void skip_comment() { at_ = std::min(text_.find('\n', at_), text_.size()); }
  bool take(std::string_view word) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  bool at_line_end() {
    skip_blanks();
    return at_ == text_.size() || peek() == '\n' || peek() == '\r' || peek() == '#';
  }
  static Error fault(std::size_t line, std::string_view what) {
    return {fmt::format("line {}: {}, so this is not TOML", line, what), "correct it there"};
  }

  // Skips a string of any of the four kinds, which starts here; false if it does not end.
  bool skip_string() {
    const char quote = peek();
    const bool is_long = text_.substr(at_).starts_with(std::string(3, quote));
    const std::string end(is_long ? 3 : 1, quote);
    for (at_ += end.size(); at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\' && quote == '"') {
        ++at_;
      } else if (text_.substr(at_).starts_with(end)) {
        at_ += end.size();
        // Up to two quotes may precede the closing three.
        for (int i = 0; is_long && i < 2 && peek() == quote; ++i) ++at_;
        return true;
      } else if (text_[at_] == '\n' && !is_long) {
        return false;
      }
    }
    return false;
  }

  // `a."b c".d`; a quoted name is the text between the quotes, with escapes unchanged.
  std::optional<TomlPath> read_key() {
    TomlPath path;
    for (;;) {
      skip_blanks();
      const std::size_t start = at_;
      if (peek() == '"' || peek() == '\'') {
        if (!skip_string()) return {};
        path.emplace_back(text_.substr(start + 1, at_ - start - 2));
      } else {
        at_ = std::min(text_.find_first_of(" \t\r\n.=[]{}\"'#,", at_), text_.size());
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
        ++at_;
      }
    }
    return any && depth == 0;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

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

}  // namespace

Result<std::vector<TomlEntry>> read_toml(std::string_view text) {
  return TomlReader(text).read();
}

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

}  // namespace symbols::setup
