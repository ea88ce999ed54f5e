#include "proxy/session/answering.h"

#include <fmt/format.h>

#include <algorithm>

#include "lsp/json/json.h"
#include "lsp/json/json_document.h"
#include "lsp/json/raw_json.h"
#include "lsp/requests.h"
#include "lsp/uri.h"
#include "proxy/options/option_table.h"
#include "proxy/query/query_services.h"
#include "proxy/servers/clangd_settings.h"

namespace symbols::session {
namespace {

constexpr std::size_t hovers_in_flight = 32;  // docs/spec.md, section 7
// Of all tables that are being made: many times what any server answers in the ten seconds that they wait.
constexpr std::size_t max_hovers_waiting = std::size_t{1} << 18;

}  // namespace

// The documents of one symbols.documentSymbols (docs/spec.md, section 7).
struct DocumentBatch {
  // So many documents are asked about at a time; as many may have to be opened for the client.
  static constexpr std::size_t at_a_time = 16;

  std::vector<std::string> uris;
  bool several = false;  // they were asked for as a list, and are answered as one
  options::AnswerOptions options;
  std::vector<std::optional<query::Answer>> answers{};  // as many
  std::size_t next = 0;                                 // to be asked about
  std::size_t answered = 0;

  // The answer to a list, once all are answered: in the order asked, those that failed beside the others.
  std::string text() const {
    std::string results;
    std::string errors;
    for (std::size_t i = 0; i < uris.size(); ++i) {
      std::string& list = answers[i]->failed ? errors : results;
      list += fmt::format(R"({}{{"uri":{},"{}":{}}})", list.empty() ? "" : ",", lsp::json_string(uris[i]),
                          answers[i]->failed ? "error" : "result", answers[i]->json);
    }
    return fmt::format(R"({{"results":[{}],"errors":[{}]}})", results, errors);
  }
};

void TrafficStats::add_before(std::string_view method, std::string_view replied, table::Tokenizer tokenizer) {
  Count& count = methods_[std::string(method)];
  count.bytes_before += replied.size();
  count.tokens_before += table::estimate_tokens(replied, tokenizer);
}

void TrafficStats::add_after(std::string_view method, std::string_view answered, table::Tokenizer tokenizer) {
  Count& count = methods_[std::string(method)];
  ++count.requests;
  count.bytes_after += answered.size();
  count.tokens_after += table::estimate_tokens(answered, tokenizer);
}

std::string TrafficStats::report() const {
  if (methods_.empty()) return "symbols: nothing was intercepted\n";
  std::string text;
  for (const auto& [method, count] : methods_) {
    text += fmt::format("symbols: {}: {} answered, {} -> {} bytes, about {} -> {} tokens\n", method,
                        count.requests, count.bytes_before, count.bytes_after, count.tokens_before,
                        count.tokens_after);
  }
  return text;
}

Answering::Answering(SessionState& state, SessionDocuments& documents, RequestQueue& requests,
                     TrafficStats* stats, const servers::ServerSpec* server, Callbacks callbacks)
    : state_(state),
      documents_(documents),
      requests_(requests),
      stats_(stats),
      server_(server),
      callbacks_(std::move(callbacks)),
      hovers_(requests_.own(), callbacks_.timers,
              {.in_flight = hovers_in_flight, .cache = true, .max_waiting = max_hovers_waiting}),
      symbols_(requests_.own(), callbacks_.timers,
               [this](std::string_view uri) { return documents_.text(uri); }) {}

bool Answering::take(std::string_view body, const lsp::Envelope& request) {
  if (request.method == "textDocument/documentSymbol" || request.method == "textDocument/hover")
    return take_question(body, request);
  if (request.method == "workspace/executeCommand") return take_execute_command(request);
  return false;
}

// documentSymbol and hover. The server has to refuse params that are not JSON: ours would carry the same
// fault under an id of ours, which a server that cannot read it never answers.
bool Answering::take_question(std::string_view body, const lsp::Envelope& request) {
  const bool is_hover = request.method == "textDocument/hover";
  const std::string_view raw = lsp::whole_json_value(request.rest);
  const Result<rapidjson::Document> json = lsp::parse_json(raw);
  const rapidjson::Value* const document = json ? lsp::member(*json, "textDocument") : nullptr;
  const std::optional<std::string> uri = document ? lsp::string_member(*document, "uri") : std::nullopt;
  if (!uri) return false;
  const std::optional<lsp::Position> position = lsp::read_position(lsp::member(*json, "position"));
  if (is_hover && !position) return false;
  const Result<options::AnswerOptions> options = options_of(raw, !is_hover);
  if (!options) return refuse(request, options.error());
  std::string params = *lsp::without_members(raw, options::answer_option_names());
  // The proxy may have declared the hierarchy for the client: one that does not know it must not get it.
  const bool flat = !options->is_text() && state_.options().is_text() && !state_.client.hierarchical_symbols;
  const bool passes = is_hover ? options->hover_reply_or_default() == options::HoverReply::standard
                               : !options->is_text() && !options->changes_rows() && !flat;
  if (passes) {
    const std::optional<std::string> changed =
        params == raw ? std::nullopt : lsp::with_value_at(body, {"params"}, params);
    if (!changed) return false;  // the document is opened as for all requests that pass
    open_document(*uri);
    requests_.add(request.id);
    callbacks_.to_server(*changed);
    return true;
  }
  const std::optional<std::uint64_t> added = add_query(request);
  if (!added) return true;
  const std::uint64_t number = *added;
  const auto done = [this, number](const query::Answer& reply) { answer(number, reply); };
  if (!is_hover) {
    // Symbols that come in parts could not be put together to one answer.
    params = *lsp::without_members(params, {"partialResultToken"});
    start_symbols(number, 0, std::move(params), *options, *uri, flat, done);
    return true;
  }
  hold_document(number, 0, *uri);
  const auto hover = std::make_shared<query::HoverQuery>(
      services(request.method), symbols_,
      query::HoverQuestion{
          .uri = *uri, .position = *position, .params = std::move(params), .options = *options},
      done);
  queries_.at(number).hover = hover;
  return true;
}

void Answering::start_symbols(std::uint64_t number, std::size_t place, std::string params,
                              const options::AnswerOptions& options, const std::string& uri, bool flat,
                              query::SymbolQuery::Done done) {
  hold_document(number, place, uri);
  const query::SymbolAnswerStyle style{.uri = uri, .flat = flat, .unknown = documents_.is_unknown(uri)};
  Query& query = queries_.at(number);
  const auto symbols = std::make_shared<query::SymbolQuery>(services(query.method), std::move(params),
                                                            options, style, std::move(done));
  query.symbols.emplace(place, symbols);
}

bool Answering::take_execute_command(const lsp::Envelope& request) {
  const std::string_view params = lsp::whole_json_value(request.rest);
  const auto command = lsp::json_string_text(lsp::member_value(params, "command").value_or(""));
  if ((command != symbols_command && command != context_command) || !lsp::parse_json(params)) return false;
  const auto argument = lsp::first_element(lsp::member_value(params, "arguments").value_or(""));
  if (!argument || !argument->starts_with('{')) {
    return refuse(request, Error{fmt::format("{}: its argument is one object", *command),
                                 R"(give [{"textDocument":{"uri":…}}])"});
  }
  return command == context_command ? take_context_command(request, *argument)
                                    : take_symbols_command(request, *argument);
}

bool Answering::take_symbols_command(const lsp::Envelope& request, std::string_view argument) {
  const Result<options::AnswerOptions> options = options_of(argument, true);
  if (!options) return refuse(request, options.error());
  const auto several = lsp::member_value(argument, "textDocuments");
  std::vector<std::string> uris;
  if (several) {
    Result<std::vector<std::string>> listed = query::document_uris(*several);
    if (!listed) return refuse(request, listed.error());
    uris = std::move(*listed);
  } else if (const auto uri = query::document_uri(argument)) {
    uris.push_back(*uri);
  } else {
    return refuse(request, Error{fmt::format("{}: no document", symbols_command),
                                 "give textDocument or textDocuments, with a uri each"});
  }
  const std::optional<std::uint64_t> number = add_query(request);
  if (!number) return true;
  const auto batch = std::make_shared<DocumentBatch>(
      DocumentBatch{.uris = std::move(uris), .several = several.has_value(), .options = *options});
  batch->answers.resize(batch->uris.size());
  for (std::size_t i = 0; i < DocumentBatch::at_a_time; ++i) ask_next_document(*number, batch);
  return true;
}

void Answering::ask_next_document(std::uint64_t number, const std::shared_ptr<DocumentBatch>& batch) {
  if (!queries_.contains(number)) return;  // answered, or cancelled
  if (batch->answered == batch->uris.size()) return answer(number, {false, batch->text()});
  if (batch->next == batch->uris.size()) return;
  const std::size_t index = batch->next++;
  const bool flat = !batch->options.is_text() && !state_.client.hierarchical_symbols;
  start_symbols(number, index, {}, batch->options, batch->uris[index], flat,
                [this, number, batch, index](query::Answer reply) {
                  if (!batch->several) return answer(number, reply);
                  batch->answers[index] = std::move(reply);
                  ++batch->answered;
                  Query& query = queries_.at(number);
                  query.held.erase(index);
                  query.symbols.erase(index);
                  ask_next_document(number, batch);
                });
}

bool Answering::take_context_command(const lsp::Envelope& request, std::string_view argument) {
  Result<query::ContextQuestion> question = query::read_context_question(argument, state_.options());
  if (!question) return refuse(request, question.error());
  const std::optional<std::uint64_t> number = add_query(request);
  if (!number) return true;
  const std::optional<std::string> file = lsp::file_path(question->uri);
  if (file && server_ != nullptr && server_->kind == servers::ServerKind::clangd &&
      servers::knows_open_files_only(state_.settings.server_arguments, *file)) {
    question->completeness = query::completeness({.open_files_only = true}, {}, {});
  }
  hold_document(*number, 0, question->uri);
  const auto context = std::make_shared<query::ContextQuery>(
      services(request.method), *question, question->options.answer_timeout(),
      [this, number = *number, asked = *question](const query::ContextOutcome& outcome) {
        answer(number, query::write_context_answer(outcome, asked));
      });
  queries_.at(*number).context = context;
  return true;
}

bool Answering::cancel(std::string_view client_id) {
  const auto found = std::ranges::find_if(
      queries_, [client_id](const auto& entry) { return entry.second.client_id == client_id; });
  if (found == queries_.end()) return false;
  const auto cancelled = queries_.extract(found);
  requests_.answer(client_id,
                   query::Answer::error(lsp::error_code::request_cancelled, "cancelled by the client"));
  return true;
}

// --- what the queries share

bool Answering::refuse(const lsp::Envelope& request, const Error& error) {
  requests_.refuse(request.id, lsp::error_code::invalid_params, error.text());
  return true;
}

std::optional<std::uint64_t> Answering::add_query(const lsp::Envelope& request) {
  if (queries_.size() >= max_queries) {
    requests_.refuse(
        request.id, lsp::error_code::request_failed,
        fmt::format("{} requests are being answered already; wait for some of them", max_queries));
    return {};
  }
  requests_.add(request.id);
  queries_.emplace(++last_query_, Query{.client_id = std::string(request.id), .method = request.method});
  return last_query_;
}

void Answering::answer(std::uint64_t number, const query::Answer& answer) {
  const auto taken = queries_.extract(number);
  if (taken.empty()) return;
  const Query& query = taken.mapped();
  if (stats_ != nullptr)
    stats_->add_after(query.method, answer.json, state_.options().tokenizer_or_default());
  requests_.answer(query.client_id, answer);
}

// The document stays open while the query is answered.
void Answering::hold_document(std::uint64_t number, std::size_t index, std::string_view uri) {
  open_document(uri);
  queries_.at(number).held.emplace(index, documents_.hold(uri));
}

void Answering::open_document(std::string_view uri) {
  if (state_.auto_opens()) apply(documents_.open_for_request(uri));
}

void Answering::apply(const SessionDocuments::Change& change) {
  for (const std::string& body : change.to_server) callbacks_.to_server(body);
  if (change.workspace) workspace_changed();
  if (change.document) hovers_.drop(*change.document);
}

void Answering::workspace_changed() {
  hovers_.invalidate();
  symbols_.invalidate();
}

Result<options::AnswerOptions> Answering::options_of(std::string_view params, bool of_document) const {
  const Result<options::AnswerOptions> asked = options::read_answer_options(params);
  if (!asked) return asked.error();
  options::AnswerOptions options =
      of_document ? asked->for_document_over(state_.options()) : asked->over(state_.options());
  const Result<void> fits = of_document ? options.check_for_document_answer() : options.check();
  if (!fits) return fits.error();
  return options;
}

query::QueryServices Answering::services(const std::string& method) {
  return {.server = requests_.own(),
          .hovers = hovers_,
          .timers = callbacks_.timers,
          .text = [this](std::string_view uri) { return documents_.text(uri); },
          .warn = callbacks_.warn,
          .count = stats_ == nullptr
                       ? std::function<void(std::string_view)>()
                       : [this, method](std::string_view replied) {
                           stats_->add_before(method, replied, state_.options().tokenizer_or_default());
                         },
          .capabilities = state_.capabilities,
          .published = documents_.published()};
}

bool Answering::awaits_many_replies() const {
  return hovers_.in_flight() >= hovers_in_flight / 2 && hovers_.queued() > hovers_in_flight &&
         requests_.waiting() <= queries_.size();
}

void Answering::finish_all() {
  while (!queries_.empty()) {
    const std::uint64_t number = queries_.begin()->first;
    const auto symbols = queries_.begin()->second.symbols;  // they may answer it
    for (const auto& [place, one] : symbols) one->stop_collecting();
    answer(number,
           query::Answer::error(lsp::error_code::request_cancelled, "the client has ended the session"));
  }
}

}  // namespace symbols::session
