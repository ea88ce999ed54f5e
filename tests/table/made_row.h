// A row made by hand, for tests of cases.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "lsp/document_symbol.h"

namespace symbols::table {

// Its selection is the empty range at the range's start.
inline lsp::DocumentSymbol row(std::string name, std::int64_t kind, lsp::Range range, std::int32_t parent,
                               std::string container = {}) {
  lsp::DocumentSymbol made;
  made.name = std::move(name);
  made.kind = kind;
  made.range = range;
  made.selection_range = {range.start, range.start};
  made.parent = parent;
  made.container_name = std::move(container);
  return made;
}

}  // namespace symbols::table
