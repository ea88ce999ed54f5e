#include "table/field_text.h"

#include <cstddef>

#include "table/append_number.h"

namespace symbols::table {
namespace {

bool is_abbreviation(std::string_view before_the_dot) {
  return before_the_dot.ends_with("e.g") || before_the_dot.ends_with("i.e");
}

}  // namespace

std::string lines_text(const lsp::Range& range) {
  std::string text;
  append_number(text, std::uint64_t{range.start.line} + 1);
  if (range.end.line != range.start.line) {
    text += '-';
    append_number(text, std::uint64_t{range.end.line} + 1);
  }
  return text;
}

std::string_view first_sentence(std::string_view prose) {
  for (std::size_t blank = prose.find(' '); blank != std::string_view::npos;
       blank = prose.find(' ', blank + 1)) {
    const std::string_view before = prose.substr(0, blank);
    const std::string_view after = prose.substr(blank + 1);
    if (after.starts_with('@')) return before;
    const std::size_t mark = before.find_last_not_of(")\"'");
    if (mark == std::string_view::npos) continue;
    const std::string_view marked = before.substr(0, mark + 1);
    const bool ends = marked.ends_with('!') || marked.ends_with('?') ||
                      (marked.ends_with('.') && !is_abbreviation(before.substr(0, mark)));
    const bool goes_on = !after.empty() && after[0] >= 'a' && after[0] <= 'z';
    if (ends && !goes_on) return before;
  }
  return prose;
}

std::vector<std::uint32_t> child_counts(const lsp::SymbolTree& tree) {
  std::vector<std::uint32_t> counts(tree.symbols.size(), 0);
  for (std::size_t row = 0; row < counts.size(); ++row) {
    const auto parent = static_cast<std::size_t>(tree.symbols[row].parent);  // -1 becomes larger than any row
    if (parent < row) ++counts[parent];
  }
  return counts;
}

}  // namespace symbols::table
