#include "table/formats/row_cells.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/ascii.h"
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

std::string expected(std::string_view what, std::string_view found) {
  return fmt::format("expected {}, found {}", what, quoted(found));
}

// A kind's number, written as all numbers are, or its word.
std::optional<std::int64_t> parse_kind(std::string_view text) {
  const bool is_word = !text.empty() && is_letter(text[0]);
  return is_word ? find_kind(text) : parse_number<std::int64_t>(text);
}

bool is_lines(std::string_view text) {
  const std::size_t dash = text.find('-');
  const bool first = parse_number<std::uint64_t>(text.substr(0, dash)).has_value();
  return first &&
         (dash == std::string_view::npos || parse_number<std::uint64_t>(text.substr(dash + 1)).has_value());
}

}  // namespace

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
  const std::size_t depth = depths_[row_];
  if (depth == 0) {
    const std::string_view container = symbol().container_name;
    const bool names_a_row = !container.empty() && path_.find(container, symbol().range).has_value();
    return names_a_row ? marked_parent() : CellText{CellText::Form::text, container};
  }
  const std::string_view name = rows_->tree.symbols[static_cast<std::size_t>(symbol().parent)].name;
  const bool found = !name.empty() && path_.find(name, symbol().range) == depth - 1;
  return found ? CellText{CellText::Form::text, name} : marked_parent();
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

void append_position(std::string& out, const View& view, const SymbolRows& rows, std::size_t row) {
  if (!view.positions) return;
  const lsp::Position start = rows.tree.symbols[row].selection_range.start;
  append_number(out, start.line);
  out += ':';
  append_number(out, start.character);
  out += '\t';
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
  for (std::size_t row = 0; cells.next(); ++row) {
    out += '\n';
    append_position(out, view, rows, row);
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

std::string missing_fields(const std::vector<Field>& fields, std::string_view (*title)(Field)) {
  std::vector<std::string> missing;
  for (const Field field : {Field::name, Field::kind, Field::range}) {
    if (!holds(fields, field)) missing.emplace_back(title(field));
  }
  if (!holds(fields, Field::parent) && !holds(fields, Field::depth)) {
    missing.push_back(fmt::format("{} or {}", title(Field::parent), title(Field::depth)));
  }
  return fmt::format("{}", fmt::join(missing, ", "));
}

RowBuilder::RowBuilder(const std::vector<Field>& fields)
    : by_parent_(holds(fields, Field::parent)),
      has_selection_(holds(fields, Field::selection)),
      has_parts_(holds(fields, Field::signature) || holds(fields, Field::doc)),
      path_(rows_.tree.symbols) {
  rows_.with_hover = holds(fields, Field::hover);
}

void RowBuilder::start_row() {
  rows_.tree.symbols.emplace_back();
  if (rows_.with_hover) rows_.hovers.emplace_back();
  if (has_parts_) rows_.hover_parts.emplace_back();
}

RowBuilder::Fault RowBuilder::put(Field field, std::string_view cell) {
  const auto put_range = [&](lsp::Range& range) -> Fault {
    const Result<lsp::Range> parsed = parse_range(cell);
    if (!parsed) return parsed.error().message;
    range = *parsed;
    return {};
  };
  switch (field) {
    case Field::name:
      symbol().name = cell;
      return {};
    case Field::kind: {
      const std::optional<std::int64_t> kind = parse_kind(cell);
      if (!kind) return expected("a symbol kind's number or name, as in 12 or Function", cell);
      symbol().kind = *kind;
      return {};
    }
    case Field::range:
      return put_range(symbol().range);
    case Field::selection:
      return put_range(symbol().selection_range);
    case Field::parent:
      parent_ = cell;
      mark_.reset();
      return {};
    case Field::hover:
      rows_.hovers.back() = cell;
      return {};
    case Field::detail:
      symbol().detail = cell;
      return {};
    case Field::lines:
      if (!is_lines(cell)) return expected("lines, as in 53 or 53-59", cell);
      return {};
    case Field::signature:
      rows_.hover_parts.back().signature = cell;
      return {};
    case Field::doc:
      rows_.hover_parts.back().prose = cell;
      return {};
    case Field::depth:
    case Field::children: {
      const std::optional<std::uint32_t> number = parse_number<std::uint32_t>(cell);
      if (!number) return expected("a number from 0 on", cell);
      if (field == Field::depth) depth_ = *number;
      return {};
    }
    case Field::tags:
      if (!cell.empty() && read_numbers(cell, symbol().tags)) {
        return expected("numbers separated by a space", cell);
      }
      return {};
  }
  return {};
}

RowBuilder::Fault RowBuilder::end_row() {
  if (!has_selection_) symbol().selection_range = {symbol().range.start, symbol().range.start};
  if (by_parent_) {
    if (Fault fault = find_parent()) return fault;
  } else if (depth_ > path_.size()) {
    return fmt::format("expected at most {}, one more than the depth of the row before, found {}",
                       path_.size(), depth_);
  } else if (depth_ > 0) {
    symbol().parent = static_cast<std::int32_t>(path_.row_at(depth_ - 1));
  }
  path_.enter(size() - 1, depth_);
  return {};
}

SymbolRows RowBuilder::take() && {
  if (!has_selection_ && !rows_.tree.symbols.empty()) rows_.lacking = {Field::selection};
  return std::move(rows_);
}

// Sets the row's parent or container_name, and depth_.
RowBuilder::Fault RowBuilder::find_parent() {
  depth_ = 0;
  std::optional<std::size_t> parent_depth;
  if (!mark_) {
    if (parent_.empty()) return {};
    parent_depth = path_.find(parent_, symbol().range);
  } else if (!mark_->empty()) {
    parent_depth = parse_number<std::size_t>(*mark_);
    const bool fits = parent_depth && *parent_depth < path_.size() &&
                      rows_.tree.symbols[path_.row_at(*parent_depth)].name == parent_;
    if (!fits) {
      return fmt::format(
          "expected the depth of a row named {} on the path to the row before, after \\^, found {}",
          quoted(parent_), *mark_);
    }
  } else if (parent_.empty()) {
    return "expected a name before \\^, or an empty cell for a row at top level";
  }
  if (parent_depth) {
    symbol().parent = static_cast<std::int32_t>(path_.row_at(*parent_depth));
    depth_ = *parent_depth + 1;
  } else {
    symbol().container_name = parent_;
  }
  return {};
}

}  // namespace symbols::table
