#include "proxy/query/symbol_query.h"

#include <optional>
#include <utility>

#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"

namespace symbols::query {
namespace {

// Whether the result is a SymbolInformation[] (empty ones too): it has a location where a DocumentSymbol has
// ranges.
bool is_flat(std::string_view result) {
  const std::optional<std::string_view> first = lsp::first_element(result);
  return !first || lsp::member_value(*first, "location").has_value();
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
          [this](SymbolReply& reply) { return pass_reply(reply); }) {
  style_.encoding = services_.capabilities.position_encoding;
}

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

void SymbolQuery::finish(DocumentOutcome outcome) {
  const std::shared_ptr<const std::string> text =
      options_.carrier == options::Carrier::symbol ? services_.text(style_.uri) : nullptr;
  answer(
      {false, write_symbol_answer(*outcome.rows, options_, style_,
                                  {.hovers_missing = outcome.hovers.missing,
                                   .diagnostics = std::move(outcome.diagnostics),
                                   .source_errors = std::move(outcome.source_errors),
                                   .document_text = text ? std::string_view(*text) : std::string_view()})});
}

bool SymbolQuery::answer(Answer answer) {
  if (const Done done = std::exchange(done_, {})) done(std::move(answer));
  return true;
}

}  // namespace symbols::query
