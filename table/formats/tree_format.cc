#include "table/formats/tree_format.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/append_number.h"
#include "lsp/unicode.h"
#include "table/formats/folded_mark.h"
#include "table/formats/kind_letters.h"
#include "table/formats/range_text.h"
#include "table/formats/tree_columns.h"
#include "table/formats/tree_name.h"
#include "table/formats/tree_row.h"
#include "table/hover/first_sentence.h"

namespace symbols::table {
namespace {

// The view, evaluated once and not for each row.
struct Shown {
  bool name, kind, columns, selection, container, hover, detail, line, lines, signature, doc, depth, children,
      tags;
  bool all_ends = true;
  bool selection_as_key = false;

  explicit Shown(const View& view)
      : name(view.shows(Field::name)),
        kind(view.shows(Field::kind)),
        columns(view.shows(Field::range)),
        selection(view.shows(Field::selection)),
        container(view.shows(Field::parent)),
        hover(view.shows(Field::hover)),
        detail(view.shows(Field::detail)),
        line(view.shows(Field::range) || view.shows(Field::lines)),
        lines(view.shows(Field::range) && view.shows(Field::lines)),
        signature(view.shows(Field::signature)),
        doc(view.shows(Field::doc)),
        depth(view.shows(Field::depth)),
        children(view.shows(Field::children)),
        tags(view.shows(Field::tags)) {
    const bool minimal = name && kind && columns && view.fields.size() == 3;
    if (minimal) {
      columns = false;
      all_ends = view.all_ends;
    }
    selection_as_key = selection && !columns;
  }
};

class TreeWriter {
 public:
  TreeWriter(const SymbolRows& rows, const View& view)
      : rows_(rows), shown_(view), kind_names_(view.kind_names), depths_(symbol_depths(rows.tree)) {
    if (shown_.children) child_counts_ = child_counts(rows.tree, rows.left_out);
  }

  std::string write() {
    out_.reserve(expected_size());
    TreeRows packing(out_);
    for (row_ = 0; row_ < depths_.size(); ++row_) {
      const lsp::DocumentSymbol& symbol = rows_.tree.symbols[row_];
      read_name(symbol);
      columns_text_.clear();
      keys_.clear();
      if (shown_.columns) {
        append_columns(symbol);
      } else if (row_ == 0 && shown_.line && shown_.all_ends) {
        columns_text_ = ":-";
      }
      append_folded(columns_text_, rows_.folded_at(row_));
      if (shown_.hover && !rows_.hover(row_).empty()) {
        keys_ += '\t';
        tree_text_escape.append(keys_, rows_.hover(row_));
      }
      append_keys(symbol);
      packing.add({.depth = depths_[row_],
                   .has_children = row_ + 1 < depths_.size() && depths_[row_ + 1] > depths_[row_],
                   .place = place(symbol),
                   .name = name_,
                   .columns = columns_text_,
                   .keys = keys_});
    }
    return std::move(out_);
  }

 private:
  // Enough to avoid reallocation if few characters are escaped.
  std::size_t expected_size() const {
    constexpr std::size_t numbers_and_marks = 20;  // of one row, at five digits a line number
    std::size_t size = 0;
    for (std::size_t row = 0; row < depths_.size(); ++row) {
      size += rows_.tree.symbols[row].name.size() + numbers_and_marks;
      if (shown_.hover) size += rows_.hover(row).size();
    }
    return size;
  }

  // Sets name_ to the name as the reader will see it.
  void read_name(const lsp::DocumentSymbol& symbol) {
    name_ = {};
    if (!shown_.name) return;
    name_ = symbol.name;
    if (lsp::find_non_ascii(name_) == std::string_view::npos ||
        lsp::find_invalid_utf8(name_) == std::string_view::npos) {
      return;
    }
    valid_name_ = lsp::to_valid_utf8(name_);
    name_ = valid_name_;
  }

  TreePlace place(const lsp::DocumentSymbol& symbol) const {
    const lsp::Range& range = symbol.range;
    TreePlace place{.kind = shown_.kind ? std::optional(symbol.kind) : std::nullopt,
                    .kind_names = kind_names_,
                    .name_shown = shown_.name};
    if (!shown_.line) return place;
    place.line = std::uint64_t{range.start.line} + 1;
    if (shown_.all_ends || is_long(range)) place.last_line = std::uint64_t{range.end.line} + 1;
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
    if (shown_.container) append_text_key(tree_container_key, symbol.container_name);
    if (shown_.selection_as_key) {
      append_key(field_name(Field::selection));
      append_range(keys_, symbol.selection_range);
    }
    if (shown_.detail) append_text_key(field_name(Field::detail), symbol.detail);
    if (shown_.lines) {
      append_key(field_name(Field::lines));
      append_lines(symbol.range);
    }
    if (row_ < rows_.hover_parts.size()) {
      const HoverText& hover = rows_.hover_parts[row_];
      if (shown_.signature) append_text_key(field_name(Field::signature), hover.signature);
      if (shown_.doc) append_text_key(field_name(Field::doc), first_sentence(hover.prose));
    }
    if (shown_.depth) {
      append_key(field_name(Field::depth));
      append_number(keys_, depths_[row_]);
    }
    if (shown_.children && child_counts_[row_] > 0) {
      append_key(field_name(Field::children));
      append_number(keys_, child_counts_[row_]);
    }
    if (shown_.tags && !symbol.tags.empty()) {
      append_key(field_name(Field::tags));
      for (std::size_t i = 0; i < symbol.tags.size(); ++i) {
        if (i > 0) keys_ += ' ';
        append_number(keys_, symbol.tags[i]);
      }
    }
  }

  void append_lines(const lsp::Range& range) {
    append_number(keys_, std::uint64_t{range.start.line} + 1);
    if (range.end.line == range.start.line) return;
    keys_ += '-';
    append_number(keys_, std::uint64_t{range.end.line} + 1);
  }

  void append_key(std::string_view key) {
    keys_ += keys_.empty() ? "\t\t" : "\t";  // between the two tabs would be the hover
    keys_ += key;
    keys_ += '=';
  }
  void append_text_key(std::string_view key, std::string_view text) {
    if (text.empty()) return;
    append_key(key);
    tree_text_escape.append(keys_, text);
  }

  const SymbolRows& rows_;
  const Shown shown_;
  const bool kind_names_;
  const std::vector<std::uint32_t> depths_;
  std::vector<std::uint32_t> child_counts_;
  TreeColumns columns_;
  std::string out_;

  // The current row.
  std::size_t row_ = 0;
  std::string_view name_;
  std::string valid_name_;
  std::string columns_text_;
  std::string keys_;  // with the hover before them
};

}  // namespace

std::string write_tree(const SymbolRows& rows, const View& view) {
  return TreeWriter(rows, view).write();
}

}  // namespace symbols::table
