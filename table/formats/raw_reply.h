// Rows from what a server said, as it was recorded: a documentSymbol reply and the hover replies that go with
// it (`symbols convert --hovers FILE`).
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
// rows have no hovers; with it they have them both flattened, cut to `hover_chars` Unicode scalar values (0
// for no limit), and in their two parts, as if the server had been asked.
//
// Errors: JSON that cannot be read, or is not what it should be, with line and column, both from 1; a number
// of hovers that is not that of the symbols, with both.
Result<SymbolRows> read_raw_reply(std::string_view symbols, std::optional<std::string_view> hovers,
                                  std::size_t hover_chars = default_hover_characters);

}  // namespace symbols::table
