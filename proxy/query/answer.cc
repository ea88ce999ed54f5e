#include "proxy/query/answer.h"

#include <fmt/format.h>

#include <algorithm>

#include "lsp/json/json.h"
#include "lsp/messages.h"
#include "lsp/position.h"
#include "lsp/symbol_information.h"
#include "table/formats/format.h"

namespace symbols::query {
namespace {

// One DocumentSymbol that spans the whole document and has the whole text as its name: for clients that
// accept nothing else and show names.
std::string carried_by_symbol(const table::SymbolRows& rows, std::string_view text, lsp::Position end) {
  for (const table::Row& row : rows.all) end = std::max(end, row.range.end);
  return fmt::format(
      R"([{{"name":{},"kind":{},"range":{{"start":{{"line":0,"character":0}},"end":{{"line":{},"character":{}}}}},"selectionRange":{{"start":{{"line":0,"character":0}},"end":{{"line":0,"character":0}}}},"children":[]}}])",
      lsp::json_string(text), static_cast<int>(lsp::SymbolKind::file), end.line, end.character);
}

}  // namespace

Answer Answer::error(int code, std::string_view message) {
  return {true, lsp::error_json(code, message)};
}

std::string meta_member(std::size_t hovers_missing, std::string_view truncated,
                        const std::vector<std::pair<std::string, std::string>>& failed_parts,
                        const std::vector<std::string>& unknown_fields) {
  std::string meta;
  const auto append = [&meta](std::string_view name, std::string_view value) {
    meta += fmt::format(R"({}"{}":{})", meta.empty() ? "" : ",", name, value);
  };
  if (hovers_missing > 0) append("hovers_missing", std::to_string(hovers_missing));
  if (!truncated.empty()) append("truncated", lsp::json_string(truncated));
  for (const auto& [name, reason] : failed_parts) append(name, lsp::json_string(reason));
  if (!unknown_fields.empty()) {
    std::string list;
    for (const std::string& field : unknown_fields)
      list += (list.empty() ? "" : ",") + lsp::json_string(field);
    append("unknown_fields", '[' + list + ']');
  }
  return meta.empty() ? meta : R"(,"meta":{)" + meta + '}';
}

std::string write_symbol_answer(const table::SymbolRows& rows, const options::AnswerOptions& options,
                                const SymbolAnswerStyle& style, BesideSymbols beside) {
  if (!options.is_text() && style.flat && !options.counts()) {
    return lsp::write_symbol_information_json(table::tree_of(rows), style.uri);
  }
  const bool carried = options.carrier.value_or(options::Carrier::object) == options::Carrier::symbol;
  const auto place = carried ? table::DiagnosticsPlace::behind_rows : table::DiagnosticsPlace::lines_beside;
  const table::BesideRows beside_rows =
      options.is_text() ? fit_diagnostics(beside.diagnostics, place, options.token_limit())
                        : table::BesideRows{};
  const table::BudgetedText rendered = table::render(rows, options.rendering(), beside_rows);
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
  std::vector<std::pair<std::string, std::string>> failed_parts;
  if (const std::string& failure = beside.diagnostics.failure; !failure.empty()) {
    failed_parts.emplace_back("_diagnostics_error", failure);
  }
  if (beside.source_errors) failed_parts.emplace_back("source_errors", text_of(*beside.source_errors));
  json += meta_member(beside.hovers_missing, rendered.notice, failed_parts, options.unknown_fields);
  json += '}';
  return json;
}

}  // namespace symbols::query
