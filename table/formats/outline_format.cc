// A plain-text outline for people and chat agents:
//
//   [L80] (f+2) presentAssistantMessage
//     async function presentAssistantMessage(params: PresentAssistantMessageParams): Promise<void>
//     [L25] (f) countLines
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "table/escape.h"
#include "table/formats/format.h"
#include "table/formats/row_cells.h"
#include "table/rows.h"

namespace symbols::table {

std::string write_outline(const SymbolRows& rows, const View& view) {
  // Of a hover, its parts say nothing more.
  View summary;
  for (const Field field : {Field::hover, Field::signature, Field::doc, Field::detail}) {
    const bool is_part = field == Field::signature || field == Field::doc;
    if (view.shows(field) && !(is_part && view.shows(Field::hover))) summary.fields.push_back(field);
  }
  const std::vector<std::uint32_t> depths = row_depths(rows);
  const std::vector<std::uint32_t> children = child_counts(rows);
  RowCells cells(rows, summary);
  std::string out;
  for (std::size_t row = 0; cells.next(); ++row) {
    const Row& symbol = rows.all[row];
    const std::size_t indent = 2 * std::min<std::size_t>(depths[row], max_indent);
    if (row > 0) out += '\n';
    append_position(out, view, rows, row);
    out.append(indent, ' ');
    out += "[L";
    append_number(out, std::uint64_t{symbol.selection_range.start.line} + 1);
    out += "] (";
    append_kind(out, symbol.kind, view.kind_names);
    append_folded(out, {.inside = children[row] + symbol.folded.inside});
    out += ") ";
    plain_escape.append(out, symbol.name);
    if (symbol.folded.after > 0) {
      out += ' ';
      append_folded(out, symbol.folded);
    }

    bool has_summary = false;  // the line below the header, started by its first text
    for (const Field field : summary.fields) {
      const std::string_view text = cells.cell(field).text;
      if (text.empty()) continue;
      if (std::exchange(has_summary, true)) {
        out += " - ";
      } else {
        out += '\n';
        append_position(out, view, rows, row);
        out.append(indent + 2, ' ');
        if (text.front() == '[' || text.front() == ' ') out += '\\';
      }
      plain_escape.append(out, text);
    }
  }
  return out;
}

}  // namespace symbols::table
