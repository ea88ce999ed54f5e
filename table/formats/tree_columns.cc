#include "table/formats/tree_columns.h"

#include "table/formats/tree_row.h"

namespace symbols::table {

void TreeColumns::enter(std::size_t depth, std::int64_t kind, std::uint32_t first_line,
                        std::uint32_t last_line, std::string_view name) {
  depth_ = depth;
  if (path_.size() > depth + 1) path_.resize(depth + 1);
  first_line_ = first_line;
  one_line_ = first_line == last_line;
  name_ = name;
  name_length_ = static_cast<std::int64_t>(tree_name_length(name));
  if (const Key key{depth, kind, one_line_}; before_ == nullptr || key != before_key_) {
    before_ = &before_of_[key];
    before_key_ = key;
  }
  tail_ = nullptr;
  if (!one_line_) return;
  if (const auto known = tails_.find(name); known != tails_.end()) tail_ = &known->second;
}

std::int64_t TreeColumns::start() const {
  if (depth_ < path_.size()) {
    const Neighbour& beside = path_[depth_];
    if (beside.last_line == first_line_) return std::int64_t{beside.end} + 2;
  } else if (depth_ > 0 && depth_ <= path_.size()) {
    const Neighbour& above = path_[depth_ - 1];
    if (above.selection.start.line == first_line_) return std::int64_t{above.selection.end.character} + 1;
  }
  return before_->start;
}

std::int64_t TreeColumns::end(std::int64_t start, std::int64_t name_end) const {
  if (!one_line_) return before_->end < 0 ? start + 1 : before_->end;
  return name_end + (tail_ != nullptr ? *tail_ : before_->tail);
}

void TreeColumns::leave(const lsp::Range& range, const lsp::Range& selection, TreeSelection form) {
  const std::int64_t tail = range.end.character - name_end(range, selection, form.form);
  before_->start = range.start.character;
  if (form.form != TreeSelection::Form::other) before_->selection = form;
  before_->end = range.end.character;
  before_->tail = tail;
  if (tail_ != nullptr) {
    *tail_ = tail;
  } else if (one_line_) {
    tails_.emplace(name_, tail);
  }
  path_.resize(depth_ + 1);  // a level that was skipped, which no tree has, would be all zeros
  path_[depth_] = {range.end.line, range.end.character, selection};
}

}  // namespace symbols::table
