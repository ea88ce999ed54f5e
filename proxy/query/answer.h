// The answer to a client's request: the result or the error object, as raw JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/position.h"
#include "proxy/options/answer_options.h"
#include "proxy/query/source_errors.h"
#include "table/diagnostics_text.h"
#include "table/rows.h"

namespace symbols::query {

struct Answer {
  bool failed = false;
  std::string json;  // pure ASCII, except for what the server wrote itself

  static Answer error(int code, std::string_view message);
};

// What the form of a documentSymbol answer depends on besides its options.
struct SymbolAnswerStyle {
  std::string uri;
  // The client did not declare hierarchical symbols: `json` means SymbolInformation[].
  bool flat = false;
  // The unit of the document's end position.
  lsp::PositionEncoding encoding = lsp::PositionEncoding::utf16;
  // There is no such document, so an empty reply is not taken to mean that it has no symbols.
  bool unknown = false;
};

// What an answer contains besides the symbols.
struct BesideSymbols {
  std::size_t hovers_missing = 0;
  table::Diagnostics diagnostics{};  // no more than were requested
  std::optional<SourceErrors> source_errors{};
  // UTF-8. Tells where the document ends; if it is not known (empty), the last symbol's end is taken.
  std::string_view document_text{};
};

// `,"meta":{…}`, which lists what an answer lacks: the number of rows without their hover, what a budget left
// out, each part that failed or is doubtful (its member's name and the reason), and unknown fields. Empty if
// nothing is missing.
std::string meta_member(std::size_t hovers_missing, std::string_view truncated,
                        const std::vector<std::pair<std::string, std::string>>& failed_parts,
                        const std::vector<std::string>& unknown_fields = {});

// The result for `rows`: docs/spec.md, sections 2, 6 and 7. What is missing is listed in `meta`.
std::string write_symbol_answer(const table::SymbolRows& rows, const options::AnswerOptions& options,
                                const SymbolAnswerStyle& style, BesideSymbols beside);

}  // namespace symbols::query
