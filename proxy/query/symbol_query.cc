#include "proxy/query/symbol_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "lsp/document_symbol.h"
#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"
#include "lsp/position.h"
#include "table/formats/format.h"

namespace symbols::query {
namespace {

// Whether the result is a SymbolInformation[] (empty ones too): it has a location where a DocumentSymbol has
// ranges.
bool is_flat(std::string_view result) {
  const std::optional<std::string_view> first = lsp::first_element(result);
  return !first || lsp::member_value(*first, "location").has_value();
}

// One DocumentSymbol that spans the whole document and has the whole text as its name: for clients that
// accept nothing else and show names.
std::string carried_by_symbol(const table::SymbolRows& rows, std::string_view text, lsp::Position end) {
  for (const table::Row& row : rows.all) end = std::max(end, row.range.end);
  return fmt::format(
      R"([{{"name":{},"kind":{},"range":{{"start":{{"line":0,"character":0}},"end":{{"line":{},"character":{}}}}},"selectionRange":{{"start":{{"line":0,"character":0}},"end":{{"line":0,"character":0}}}},"children":[]}}])",
      lsp::json_string(text), static_cast<int>(lsp::SymbolKind::file), end.line, end.character);
}

DocumentQuestion question_of(const options::AnswerOptions& options, std::string uri, std::string params) {
  return {.uri = std::move(uri),
          .params = std::move(params),
          .selection = options.proxy_selection(),
          .hovers = options.wants_hovers(),
          .details_will_do = options.details_will_do(),
          .hover_form = {.characters = options.row_hover_chars(), .parts = options.wants_hover_parts()},
          .hover_limit = options.answer_timeout(),
          // LSP's own form has no place for diagnostics.
          .diagnostics = options.is_text() ? options.most_diagnostics() : 0,
          .diagnostics_limit = options.answer_timeout()};
}

}  // namespace

SymbolQuery::SymbolQuery(QueryServices services, std::string params, options::AnswerOptions options,
                         SymbolAnswerStyle style, Done done)
    : services_(std::move(services)),
      options_(options),
      style_(std::move(style)),
      done_(std::move(done)),
      document_(
          services_, question_of(options_, style_.uri, std::move(params)),
          [this](DocumentOutcome outcome) { finish(std::move(outcome)); },
          [this](SymbolReply& reply) { return pass_reply(reply); }) {}

// Answers at once if there is nothing to make of the reply: an error, one that is passed on unchanged, or one
// that cannot be understood. Returns whether it did.
bool SymbolQuery::pass_reply(SymbolReply& reply) {
  // Decoding shows whether it is whole: except for --stats, a large reply is read only once.
  const bool decodes = !reply.raw().failed && options_.is_text() && reply.tree();
  if (decodes && !services_.count) return refuse_unknown(reply);
  const std::string_view raw = lsp::whole_json_value(reply.raw().result);
  if (raw.empty())
    return answer(Answer::error(lsp::error_code::internal_error,
                                "the server's reply to documentSymbol is cut; see the server's log"));
  std::string storage;
  if (reply.raw().failed) return answer({true, std::string(lsp::ascii_json(raw, storage))});
  if (services_.count) services_.count(raw);
  // Without options that change it, the result stays as the server wrote it.
  if (!options_.is_text() && !options_.changes_rows() && (!style_.flat || is_flat(raw)))
    return answer({false, std::string(raw)});
  if (reply.tree()) return refuse_unknown(reply);
  services_.warn("a documentSymbol reply of the server is passed on as it is: " +
                 reply.tree().error().message);
  return answer({false, std::string(raw)});
}

// Answers an empty reply for a document that does not exist with an error. Returns whether it did.
bool SymbolQuery::refuse_unknown(SymbolReply& reply) {
  if (!style_.unknown || !options_.is_text() || !reply.tree()->symbols.empty()) return false;
  return answer(Answer::error(lsp::error_code::request_failed,
                              "there is no such file, and the client has not opened it: " + style_.uri));
}

// The result: docs/spec.md, sections 2, 6 and 7.
std::string SymbolQuery::write(DocumentOutcome& outcome) const {
  const table::SymbolRows& rows = *outcome.rows;
  if (!options_.is_text()) {
    return style_.flat && !options_.counts()
               ? lsp::write_symbol_information_json(table::tree_of(rows), style_.uri)
               : table::render(rows, options_.rendering()).text;
  }
  const bool carried = options_.carrier == options::Carrier::symbol;
  const auto place = carried ? table::DiagnosticsPlace::behind_rows : table::DiagnosticsPlace::lines_beside;
  const table::BudgetedText rendered = table::render(
      rows, options_.rendering(), table::fit_diagnostics(outcome.diagnostics, place, options_.token_limit()));
  if (carried) {
    const std::shared_ptr<const std::string> text = services_.text(style_.uri);
    const lsp::PositionIndex document(text ? std::string_view(*text) : std::string_view(),
                                      services_.capabilities.position_encoding);
    return carried_by_symbol(rows, rendered.text, document.position(text ? text->size() : 0));
  }
  std::string json = fmt::format(R"({{"success":true,"format":"{}","symbols":)",
                                 table::format_name(options_.format_or_default()));
  lsp::append_json_string(json, rendered.text);
  if (outcome.diagnostics.value) {
    std::string lines;
    table::append_diagnostics(lines, outcome.diagnostics);
    json += ",\"diagnostics\":" + lsp::json_string(lines);
  }
  std::vector<std::pair<std::string, std::string>> failed_parts;
  if (const std::string& failure = outcome.diagnostics.failure; !failure.empty())
    failed_parts.emplace_back("_diagnostics_error", failure);
  if (outcome.source_errors) failed_parts.emplace_back("source_errors", outcome.source_errors->text);
  json += meta_member(outcome.hovers.missing, rendered.notice, failed_parts, options_.unknown_fields);
  json += '}';
  return json;
}

bool SymbolQuery::answer(Answer answer) {
  if (const Done done = std::exchange(done_, {})) done(std::move(answer));
  return true;
}

}  // namespace symbols::query
