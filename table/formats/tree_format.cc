#include "table/formats/tree_format.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/text.h"
#include "table/formats/row_cells.h"
#include "table/formats/tree_columns.h"
#include "table/formats/tree_row.h"

namespace symbols::table {
namespace {

// The view, evaluated once and not for each row.
struct Shown {
  bool name, kind, columns, selection, container, hover, line;
  bool all_ends = true;
  std::vector<Field> keys;  // in the order in which a row has them

  explicit Shown(const View& view)
      : name(view.shows(Field::name)),
        kind(view.shows(Field::kind)),
        columns(view.shows(Field::range)),
        selection(view.shows(Field::selection)),
        container(view.shows(Field::parent)),
        hover(view.shows(Field::hover)),
        line(columns || view.shows(Field::lines)) {
    const bool minimal = name && kind && columns && view.fields.size() == 3;
    if (minimal) {
      columns = false;
      all_ends = view.all_ends;
    }
    // Places show the lines, and columns the selection.
    for (const Field field : all_fields) {
      const bool may_be_key = field == Field::lines       ? columns
                              : field == Field::selection ? !columns
                                                          : field > Field::hover;
      if (may_be_key && view.shows(field)) keys.push_back(field);
    }
  }
};

class TreeWriter {
 public:
  TreeWriter(const SymbolRows& rows, const View& view)
      : rows_(rows), shown_(view), view_(view), depths_(row_depths(rows)), cells_(rows, {shown_.keys}) {
    constexpr std::size_t numbers_and_marks = 20;  // of one row, at five digits a line number
    out_.reserve(expected_size(rows, view, numbers_and_marks));
  }

  std::string write() {
    TreeRows packing(out_);
    for (row_ = 0; cells_.next(); ++row_) {
      const Row& symbol = rows_.all[row_];
      name_ = shown_.name ? std::string_view(symbol.name) : std::string_view();
      position_.clear();
      append_position(position_, view_, rows_, row_);
      columns_text_.clear();
      keys_.clear();
      if (shown_.columns) {
        append_columns(symbol);
      } else if (row_ == 0 && shown_.line && shown_.all_ends) {
        columns_text_ = ":-";
      }
      append_folded(columns_text_, symbol.folded);
      if (shown_.hover && !symbol.hover.empty()) {
        keys_ += '\t';
        tree_text_escape.append(keys_, symbol.hover);
      }
      append_keys(symbol);
      packing.add({.depth = depths_[row_],
                   .has_children = has_children(rows_, row_),
                   .place = place(symbol),
                   .position = position_,
                   .name = name_,
                   .columns = columns_text_,
                   .keys = keys_});
    }
    return std::move(out_);
  }

 private:
  TreePlace place(const lsp::DocumentSymbol& symbol) const {
    TreePlace place{.kind = shown_.kind ? std::optional(symbol.kind) : std::nullopt,
                    .kind_names = view_.kind_names,
                    .name_shown = shown_.name};
    if (shown_.line) place.set_lines(symbol.range, shown_.all_ends);
    return place;
  }

  void append_columns(const lsp::DocumentSymbol& symbol) {
    using Form = TreeSelection::Form;
    const lsp::Range& range = symbol.range;
    columns_.enter(depths_[row_], shown_.kind ? symbol.kind : 0, range.start.line, range.end.line, name_);
    const lsp::Range selection =
        shown_.selection ? symbol.selection_range : lsp::Range{range.start, range.start};
    const TreeSelection form =
        shown_.selection ? form_of(range, selection) : TreeSelection{.form = Form::empty};
    const bool first = row_ == 0;

    const std::int64_t start = range.start.character;
    const std::int64_t end = range.end.character;
    const bool write_start = first || columns_.start() != start;
    const bool write_end =
        first || columns_.end(start, columns_.name_end(range, selection, form.form)) != end;
    if (write_start || write_end) columns_text_ += ':';
    if (write_start) {
      append_number(columns_text_, range.start.character);
      columns_text_ += '-';
    }
    if (write_end) append_number(columns_text_, range.end.character);

    if (!shown_.selection) {
      if (first) columns_text_ += "@?";
    } else if (first || form.form == Form::other || form != columns_.selection()) {
      append_selection(selection, form.form);
    }
    columns_.leave(range, selection, form);
  }

  // The predicted form, if it fits.
  TreeSelection form_of(const lsp::Range& range, const lsp::Range& selection) const {
    using Form = TreeSelection::Form;
    const std::int64_t offset = std::int64_t{selection.start.character} - std::int64_t{range.start.character};
    const bool at =
        columns_.on_first_line(selection) &&
        selection.end.character - std::int64_t{selection.start.character} == columns_.name_length();
    const bool whole = selection == range;
    const bool empty = selection.start == range.start && selection.end == range.start;
    const TreeSelection predicted = columns_.selection();
    const bool fits = predicted.form == Form::whole   ? whole
                      : predicted.form == Form::empty ? empty
                                                      : at && predicted.offset == offset;
    if (fits && row_ > 0) return predicted;
    if (whole) return {.form = Form::whole};
    if (empty) return {.form = Form::empty};
    return at ? TreeSelection{.form = Form::at, .offset = offset} : TreeSelection{.form = Form::other};
  }

  void append_selection(const lsp::Range& selection, TreeSelection::Form form) {
    using Form = TreeSelection::Form;
    columns_text_ += '@';
    if (form == Form::whole) return;
    if (form == Form::empty) {
      columns_text_ += '!';
      return;
    }
    const bool one_line = selection.start.line == selection.end.line;
    const bool on_first_line = columns_.on_first_line(selection);
    if (!on_first_line) append_line(selection.start.line);
    append_number(columns_text_, selection.start.character);
    const std::int64_t length = std::int64_t{selection.end.character} - selection.start.character;
    if (one_line && length == columns_.name_length()) return;
    columns_text_ += '-';
    if (!on_first_line) append_line(selection.end.line);
    append_number(columns_text_, selection.end.character);
  }
  void append_line(std::uint32_t line) {
    append_number(columns_text_, std::uint64_t{line} + 1);
    columns_text_ += ':';
  }

  void append_keys(const lsp::DocumentSymbol& symbol) {
    if (shown_.container) append_key(tree_container_key, symbol.container_name);
    for (const Field field : shown_.keys) {
      const std::string_view text = cells_.cell(field).text;
      const bool no_children = field == Field::children && text == "0";
      if (!no_children) append_key(field_name(field), text);
    }
  }
  void append_key(std::string_view key, std::string_view text) {
    if (text.empty()) return;
    keys_ += keys_.empty() ? "\t\t" : "\t";  // between the two tabs would be the hover
    keys_ += key;
    keys_ += '=';
    tree_text_escape.append(keys_, text);
  }

  const SymbolRows& rows_;
  const Shown shown_;
  const View& view_;
  const std::vector<std::uint32_t> depths_;
  RowCells cells_;  // of the keys
  TreeColumns columns_;
  std::string out_;

  // The current row.
  std::size_t row_ = 0;
  std::string_view name_;
  std::string position_;
  std::string columns_text_;
  std::string keys_;  // with the hover before them
};

}  // namespace

std::string write_tree(const SymbolRows& rows, const View& view) {
  return TreeWriter(rows, view).write();
}

}  // namespace symbols::table
