#include "table/formats/tree_format.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/append_number.h"
#include "lsp/unicode.h"
#include "table/formats/kind_letters.h"
#include "table/formats/range_text.h"
#include "table/formats/tree_row.h"
#include "table/hover/first_sentence.h"

namespace symbols::table {
namespace {

// The view, evaluated once and not for each row.
struct Shown {
  bool name, kind, range, selection, container, hover, detail, lines, signature, doc, depth, children, tags;
  bool lines_as_place = false;  // instead of the range

  explicit Shown(const View& view)
      : name(view.shows(Field::name)),
        kind(view.shows(Field::kind)),
        range(view.shows(Field::range)),
        selection(view.shows(Field::selection)),
        container(view.shows(Field::parent)),
        hover(view.shows(Field::hover)),
        detail(view.shows(Field::detail)),
        lines(view.shows(Field::lines)),
        signature(view.shows(Field::signature)),
        doc(view.shows(Field::doc)),
        depth(view.shows(Field::depth)),
        children(view.shows(Field::children)),
        tags(view.shows(Field::tags)) {
    const bool minimal = name && kind && range && view.fields.size() == 3;
    lines_as_place = minimal || (lines && !range);
    if (lines_as_place) range = lines = false;
  }
};

class TreeWriter {
 public:
  TreeWriter(const SymbolRows& rows, const View& view)
      : rows_(rows), shown_(view), kind_names_(view.kind_names) {
    if (shown_.children) child_counts_ = child_counts(rows.tree, rows.left_out);
  }

  std::string write() {
    const std::vector<std::uint32_t> depths = symbol_depths(rows_.tree);
    out_.reserve(expected_size(depths));
    for (std::size_t row = 0; row < depths.size(); ++row) {
      if (row > 0) out_ += '\n';
      append_row(row, depths[row]);
    }
    return std::move(out_);
  }

 private:
  // A size estimate that avoids reallocation if little is escaped.
  std::size_t expected_size(const std::vector<std::uint32_t>& depths) const {
    constexpr std::size_t numbers_and_marks = 40;  // of one row, with line numbers of five digits
    std::size_t size = 0;
    for (std::size_t row = 0; row < depths.size(); ++row) {
      size +=
          rows_.tree.symbols[row].name.size() + depths[row] % (tree_deepest_indent + 1) + numbers_and_marks;
      if (shown_.hover) size += rows_.hover(row).size();
    }
    return size;
  }

  void append_row(std::size_t row, std::uint32_t depth) {
    const lsp::DocumentSymbol& symbol = rows_.tree.symbols[row];
    append_indent(depth);
    append_tree_name(out_, shown_.name ? std::string_view(symbol.name) : std::string_view{});
    out_ += ' ';
    append_place(symbol);
    if (shown_.hover && !rows_.hover(row).empty()) {
      out_ += ' ';
      tree_text_escape.append(out_, rows_.hover(row));
    }
    append_keys(row, depth);
  }

  void append_indent(std::uint32_t depth) {
    if (depth <= tree_deepest_indent) {
      out_.append(depth, ' ');
      return;
    }
    out_ += tree_level_mark;
    append_number(out_, depth);
    out_ += ' ';
  }

  void append_place(const lsp::DocumentSymbol& symbol) {
    if (shown_.kind) {
      append_kind(out_, symbol.kind, kind_names_);
    } else {
      out_ += tree_not_shown;
    }
    if (shown_.range) {
      append_range(out_, symbol.range);
      append_selection_beside(symbol);
      return;
    }
    if (shown_.lines_as_place) append_lines(symbol.range);
    if (!shown_.selection) return;
    out_ += '@';
    if (is_as_long_as_name(symbol)) {
      append_position(symbol.selection_range.start);
    } else {
      append_range(out_, symbol.selection_range);
    }
  }

  // The selection of a row whose range is shown.
  void append_selection_beside(const lsp::DocumentSymbol& symbol) {
    const lsp::Range& range = symbol.range;
    const lsp::Range& selection = symbol.selection_range;
    if (!shown_.selection) {
      out_ += '@';
      out_ += tree_not_shown;
      return;
    }
    const bool is_name = is_as_long_as_name(symbol);
    if (is_name && selection.start == range.start) return;
    out_ += '@';
    if (selection == range) return;
    const bool on_first_line = selection.start.line == range.start.line;
    if (is_name && on_first_line) {
      append_number(out_, selection.start.character);
    } else if (is_name) {
      append_position(selection.start);
    } else if (on_first_line && selection.end.line == range.start.line) {
      append_number(out_, selection.start.character);
      out_ += '-';
      append_number(out_, selection.end.character);
    } else {
      append_range(out_, selection);
    }
  }

  bool is_as_long_as_name(const lsp::DocumentSymbol& symbol) const {
    const lsp::Range& selection = symbol.selection_range;
    if (selection.end.line != selection.start.line) return false;
    const std::uint64_t length = shown_.name ? name_length(symbol.name) : 0;
    return selection.start.character + length == selection.end.character;
  }

  // In UTF-16 units, of the name as the reader will see it.
  static std::uint64_t name_length(const std::string& name) {
    if (lsp::find_non_ascii(name) == std::string_view::npos) return name.size();
    return lsp::utf16_length(lsp::to_valid_utf8(name));
  }

  void append_position(const lsp::Position& position) {
    append_number(out_, position.line);
    out_ += ':';
    append_number(out_, position.character);
  }

  void append_lines(const lsp::Range& range) {
    append_number(out_, std::uint64_t{range.start.line} + 1);
    if (range.end.line == range.start.line) return;
    out_ += '-';
    append_number(out_, std::uint64_t{range.end.line} + 1);
  }

  void append_keys(std::size_t row, std::uint32_t depth) {
    const lsp::DocumentSymbol& symbol = rows_.tree.symbols[row];
    if (shown_.container) append_text_key(tree_container_key, symbol.container_name);
    if (shown_.detail) append_text_key(field_name(Field::detail), symbol.detail);
    if (shown_.lines) {
      append_key(field_name(Field::lines));
      append_lines(symbol.range);
    }
    if (row < rows_.hover_parts.size()) {
      const HoverText& hover = rows_.hover_parts[row];
      if (shown_.signature) append_text_key(field_name(Field::signature), hover.signature);
      if (shown_.doc) append_text_key(field_name(Field::doc), first_sentence(hover.prose));
    }
    if (shown_.depth) {
      append_key(field_name(Field::depth));
      append_number(out_, depth);
    }
    if (shown_.children && child_counts_[row] > 0) {
      append_key(field_name(Field::children));
      append_number(out_, child_counts_[row]);
    }
    if (shown_.tags && !symbol.tags.empty()) {
      append_key(field_name(Field::tags));
      for (std::size_t i = 0; i < symbol.tags.size(); ++i) {
        if (i > 0) out_ += ' ';
        append_number(out_, symbol.tags[i]);
      }
    }
  }

  void append_key(std::string_view key) {
    out_ += '\t';
    out_ += key;
    out_ += '=';
  }
  void append_text_key(std::string_view key, std::string_view text) {
    if (text.empty()) return;
    append_key(key);
    tree_text_escape.append(out_, text);
  }

  const SymbolRows& rows_;
  const Shown shown_;
  const bool kind_names_;
  std::vector<std::uint32_t> child_counts_;
  std::string out_;
};

}  // namespace

std::string write_tree(const SymbolRows& rows, const View& view) {
  return TreeWriter(rows, view).write();
}

}  // namespace symbols::table
