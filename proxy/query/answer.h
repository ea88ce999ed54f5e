// What a request of the client gets in the end: the result or the error object, as raw JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/position_encoding.h"
#include "lsp/range.h"
#include "proxy/options/answer_options.h"
#include "table/diagnostics_text.h"
#include "table/rows.h"

namespace symbols::query {

struct Answer {
  bool failed = false;
  std::string json;  // pure ASCII, but where it is the server's own

  static Answer error(int code, std::string_view message);
};

// How a documentSymbol answer is to look beside its options.
struct SymbolAnswerStyle {
  std::string uri;
  // `json` for a client that did not declare the hierarchy: SymbolInformation[].
  bool flat = false;
  // In what positions count: for the end of the document.
  lsp::PositionEncoding encoding = lsp::PositionEncoding::utf16;
  // There is no such document: that it has no symbols is not to be believed.
  bool unknown = false;
};

// What an answer tells beside the symbols.
struct BesideSymbols {
  std::size_t hovers_missing = 0;
  table::Diagnostics diagnostics{};  // at most as many as were asked for
  // UTF-8; tells where the document ends, else the symbols' ends do. Empty where it is not known.
  std::string_view document_text{};
};

// `,"meta":{…}`, which tells what is missing of an answer; empty where nothing is: how many rows' hovers,
// what a budget left out, each part that failed (its member's name and the reason), and fields that there are
// not.
std::string meta_member(std::size_t hovers_missing, std::string_view truncated,
                        const std::vector<std::pair<std::string, std::string>>& failed_parts,
                        const std::vector<std::string>& unknown_fields = {});

// The result for `rows`: docs/spec.md, sections 2, 6 and 7. What is missing is told in `meta`.
std::string write_symbol_answer(const table::SymbolRows& rows, const options::AnswerOptions& options,
                                const SymbolAnswerStyle& style, BesideSymbols beside);

}  // namespace symbols::query
