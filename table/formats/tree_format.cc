// The writer of the `tree` format: everything that the table has, in a quarter of its tokens.
// docs/tree-decoder.mjs reads it in JavaScript.
//
//   f80-743 presentAssistantMessage:0-1@22
//    f25-29 countLines:8-3
//
// A row is a place (the letter of the kind, then lines, which count from 1) and a name. Neighbours without
// children share a row: after a space on the next line, after a comma on the same line. After the name come
// columns that the symbols before do not predict, after a tab the hover, after more tabs fields as key=text.
//
// The first symbol says what the text has: all its columns if there are ranges (`@?` if there are no
// selections), `:-` if there are only lines.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/text.h"
#include "table/formats/format.h"
#include "table/formats/row_cells.h"
#include "table/formats/tree_text.h"

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
      : rows_(rows), shown_(view), view_(view), depths_(row_depths(rows)), cells_(rows, {shown_.keys}) {}

  std::string write() {
    for (row_ = 0; cells_.next(); ++row_) {
      const Row& symbol = rows_.all[row_];
      name_ = shown_.name ? std::string_view(symbol.name) : std::string_view();
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
        plain_escape.append(keys_, symbol.hover);
      }
      append_keys(symbol);
      TreePlace place{.kind = shown_.kind ? std::optional(symbol.kind) : std::nullopt,
                      .kind_names = view_.kind_names};
      if (shown_.line) place.set_lines(symbol.range, shown_.all_ends);
      const bool has_own_row = has_children(rows_, row_) || !keys_.empty();
      if (has_own_row || !joins_row(place)) start_row(place);
      open_ = !has_own_row && place.line;
      last_ = place;
    }
    return std::move(out_);
  }

 private:
  void start_row(const TreePlace& place) {
    if (row_ > 0) out_ += '\n';
    append_position(out_, view_, rows_, row_);
    row_start_ = out_.size();
    const std::uint32_t depth = depths_[row_];
    if (depth <= max_indent) {
      out_.append(depth, ' ');
    } else {
      out_ += "\\^";  // the level as a number
      append_number(out_, depth);
      out_ += ' ';
    }
    append_tree_place(out_, place);
    append_name(true);
    out_.append(columns_text_).append(keys_);
  }

  // Appends the symbol to the row before, if it belongs there and fits.
  bool joins_row(const TreePlace& place) {
    constexpr std::size_t full_row = 100;  // bytes
    const std::size_t before = out_.size();
    if (!open_ || depths_[row_ - 1] != depths_[row_] || before - row_start_ >= full_row) return false;
    const bool same_form = place.kind == last_.kind && !place.shows_last() && !last_.shows_last();
    if (same_form && (place.line == last_.line || *place.line == *last_.line + 1)) {
      out_ += place.line == last_.line ? ',' : ' ';
      append_name(false);
    } else {
      out_ += ' ';
      append_tree_place(out_, place);
      append_name(true);
    }
    out_ += columns_text_;
    if (out_.size() - row_start_ <= full_row) return true;
    out_.resize(before);
    return false;
  }

  void append_name(bool after_place) {
    if (shown_.name) {
      append_tree_name(out_, name_, after_place);
    } else {
      out_ += tree_not_shown;
    }
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
    plain_escape.append(keys_, text);
  }

  const SymbolRows& rows_;
  const Shown shown_;
  const View& view_;
  const std::vector<std::uint32_t> depths_;
  RowCells cells_;  // of the keys
  TreeColumns columns_;
  std::string out_;
  std::size_t row_start_ = 0;
  bool open_ = false;  // the row may take more symbols
  TreePlace last_;     // of its last one

  // The current symbol.
  std::size_t row_ = 0;
  std::string_view name_;
  std::string columns_text_;
  std::string keys_;  // with the hover before them
};

}  // namespace

std::string write_tree(const SymbolRows& rows, const View& view) {
  return TreeWriter(rows, view).write();
}

}  // namespace symbols::table
