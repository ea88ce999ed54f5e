// Rows from recorded replies of a server: a documentSymbol reply and the hover replies that belong to it
// (`symbols convert --hovers FILE`).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "table/hover/hover_text.h"
#include "table/rows.h"

namespace symbols::table {

// `symbols`: the result of a documentSymbol request, in any of its forms. `hovers`: a JSON array of the
// results of one hover request for each symbol, in pre-order, null where the server had none. Without it the
// rows have no hovers. With it they have the flattened hovers, cut to `hover_chars` Unicode scalar values (0
// for no limit), and both parts of each, as if the server had been asked.
//
// Errors: JSON that is invalid or of another shape, with line and column, both from 1; a number of hovers
// that differs from that of the symbols, with both numbers.
Result<SymbolRows> read_raw_reply(std::string_view symbols, std::optional<std::string_view> hovers,
                                  std::size_t hover_chars = default_hover_characters);

}  // namespace symbols::table
