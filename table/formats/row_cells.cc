#include "table/formats/row_cells.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "base/number.h"
#include "lsp/unicode.h"
#include "table/escape.h"
#include "table/formats/line_start.h"
#include "table/formats/parse_number.h"
#include "table/formats/range_text.h"
#include "table/hover/first_sentence.h"
#include "table/symbol_kind.h"

namespace symbols::table {
namespace {

bool names_are_valid(const lsp::SymbolTree& tree) {
  return std::all_of(tree.symbols.begin(), tree.symbols.end(), [](const lsp::DocumentSymbol& symbol) {
    return lsp::find_invalid_utf8(symbol.name) == std::string_view::npos &&
           lsp::find_invalid_utf8(symbol.container_name) == std::string_view::npos;
  });
}

std::optional<SymbolRows> with_valid_names(const SymbolRows& rows) {
  if (names_are_valid(rows.tree)) return {};
  SymbolRows mended = rows;
  for (lsp::DocumentSymbol& symbol : mended.tree.symbols) {
    symbol.name = lsp::to_valid_utf8(symbol.name);
    symbol.container_name = lsp::to_valid_utf8(symbol.container_name);
  }
  return mended;
}

}  // namespace

std::optional<std::size_t> ParentPath::find(std::string_view name, const lsp::Range& range) const {
  std::optional<std::size_t> deepest;
  const std::size_t end = path_.size() - std::min(path_.size(), max_searched);
  for (std::size_t depth = path_.size(); depth-- > end;) {
    const lsp::DocumentSymbol& symbol = symbols_[path_[depth]];
    if (symbol.name != name) continue;
    if (lsp::contains(symbol.range, range)) return depth;
    if (!deepest) deepest = depth;
  }
  return deepest;
}

const HoverText& hover_parts_at(const SymbolRows& rows, std::size_t row) {
  static const HoverText none;
  return row < rows.hover_parts.size() ? rows.hover_parts[row] : none;
}

std::size_t expected_size(const SymbolRows& rows, const View& view, std::size_t beside) {
  std::size_t size = 0;
  for (const lsp::DocumentSymbol& symbol : rows.tree.symbols)
    size += symbol.name.size() + symbol.container_name.size() + beside;
  if (view.shows(Field::hover)) {
    for (const std::string& hover : rows.hovers) size += hover.size();
  }
  return size;
}

RowCells::RowCells(const SymbolRows& rows, const View& view)
    : mended_(view.shows(Field::name) || view.shows(Field::parent) ? with_valid_names(rows) : std::nullopt),
      rows_(mended_ ? &*mended_ : &rows),
      kind_names_(view.kind_names),
      follows_path_(view.shows(Field::parent)),
      path_(rows_->tree.symbols) {
  if (follows_path_ || view.shows(Field::depth)) depths_ = symbol_depths(rows_->tree);
  if (view.shows(Field::children)) children_ = child_counts(rows_->tree, rows_->left_out);
}

bool RowCells::next() {
  if (follows_path_ && row_ != before_first) path_.enter(row_, depths_[row_]);
  ++row_;
  return row_ < rows_->tree.symbols.size();
}

CellText RowCells::cell(Field field) {
  scratch_.clear();
  switch (field) {
    case Field::name:
      return {CellText::Form::text, symbol().name};
    case Field::kind:
      if (!kind_names_) return number(symbol().kind);
      scratch_ = kind_name(symbol().kind);
      return {parse_number<std::int64_t>(scratch_) ? CellText::Form::number : CellText::Form::word, scratch_};
    case Field::range:
      append_range(scratch_, symbol().range);
      return {CellText::Form::word, scratch_};
    case Field::selection:
      append_range(scratch_, symbol().selection_range);
      return {CellText::Form::word, scratch_};
    case Field::parent:
      return parent();
    case Field::hover:
      return {CellText::Form::text, rows_->hover(row_)};
    case Field::detail:
      return {CellText::Form::text, symbol().detail};
    case Field::lines:
      append_line_span(scratch_, symbol().range);
      return {CellText::Form::word, scratch_};
    case Field::signature:
      return {CellText::Form::text, hover_parts_at(*rows_, row_).signature};
    case Field::doc:
      return {CellText::Form::text, first_sentence(hover_parts_at(*rows_, row_).prose)};
    case Field::depth:
      return number(depths_[row_]);
    case Field::children:
      return number(children_[row_]);
    case Field::tags:
      fmt::format_to(std::back_inserter(scratch_), "{}", fmt::join(symbol().tags, " "));
      return {CellText::Form::text, scratch_};
  }
  return {};
}

CellText RowCells::number(std::int64_t number) {
  append_number(scratch_, number);
  return {CellText::Form::number, scratch_};
}

CellText RowCells::parent() {
  CellText marked = marked_parent();
  if (path_.size() > ParentPath::max_searched || marked.mark.empty()) return marked;
  const std::optional<std::size_t> found = path_.find(marked.text, symbol().range);
  const std::size_t depth = depths_[row_];
  const bool is_clear = depth == 0 ? !found : !marked.text.empty() && found == depth - 1;
  if (is_clear) marked.mark = {};
  return marked;
}

CellText RowCells::marked_parent() {
  const std::size_t depth = depths_[row_];
  if (depth == 0) {
    const std::string_view container = symbol().container_name;
    return {CellText::Form::text, container, container.empty() ? std::string_view() : "\\^"};
  }
  scratch_ = "\\^";
  append_number(scratch_, depth - 1);
  return {CellText::Form::text, rows_->tree.symbols[static_cast<std::size_t>(symbol().parent)].name,
          scratch_};
}

std::string write_cells(const SymbolRows& rows, const View& view, const CellLayout& layout) {
  constexpr std::size_t numbers_and_marks = 60;  // of one row, with line numbers of five digits
  std::string out;
  std::size_t parents = 0;
  if (view.shows(Field::parent)) {
    for (std::size_t row = 0; row < rows.tree.symbols.size(); ++row) {
      if (const auto parent = parent_row(rows.tree, row)) parents += rows.tree.symbols[*parent].name.size();
    }
  }
  out.reserve(expected_size(rows, view, numbers_and_marks) + parents + numbers_and_marks);
  for (const Field field : view.fields) {
    if (!out.empty()) out += layout.separator;
    out += layout.title(field);
  }
  const bool has_last = !layout.last_title.empty();
  if (has_last) out.append(layout.separator).append(layout.last_title);
  RowCells cells(rows, view);
  while (cells.next()) {
    out += '\n';
    const std::size_t line_start = out.size();
    bool first = true;
    for (const Field field : view.fields) {
      if (!first) out += layout.separator;
      const CellText cell = cells.cell(field);
      if (cell.form == CellText::Form::text) {
        layout.escape.append(out, cell.text);
      } else {
        out += cell.text;
      }
      out += cell.mark;
      first = false;
    }
    if (has_last) out.append(layout.separator).append(layout.last_cell);
    mask_line_start(out, line_start);
  }
  return out;
}

}  // namespace symbols::table
