#include "table/parent_path.h"

#include <algorithm>

namespace symbols::table {
namespace {

constexpr std::size_t lowest_bit(std::size_t i) {
  return i & (~i + 1);
}

}  // namespace

void ParentPath::NameStack::push(std::size_t depth, const lsp::Range& range) {
  Entry entry{depth, range, range.start, range.end};
  const std::size_t i = entries_.size() + 1;
  const std::size_t first = i - lowest_bit(i);
  for (std::size_t part = i - 1; part > first; part -= lowest_bit(part)) {
    entry.least_start = std::min(entry.least_start, entries_[part - 1].least_start);
    entry.greatest_end = std::max(entry.greatest_end, entries_[part - 1].greatest_end);
  }
  entries_.push_back(entry);
}

std::optional<std::size_t> ParentPath::NameStack::deepest() const {
  if (entries_.empty()) return {};
  return entries_.back().depth;
}

std::optional<std::size_t> ParentPath::NameStack::deepest_containing(const lsp::Range& range) const {
  std::size_t i = entries_.size();
  while (i > 0) {
    const Entry& entry = entries_[i - 1];
    if (range.start < entry.least_start || entry.greatest_end < range.end) {
      i -= lowest_bit(i);
    } else if (lsp::contains(entry.range, range)) {
      return entry.depth;
    } else {
      --i;
    }
  }
  return {};
}

void ParentPath::enter(std::size_t row, std::size_t depth) {
  while (path_.size() > depth) {
    if (path_.back().indexed != nullptr) path_.back().indexed->pop();
    path_.pop_back();
  }
  if (!path_.empty() && path_.back().indexed == nullptr) {
    const lsp::DocumentSymbol& parent = symbols_[path_.back().row];
    NameStack& stack = stacks_[parent.name];
    stack.push(path_.size() - 1, parent.range);
    path_.back().indexed = &stack;
  }
  path_.push_back({row, nullptr});
}

std::optional<std::size_t> ParentPath::find(std::string_view name, const lsp::Range& range) const {
  if (path_.empty()) return {};
  const std::size_t last_depth = path_.size() - 1;
  const lsp::DocumentSymbol& last = symbols_[path_.back().row];
  const bool last_bears_name = last.name == name;
  if (last_bears_name && lsp::contains(last.range, range)) return last_depth;

  const auto stack = stacks_.find(name);
  if (stack != stacks_.end()) {
    if (const std::optional<std::size_t> depth = stack->second.deepest_containing(range)) return depth;
  }
  if (last_bears_name) return last_depth;
  return stack != stacks_.end() ? stack->second.deepest() : std::nullopt;
}

}  // namespace symbols::table
