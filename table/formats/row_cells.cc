#include "table/formats/row_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/append_number.h"
#include "lsp/unicode.h"
#include "table/escape.h"
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
  const bool is_word =
      !text.empty() && ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'));
  return is_word ? find_kind(text) : parse_number<std::int64_t>(text);
}

bool is_lines(std::string_view text) {
  const std::size_t dash = text.find('-');
  const bool first = parse_number<std::uint64_t>(text.substr(0, dash)).has_value();
  return first &&
         (dash == std::string_view::npos || parse_number<std::uint64_t>(text.substr(dash + 1)).has_value());
}

// Numbers separated by one space.
std::optional<std::vector<std::int64_t>> parse_tags(std::string_view text) {
  std::vector<std::int64_t> tags;
  while (!text.empty()) {
    const std::size_t blank = text.find(' ');
    const std::optional<std::int64_t> tag = parse_number<std::int64_t>(text.substr(0, blank));
    if (!tag || blank + 1 == text.size()) return {};
    tags.push_back(*tag);
    text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
  }
  return tags;
}

bool holds(const std::vector<Field>& fields, Field field) {
  return std::find(fields.begin(), fields.end(), field) != fields.end();
}

}  // namespace

RowCells::RowCells(const SymbolRows& rows, const View& view)
    : mended_(with_valid_names(rows)),
      rows_(mended_ ? &*mended_ : &rows),
      kind_names_(view.kind_names),
      follows_path_(view.shows(Field::parent)),
      path_(rows_->tree.symbols) {
  if (follows_path_ || view.shows(Field::depth)) depths_ = symbol_depths(rows_->tree);
  if (view.shows(Field::children)) children_ = child_counts(rows_->tree, rows_->left_out);
}

bool RowCells::next() {
  if (!started_) {
    started_ = true;
  } else {
    if (follows_path_) path_.enter(row_, depths_[row_]);
    ++row_;
  }
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
      return lines(symbol().range);
    case Field::signature:
      return {CellText::Form::text, parts() == nullptr ? std::string_view() : parts()->signature};
    case Field::doc:
      return {CellText::Form::text, parts() == nullptr ? std::string_view() : first_sentence(parts()->prose)};
    case Field::depth:
      return number(depths_[row_]);
    case Field::children:
      return number(children_[row_]);
    case Field::tags:
      return tags(symbol().tags);
  }
  return {};
}

CellText RowCells::number(std::int64_t number) {
  append_number(scratch_, number);
  return {CellText::Form::number, scratch_};
}

CellText RowCells::lines(const lsp::Range& range) {
  append_number(scratch_, std::uint64_t{range.start.line} + 1);
  if (range.end.line != range.start.line) {
    scratch_ += '-';
    append_number(scratch_, std::uint64_t{range.end.line} + 1);
  }
  return {CellText::Form::word, scratch_};
}

CellText RowCells::tags(const std::vector<std::int64_t>& tags) {
  for (const std::int64_t tag : tags) {
    if (!scratch_.empty()) scratch_ += ' ';
    append_number(scratch_, tag);
  }
  return {CellText::Form::text, scratch_};
}

const HoverText* RowCells::parts() const {
  return row_ < rows_->hover_parts.size() ? &rows_->hover_parts[row_] : nullptr;
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

void append_cells(std::string& out, RowCells& cells, const std::vector<Field>& fields,
                  std::string_view separator, const CellEscape& escape) {
  bool first = true;
  for (const Field field : fields) {
    if (!first) out += separator;
    const CellText cell = cells.cell(field);
    if (cell.form == CellText::Form::text) {
      escape.append(out, cell.text);
    } else {
      out += cell.text;
    }
    out += cell.mark;
    first = false;
  }
}

std::string missing_fields(const std::vector<Field>& fields, std::string_view (*title)(Field)) {
  std::string missing;
  const auto add = [&](std::string_view what) {
    if (!missing.empty()) missing += ", ";
    missing += what;
  };
  for (const Field field : {Field::name, Field::kind, Field::range}) {
    if (!holds(fields, field)) add(title(field));
  }
  if (!holds(fields, Field::parent) && !holds(fields, Field::depth)) {
    add(fmt::format("{} or {}", title(Field::parent), title(Field::depth)));
  }
  return missing;
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
      put_parent(cell, {});
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
    case Field::tags: {
      std::optional<std::vector<std::int64_t>> tags = parse_tags(cell);
      if (!tags) return expected("numbers separated by a space", cell);
      symbol().tags = std::move(*tags);
      return {};
    }
  }
  return {};
}

void RowBuilder::put_parent(std::string_view name, std::optional<std::string_view> mark) {
  parent_ = name;
  mark_.reset();
  if (mark) mark_.emplace(*mark);
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
