#include "proxy/query/answer.h"

#include <fmt/format.h>

#include <algorithm>

#include "lsp/json/json.h"
#include "lsp/json_rpc.h"
#include "lsp/position_index.h"
#include "lsp/symbol_information.h"
#include "table/formats/format.h"

namespace symbols::query {
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

std::string string_list(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ",") + lsp::json_string(text);
  return '[' + list + ']';
}

}  // namespace

Answer Answer::error(int code, std::string_view message) {
  return {true, lsp::error_json(code, message)};
}

std::string write_symbol_answer(const table::SymbolRows& rows, const options::AnswerOptions& options,
                                const SymbolAnswerStyle& style, BesideSymbols beside) {
  if (!options.is_text() && style.flat && !options.counts()) {
    return lsp::write_symbol_information_json(rows.tree, style.uri);
  }
  const bool carried = options.carrier.value_or(options::Carrier::object) == options::Carrier::symbol;
  const auto place = carried ? table::DiagnosticsPlace::behind_rows : table::DiagnosticsPlace::lines_beside;
  const table::BesideRows told_beside = options.is_text()
                                            ? fit_diagnostics(beside.diagnostics, place, options.max_tokens)
                                            : table::BesideRows{};
  const table::Rendered rendered = table::render(rows, options.rendering(), told_beside);
  if (!options.is_text()) return rendered.text;
  if (carried) {
    const lsp::PositionIndex document(beside.document_text, style.encoding);
    return carried_by_symbol(rows, rendered.text, document.position(beside.document_text.size()));
  }
  std::string json = fmt::format(R"({{"success":true,"format":"{}","symbols":)",
                                 table::format_name(options.format_or_default()));
  lsp::append_json_string(json, rendered.text);
  if (beside.diagnostics.value) {
    std::string lines;
    append_diagnostics(lines, beside.diagnostics);
    json += ",\"diagnostics\":";
    lsp::append_json_string(json, lines);
  }
  std::string meta;
  const auto tell = [&meta](std::string_view name, std::string_view value) {
    meta += fmt::format(R"({}"{}":{})", meta.empty() ? "" : ",", name, value);
  };
  if (beside.hovers_missing > 0) tell("hovers_missing", std::to_string(beside.hovers_missing));
  if (!rendered.notice.empty()) tell("truncated", lsp::json_string(rendered.notice));
  if (const std::string& failure = beside.diagnostics.failure; !failure.empty()) {
    tell("_diagnostics_error", lsp::json_string(failure));
  }
  if (!options.unknown_fields.empty()) tell("unknown_fields", string_list(options.unknown_fields));
  if (!meta.empty()) json += R"(,"meta":{)" + meta + '}';
  json += '}';
  return json;
}

}  // namespace symbols::query
