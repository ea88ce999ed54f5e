#include "table/formats/tree_row.h"

#include "base/append_number.h"
#include "table/formats/tree_name.h"
#include "table/symbol_kind.h"

namespace symbols::table {
namespace {

constexpr std::size_t full_row = 100;  // bytes

}  // namespace

void TreePlace::set_lines(const lsp::Range& range, bool all_ends) {
  line = std::uint64_t{range.start.line} + 1;
  if (all_ends || is_long(range)) last_line = std::uint64_t{range.end.line} + 1;
}

void append_tree_place(std::string& out, const TreePlace& place) {
  if (place.kind) {
    append_kind(out, *place.kind, place.kind_names);
  } else {
    out += tree_not_shown;
  }
  if (place.line) append_number(out, *place.line);
  if (place.shows_last()) {
    out += '-';
    append_number(out, *place.last_line);
  }
  out += ' ';
}

void TreeRows::add(const Symbol& symbol) {
  if (!joins(symbol)) {
    if (any_) *out_ += '\n';
    any_ = true;
    row_start_ = out_->size();
    if (symbol.depth <= tree_deepest_indent) {
      out_->append(symbol.depth, ' ');
    } else {
      *out_ += tree_level_mark;
      append_number(*out_, symbol.depth);
      *out_ += ' ';
    }
    append_tree_place(*out_, symbol.place);
    append_name(symbol, true);
    *out_ += symbol.columns;
    *out_ += symbol.keys;
    open_ = !has_own_row(symbol) && symbol.place.line;
  }
  depth_ = symbol.depth;
  last_ = symbol.place;
}

// Appends the symbol to the row before, if it belongs there and fits.
bool TreeRows::joins(const Symbol& symbol) {
  const TreePlace& place = symbol.place;
  if (!open_ || depth_ != symbol.depth || has_own_row(symbol)) return false;
  const std::size_t before = out_->size();
  if (before - row_start_ >= full_row) return false;
  const bool same_form = place.kind == last_.kind && !place.shows_last() && !last_.shows_last();
  if (same_form && (place.line == last_.line || *place.line == *last_.line + 1)) {
    *out_ += place.line == last_.line ? ',' : ' ';
    append_name(symbol, false);
  } else {
    *out_ += ' ';
    append_tree_place(*out_, place);
    append_name(symbol, true);
  }
  *out_ += symbol.columns;
  if (out_->size() - row_start_ <= full_row) return true;
  out_->resize(before);
  return false;
}

void TreeRows::append_name(const Symbol& symbol, bool after_place) {
  if (symbol.place.name_shown) {
    append_tree_name(*out_, symbol.name, after_place);
  } else {
    *out_ += tree_not_shown;
  }
}

}  // namespace symbols::table
