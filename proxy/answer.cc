#include "proxy/answer.h"

#include <fmt/format.h>

#include <algorithm>

#include "lsp/document_text.h"
#include "lsp/json.h"
#include "lsp/symbol_information.h"
#include "table/json_format.h"
#include "table/table_format.h"

namespace symbols::proxy {
namespace {

constexpr int file_kind = 1;  // LSP's SymbolKind.File

// One DocumentSymbol that stands for the whole document and is called by the whole text: for clients that
// take nothing else and show names.
std::string carried_by_symbol(const table::SymbolRows& rows, std::string_view text, lsp::Position end) {
  for (const lsp::DocumentSymbol& symbol : rows.tree.symbols) end = std::max(end, symbol.range.end);
  return fmt::format(
      R"([{{"name":{},"kind":{},"range":{{"start":{{"line":0,"character":0}},"end":{{"line":{},"character":{}}}}},"selectionRange":{{"start":{{"line":0,"character":0}},"end":{{"line":0,"character":0}}}},"children":[]}}])",
      lsp::json_string(text), file_kind, end.line, end.character);
}

}  // namespace

Answer Answer::error(int code, std::string_view message) {
  return {true, fmt::format(R"({{"code":{},"message":{}}})", code, lsp::json_string(message))};
}

std::string write_symbol_answer(const table::SymbolRows& rows, const AnswerOptions& options,
                                const SymbolAnswerStyle& style, std::size_t hovers_missing,
                                std::string_view document_text) {
  if (!options.is_text()) {
    if (style.flat) return lsp::write_symbol_information_json(rows.tree, style.uri);
    return table::write_document_symbols_json(rows, options.wants_hovers());
  }
  const std::string text = table::write_table(rows);
  if (options.carrier.value_or(Carrier::object) == Carrier::symbol) {
    return carried_by_symbol(rows, text,
                             lsp::DocumentText(document_text, style.encoding).position(document_text.size()));
  }
  std::string json = R"({"success":true,"format":"table","symbols":)";
  lsp::append_json_string(json, text);
  if (hovers_missing > 0) json += fmt::format(R"(,"meta":{{"hovers_missing":{}}})", hovers_missing);
  json += '}';
  return json;
}

}  // namespace symbols::proxy
