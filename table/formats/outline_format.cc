#include "table/formats/outline_format.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/append_number.h"
#include "table/escape.h"
#include "table/formats/folded_mark.h"
#include "table/formats/kind_letters.h"
#include "table/hover/first_sentence.h"

namespace symbols::table {
namespace {

constexpr CellEscape text_escape("");

// The blanks before 100,000 levels would be gigabytes.
constexpr std::uint32_t deepest_indent = 100;

// A size estimate that avoids reallocation if little is escaped.
std::size_t expected_size(const SymbolRows& rows, bool with_hover) {
  constexpr std::size_t marks = 30;  // of one row, at four levels
  std::size_t size = 0;
  for (std::size_t row = 0; row < rows.tree.symbols.size(); ++row) {
    size += rows.tree.symbols[row].name.size() + marks;
    if (with_hover) size += rows.hover(row).size() + marks;
  }
  return size;
}

void append_header(std::string& out, const lsp::DocumentSymbol& symbol, std::uint32_t children,
                   bool kind_names) {
  out += "[L";
  append_number(out, std::uint64_t{symbol.selection_range.start.line} + 1);
  out += "] (";
  append_kind(out, symbol.kind, kind_names);
  if (children > 0) {
    out += '+';
    append_number(out, children);
  }
  out += ") ";
  text_escape.append(out, symbol.name);
}

// The line below a header, started by its first text.
class Summary {
 public:
  Summary(std::string& out, std::size_t indent) : out_(out), indent_(indent) {}

  void add(std::string_view text) {
    if (text.empty()) return;
    if (started_) {
      out_ += " - ";
    } else {
      out_ += '\n';
      out_.append(indent_, ' ');
      if (text.front() == '[' || text.front() == ' ') out_ += '\\';
      started_ = true;
    }
    text_escape.append(out_, text);
  }

 private:
  std::string& out_;
  const std::size_t indent_;
  bool started_ = false;
};

}  // namespace

std::string write_outline(const SymbolRows& rows, const View& view) {
  const bool hover = view.shows(Field::hover);
  const bool signature = !hover && view.shows(Field::signature);
  const bool doc = !hover && view.shows(Field::doc);
  const bool detail = view.shows(Field::detail);
  const std::vector<std::uint32_t> depths = symbol_depths(rows.tree);
  const std::vector<std::uint32_t> children = child_counts(rows.tree, rows.left_out);

  std::string out;
  out.reserve(expected_size(rows, hover));
  for (std::size_t row = 0; row < rows.tree.symbols.size(); ++row) {
    const lsp::DocumentSymbol& symbol = rows.tree.symbols[row];
    const std::size_t indent = std::size_t{2} * std::min(depths[row], deepest_indent);
    if (row > 0) out += '\n';
    out.append(indent, ' ');
    const Folded folded = rows.folded_at(row);
    append_header(out, symbol, children[row] + folded.inside, view.kind_names);
    if (folded.after > 0) {
      out += ' ';
      append_folded(out, folded);
    }

    Summary summary(out, indent + 2);
    if (hover) summary.add(rows.hover(row));
    if (row < rows.hover_parts.size()) {
      if (signature) summary.add(rows.hover_parts[row].signature);
      if (doc) summary.add(first_sentence(rows.hover_parts[row].prose));
    }
    if (detail) summary.add(symbol.detail);
  }
  return out;
}

}  // namespace symbols::table
