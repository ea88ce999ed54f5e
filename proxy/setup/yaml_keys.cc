#include "proxy/setup/yaml_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "base/ascii.h"
#include "base/split.h"
#include "proxy/setup/settings_layout.h"

namespace symbols::setup {
namespace {

// A line that is neither blank nor a comment.
struct YamlLine {
  std::string_view text;  // without the newline
  std::size_t number;     // from 1
  LineSpan span;          // in the file, with the newline

  // The number of spaces before the content.
  std::size_t indent() const { return std::min(text.find_first_not_of(' '), text.size()); }
};
using Lines = std::span<const YamlLine>;

std::vector<YamlLine> yaml_lines(std::string_view text) {
  std::vector<YamlLine> lines;
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    const std::string_view said = trim(line);
    if (said.empty() || said.front() == '#') continue;
    const auto begin = static_cast<std::size_t>(line.data() - text.data());
    lines.push_back({line, number, {begin, std::min(begin + line.size() + 1, text.size())}});
  }
  return lines;
}

// The colon that ends the key of a line, or npos.
std::size_t key_end(std::string_view line) {
  const std::size_t colon = line.find(": ");
  if (colon != line.npos) return colon;
  const std::string_view said = trim(line);
  if (!said.ends_with(':')) return line.npos;
  return static_cast<std::size_t>(said.data() - line.data()) + said.size() - 1;
}

// The key at the start of a line, without its quotes; none for any other line.
std::optional<std::string_view> yaml_key(std::string_view line) {
  const std::size_t colon = key_end(line);
  if (colon == line.npos || colon == 0) return {};
  std::string_view key = trim(line.substr(0, colon));
  if (key.size() > 1 && (key.front() == '"' || key.front() == '\'') && key.back() == key.front()) {
    key = key.substr(1, key.size() - 2);
  }
  return key;
}

// What follows the key's colon on its line, without surrounding blanks and comment.
std::string_view yaml_value(std::string_view line) {
  const std::size_t colon = key_end(line);
  if (colon == line.npos) return {};
  std::string_view value = trim(line.substr(colon + 1));
  if (value.starts_with('#')) return {};
  return trim(value.substr(0, value.find(" #")));
}

// Whether it begins an element of a list, which may stand as far left as the key of the list.
bool is_yaml_element(const YamlLine& line) {
  const std::string_view said = line.text.substr(line.indent());
  return said.starts_with("- ") || trim(said) == "-";
}

// `---` alone, without content after it.
bool is_yaml_document_start(std::string_view line) {
  if (!line.starts_with("---")) return false;
  line.remove_prefix(3);
  const std::string_view behind = trim(line);
  return behind.empty() || (behind.front() == '#' && line.front() != '#');
}

// The lines with content that are not indented.
std::vector<YamlLine> yaml_margin(std::string_view text) {
  std::vector<YamlLine> lines = yaml_lines(text);
  std::erase_if(lines, [](const YamlLine& line) { return line.text.front() == ' '; });
  return lines;
}

// Whether `line` gives a key that is among those of `lines`, and which.
std::optional<std::string_view> key_among(const YamlLine& line, Lines lines) {
  const std::optional<std::string_view> key = yaml_key(line.text);
  const bool is_there =
      std::ranges::any_of(lines, [&](const YamlLine& other) { return yaml_key(other.text) == key; });
  return is_there ? key : std::nullopt;
}

// One key of a block mapping, and the lines of its value.
struct YamlEntry {
  Lines lines;  // the first has the key
  std::string_view key;

  Lines value() const { return lines.subspan(1); }
  bool is_mapping() const { return lines.size() > 1 && yaml_value(lines.front().text).empty(); }
};

// The entries of a mapping that has these lines; none if it is something else.
std::optional<std::vector<YamlEntry>> entries_of(Lines lines) {
  std::vector<YamlEntry> entries;
  while (!lines.empty()) {
    const std::size_t indent = lines.front().indent();
    const std::optional<std::string_view> key = yaml_key(lines.front().text);
    if (!key || is_yaml_element(lines.front()) ||
        (!entries.empty() && indent != entries[0].lines[0].indent()))
      return {};
    std::size_t count = 1;
    while (count < lines.size() && (lines[count].indent() > indent ||
                                    (lines[count].indent() == indent && is_yaml_element(lines[count]))))
      ++count;
    entries.push_back({lines.first(count), *key});
    lines = lines.subspan(count);
  }
  return {std::move(entries)};
}

// Collects the edits of a file, which come in any order, and applies them.
class YamlMerge {
 public:
  // A carriage return alone ends no line here: yaml_lines does not see one either.
  explicit YamlMerge(std::string_view users)
      : users_(users), line_end_(line_end(users) == "\r\n" ? "\r\n" : "\n") {}

  // `there` is the mapping of the user's that `ours` goes into, with at least one line; `at` is where other
  // keys of ours are inserted.
  Result<void> mapping(Lines there, Lines ours, std::size_t at) {
    const std::optional<std::vector<YamlEntry>> entries = entries_of(there);
    if (!entries) return by_hand(there.front(), "it does not begin a mapping with a key on each line");
    const std::size_t indent = there.front().indent();
    const std::optional<std::vector<YamlEntry>> our_entries = entries_of(ours);
    for (const YamlEntry& our : *our_entries) {
      const auto found = std::ranges::find(*entries, our.key, &YamlEntry::key);
      if (found == entries->end()) {
        edits_.push_back({{at, at}, indented(our.lines, indent)});
        continue;
      }
      const YamlLine& line = found->lines.front();
      const std::string_view value = yaml_value(line.text);
      const bool is_empty = found->lines.size() == 1 && (value.empty() || value == "{}");
      // The lines of `key: |` may look like comments, which are not among these.
      const bool is_text = value.starts_with('|') || value.starts_with('>');
      const bool is_merged = our.is_mapping() && !is_empty;
      if (is_text || (is_merged && !found->is_mapping()))
        return by_hand(line, fmt::format("the value of {} is not in the expected form", our.key));
      if (!is_merged) {
        replace(found->lines, our.lines, indent);
      } else if (Result<void> merged = mapping(found->value(), our.value(), line.span.end); !merged) {
        return merged;
      }
    }
    return {};
  }

  std::string text() {
    std::ranges::stable_sort(edits_, {}, [](const Edit& edit) { return edit.span.begin; });
    std::string out;
    std::size_t copied = 0;
    for (const Edit& edit : edits_) {
      out += users_.substr(copied, edit.span.begin - copied);
      if (!out.empty() && out.back() != '\n') out += line_end_;
      out += edit.text;
      copied = edit.span.end;
    }
    return out += users_.substr(copied);
  }

 private:
  struct Edit {
    LineSpan span;  // what `text` takes the place of
    std::string text;
  };

  static Error by_hand(const YamlLine& line, std::string_view what) {
    return {fmt::format("line {}: {}", line.number, what), "add the lines by hand"};
  }

  std::string indented(Lines ours, std::size_t indent) const {
    std::string text;
    for (const YamlLine& line : ours) {
      text.append(indent + line.indent() - ours.front().indent(), ' ');
      text += line.text.substr(line.indent());
      text += line_end_;
    }
    return text;
  }

  void replace(Lines there, Lines ours, std::size_t indent) {
    const auto trimmed = [](const YamlLine& line) { return trim(line.text); };
    if (std::ranges::equal(there, ours, {}, trimmed, trimmed)) return;
    edits_.push_back({{there.front().span.begin, there.back().span.end}, indented(ours, indent)});
  }

  std::string_view users_;
  std::string_view line_end_;
  std::vector<Edit> edits_;
};

}  // namespace

Result<void> check_yaml_keys(std::string_view rest, std::string_view lines) {
  const std::vector<YamlLine> ours = yaml_margin(lines);
  bool any = false;
  for (const YamlLine& line : yaml_lines(rest)) {
    if (!any && is_yaml_document_start(line.text)) continue;
    if (!any && is_whitespace(line.text.front())) {
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
    if (key_among(line, ours) && trim(line.text.substr(line.text.find(':') + 1)) == "{}") return line.span;
  }
  return {};
}

Result<std::string> with_yaml_members(std::string_view users, std::string_view shipped) {
  if (const Result<void> is_mapping = check_yaml_keys(users, ""); !is_mapping) return is_mapping.error();
  std::vector<YamlLine> there = yaml_lines(users);
  std::erase_if(there, [](const YamlLine& line) { return is_yaml_document_start(line.text); });
  if (there.empty()) {
    std::string text(users);
    if (!text.empty() && text.back() != '\n') text += '\n';
    return {boost::system::in_place_value, text + std::string(shipped)};
  }
  YamlMerge merge(users);
  const std::vector<YamlLine> ours = yaml_lines(shipped);
  if (const Result<void> merged = merge.mapping(there, ours, users.size()); !merged) return merged.error();
  return {boost::system::in_place_value, merge.text()};
}

}  // namespace symbols::setup
