#include "proxy/setup/yaml_member.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "proxy/setup/config_conflicts.h"
#include "proxy/setup/settings_layout.h"
#include "proxy/setup/yaml_lines.h"
#include "table/whitespace.h"

namespace symbols::setup {
namespace {

using Lines = std::span<const YamlLine>;

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
      const auto found =
          std::ranges::find_if(*entries, [&](const YamlEntry& entry) { return entry.key == our.key; });
      if (found == entries->end()) {
        edits_.push_back({at, at, indented(our.lines, indent)});
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
      } else if (Result<void> merged = mapping(found->value(), our.value(), end_of(line)); !merged) {
        return merged;
      }
    }
    return {};
  }

  std::string text() {
    std::ranges::stable_sort(edits_, {}, &Edit::begin);
    std::string out;
    std::size_t copied = 0;
    for (const Edit& edit : edits_) {
      out += users_.substr(copied, edit.begin - copied);
      if (!out.empty() && out.back() != '\n') out += line_end_;
      out += edit.text;
      copied = edit.end;
    }
    return out += users_.substr(copied);
  }

 private:
  struct Edit {
    std::size_t begin;
    std::size_t end;
    std::string text;
  };

  static Error by_hand(const YamlLine& line, std::string_view what) {
    return {fmt::format("line {}: {}", line.number, what), "add the lines by hand"};
  }

  std::size_t begin_of(const YamlLine& line) const {
    return static_cast<std::size_t>(line.text.data() - users_.data());
  }

  // Behind the line's newline.
  std::size_t end_of(const YamlLine& line) const {
    return std::min(begin_of(line) + line.text.size() + 1, users_.size());
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
    const bool is_same = std::ranges::equal(there, ours, [](const YamlLine& a, const YamlLine& b) {
      return table::trim(a.text) == table::trim(b.text);
    });
    if (!is_same) edits_.push_back({begin_of(there.front()), end_of(there.back()), indented(ours, indent)});
  }

  std::string_view users_;
  std::string_view line_end_;
  std::vector<Edit> edits_;
};

}  // namespace

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
