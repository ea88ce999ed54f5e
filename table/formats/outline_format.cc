// A plain-text outline for people and chat agents:
//
//   [L80] (f+2) presentAssistantMessage
//     async function presentAssistantMessage(params: PresentAssistantMessageParams): Promise<void>
//     [L25] (f) countLines
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "table/escape.h"
#include "table/formats/codecs.h"
#include "table/formats/row_cells.h"
#include "table/hover/prose.h"
#include "table/symbol_kind.h"

namespace symbols::table {
namespace {

constexpr CellEscape text_escape("");

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

}  // namespace

std::string write_outline(const SymbolRows& rows, const View& view) {
  const bool hover = view.shows(Field::hover);
  const bool signature = !hover && view.shows(Field::signature);
  const bool doc = !hover && view.shows(Field::doc);
  const bool detail = view.shows(Field::detail);
  const std::vector<std::uint32_t> depths = row_depths(rows);
  const std::vector<std::uint32_t> children = child_counts(rows);

  std::string out;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const Row& symbol = rows.all[row];
    const std::size_t indent = 2 * std::min<std::size_t>(depths[row], max_indent);
    if (row > 0) out += '\n';
    append_position(out, view, rows, row);
    out.append(indent, ' ');
    append_header(out, symbol, children[row] + symbol.folded.inside, view.kind_names);
    if (symbol.folded.after > 0) {
      out += ' ';
      append_folded(out, symbol.folded);
    }

    bool has_summary = false;  // the line below the header, started by its first text
    const auto add = [&](std::string_view text) {
      if (text.empty()) return;
      if (has_summary) {
        out += " - ";
      } else {
        out += '\n';
        append_position(out, view, rows, row);
        out.append(indent + 2, ' ');
        if (text.front() == '[' || text.front() == ' ') out += '\\';
        has_summary = true;
      }
      text_escape.append(out, text);
    };
    if (hover) add(symbol.hover);
    if (signature) add(symbol.hover_parts.signature);
    if (doc) add(first_sentence(symbol.hover_parts.prose));
    if (detail) add(symbol.detail);
  }
  return out;
}

}  // namespace symbols::table
