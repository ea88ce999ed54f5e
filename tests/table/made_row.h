// Rows made by hand, for tests of cases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "table/formats/format.h"
#include "table/rows.h"

namespace symbols::table {

inline lsp::DocumentSymbol symbol(std::string name, std::int64_t kind, lsp::Range range, lsp::Range selection,
                                  std::int32_t parent = -1) {
  return {
      .name = std::move(name), .kind = kind, .range = range, .selection_range = selection, .parent = parent};
}

// Its selection is the empty range at the range's start.
inline lsp::DocumentSymbol row(std::string name, std::int64_t kind, lsp::Range range, std::int32_t parent,
                               std::string container = {}) {
  return {.name = std::move(name),
          .kind = kind,
          .range = range,
          .selection_range = {range.start, range.start},
          .parent = parent,
          .container_name = std::move(container)};
}

// Without hovers.
inline SymbolRows made_rows(lsp::SymbolTree tree) {
  return tree;
}

// With hovers; those missing at the end are empty.
inline SymbolRows made_rows(lsp::SymbolTree tree, std::vector<std::string> hovers,
                            std::vector<HoverText> parts = {}) {
  SymbolRows rows = std::move(tree);
  rows.with_hover = true;
  hovers.resize(rows.size());
  parts.resize(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    rows.all[row].hover = std::move(hovers[row]);
    rows.all[row].hover_parts = std::move(parts[row]);
  }
  return rows;
}

// The table that an answer has if no other fields were requested.
inline std::string write_table(const SymbolRows& rows) {
  return write_table(rows, {fields_of(rows.with_hover ? Verbosity::full : Verbosity::standard)});
}

inline std::vector<std::string> hovers_of(const SymbolRows& rows) {
  std::vector<std::string> hovers;
  for (const Row& row : rows.all) hovers.push_back(row.hover);
  return hovers;
}

// Each row's hover is its number, by which it is found again where some were selected.
inline SymbolRows numbered(SymbolRows rows) {
  for (std::size_t row = 0; row < rows.size(); ++row) rows.all[row].hover = std::to_string(row);
  return rows;
}
inline std::vector<std::size_t> numbers_of(const SymbolRows& rows) {
  std::vector<std::size_t> numbers;
  for (const Row& row : rows.all) numbers.push_back(std::stoul(row.hover));
  return numbers;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (const std::string_view line : split(text, '\n')) lines.emplace_back(line);
  if (text.empty() || text.ends_with('\n')) lines.emplace_back();
  return lines;
}

}  // namespace symbols::table
