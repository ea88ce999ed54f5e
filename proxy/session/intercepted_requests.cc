// What becomes of the requests that the proxy answers itself: documentSymbol, hover, executeCommand, and
// their cancelling.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "lsp/json/json.h"
#include "lsp/json/json_document.h"
#include "lsp/json/json_edit.h"
#include "lsp/json_rpc.h"
#include "lsp/uri.h"
#include "proxy/options/answer_option_values.h"
#include "proxy/servers/clangd_index.h"
#include "proxy/session/interceptor.h"
#include "proxy/session/own_commands.h"

namespace symbols::session {
namespace {

std::optional<lsp::Position> position_of(std::string_view params) {
  const auto json = lsp::member_value(params, "position");
  if (!json) return {};
  const Result<rapidjson::Document> value = lsp::parse_json(*json);
  if (!value) return {};
  return lsp::read_position(*value);
}

// The uris of [{"uri":…},…].
Result<std::vector<std::string>> document_uris(std::string_view json) {
  const Error wrong{"textDocuments: no list of documents", R"(give [{"uri":"file:///…"},…])"};
  constexpr rapidjson::SizeType most = 1000;
  const Result<rapidjson::Document> list = lsp::parse_json(json);
  if (!list || !list->IsArray()) return wrong;
  if (list->Size() > most) {
    return Error{fmt::format("textDocuments: {} documents are too many", list->Size()),
                 fmt::format("ask for at most {} at a time", most)};
  }
  std::vector<std::string> uris;
  for (const rapidjson::Value& document : list->GetArray()) {
    const rapidjson::Value* uri = lsp::member(document, "uri");
    if (uri == nullptr || !uri->IsString()) return wrong;
    uris.emplace_back(uri->GetString(), uri->GetStringLength());
  }
  return uris;
}

}  // namespace

std::optional<std::string> document_uri(std::string_view params) {
  const auto uri = lsp::value_at(params, std::array<std::string_view, 2>{"textDocument", "uri"});
  if (!uri) return {};
  return lsp::json_string_text(*uri);
}

query::QueryServices Interceptor::services(std::string_view method) {
  return {.server = own_requests_,
          .hovers = hovers_,
          .later = callbacks_.later,
          .text = [this](std::string_view uri) { return text_of(uri); },
          .warn = [this](const std::string& message) { warn_once("reply", message); },
          .count = stats_ == nullptr ? std::function<void(std::string_view)>()
                                     : [this, method = std::string(method)](
                                           std::string_view replied) { stats_->add_before(method, replied); },
          .capabilities = capabilities_,
          .published = &published_};
}

std::uint64_t Interceptor::add_query(const lsp::Envelope& envelope) {
  client_requests_.add(envelope.id);
  queries_.emplace(++last_query_, Query{.client_id = std::string(envelope.id), .method = envelope.method});
  return last_query_;
}

bool Interceptor::refuse_if_full(const lsp::Envelope& envelope) {
  if (queries_.size() < most_queries) return false;
  refuse(envelope.id, lsp::error_code::request_failed,
         fmt::format("{} requests are being answered already; wait for some of them", most_queries));
  return true;
}

void Interceptor::answer(std::uint64_t query, const query::Answer& answer) {
  const auto found = queries_.find(query);
  if (found == queries_.end()) return;
  const Query request = take_query(found);
  if (stats_ != nullptr) stats_->add_after(request.method, answer.json);
  callbacks_.to_client(answer.failed ? lsp::error_body(request.client_id, answer.json)
                                     : lsp::result_body(request.client_id, answer.json));
  answered(request.client_id);
}

bool Interceptor::pass_with_params(std::string_view body, const lsp::Envelope& envelope,
                                   std::string_view params) {
  const Result<std::string> changed = lsp::with_member(body, "params", params);
  if (!changed) return false;
  client_requests_.add(envelope.id);
  callbacks_.to_server(*changed);
  return true;
}

Result<options::AnswerOptions> Interceptor::options_of(std::string_view params) const {
  const Result<options::AnswerOptions> asked = options::read_answer_options(params);
  if (!asked) return asked.error();
  options::AnswerOptions options = asked->over(session_options());
  const Result<void> fits = options.check();
  if (!fits) return fits.error();
  return options;
}

Result<options::AnswerOptions> Interceptor::document_options_of(std::string_view params) const {
  const Result<options::AnswerOptions> asked = options::read_answer_options(params);
  if (!asked) return asked.error();
  options::AnswerOptions options = asked->for_document_over(session_options());
  const Result<void> fits = options.check_for_document_answer();
  if (!fits) return fits.error();
  return options;
}

bool Interceptor::take_document_symbol(std::string_view body, const lsp::Envelope& envelope) {
  const std::string_view params = lsp::whole_json_value(envelope.rest);
  const std::optional<std::string> uri = document_uri(params);
  if (!uri) return false;
  const Result<options::AnswerOptions> asked = document_options_of(params);
  if (!asked) {
    refuse(envelope.id, lsp::error_code::invalid_params, asked.error().text());
    return true;
  }
  const options::AnswerOptions& options = *asked;
  Result<std::string> stripped = lsp::without_members(params, options::answer_option_names());
  if (!stripped) return false;
  // A client that got the hierarchy because of us is not to see it unasked.
  const bool flat = !options.is_text() && session_options().is_text() && !client_.hierarchical_symbols;
  if (!options.is_text() && !options.changes_rows() && !flat) {
    open_for_client(*uri);
    return *stripped != params && pass_with_params(body, envelope, *stripped);
  }
  if (refuse_if_full(envelope)) return true;
  // Symbols that come in parts could not be put together to one answer.
  stripped = lsp::without_members(*stripped, std::array<std::string_view, 1>{"partialResultToken"});
  if (!stripped) return false;
  const std::uint64_t number = add_query(envelope);
  open_for_query(number, *uri);
  const auto query = std::make_shared<query::SymbolQuery>(
      services(envelope.method), std::move(*stripped), options,
      query::SymbolAnswerStyle{.uri = *uri, .flat = flat, .unknown = is_unknown(*uri)},
      [this, number](const query::Answer& reply) { answer(number, reply); });
  queries_.at(number).symbols.emplace(0, query);
  query->start();
  return true;
}

bool Interceptor::take_hover(std::string_view body, const lsp::Envelope& envelope) {
  const std::string_view params = lsp::whole_json_value(envelope.rest);
  const std::optional<std::string> uri = document_uri(params);
  const std::optional<lsp::Position> position = position_of(params);
  if (!uri || !position) return false;
  const Result<options::AnswerOptions> asked = options_of(params);
  if (!asked) {
    refuse(envelope.id, lsp::error_code::invalid_params, asked.error().text());
    return true;
  }
  const options::AnswerOptions& options = *asked;
  Result<std::string> stripped = lsp::without_members(params, options::answer_option_names());
  if (!stripped) return false;
  if (options.hover_reply_or_default() == options::HoverReply::standard) {
    open_for_client(*uri);
    return *stripped != params && pass_with_params(body, envelope, *stripped);
  }
  if (refuse_if_full(envelope)) return true;
  const std::uint64_t number = add_query(envelope);
  open_for_query(number, *uri);
  const auto query = std::make_shared<query::HoverQuery>(
      services(envelope.method), symbols_,
      query::HoverQuestion{
          .uri = *uri, .position = *position, .params = std::move(*stripped), .options = options},
      [this, number](const query::Answer& reply) { answer(number, reply); });
  queries_.at(number).hover = query;
  query->start();
  return true;
}

// The documents of one symbols.documentSymbols: with textDocuments, answers in the order asked, and those
// that failed beside them.
struct Interceptor::Batch {
  // So many documents are asked about at a time; as many may have to be opened for the client.
  static constexpr std::size_t at_a_time = 16;

  std::vector<std::string> uris;
  bool several = false;
  options::AnswerOptions options;
  std::vector<std::optional<query::Answer>> answers{};
  std::size_t next = 0;  // to be asked about
  std::size_t answered = 0;

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

bool Interceptor::take_execute_command(const lsp::Envelope& envelope) {
  const std::string_view params = lsp::whole_json_value(envelope.rest);
  const auto raw_command = lsp::member_value(params, "command");
  const std::optional<std::string> command =
      raw_command ? lsp::json_string_text(*raw_command) : std::optional<std::string>();
  if (command != symbols_command && command != context_command) return false;
  const auto invalid = [&](std::string_view message) {
    refuse(envelope.id, lsp::error_code::invalid_params, message);
    return true;
  };
  const auto arguments = lsp::member_value(params, "arguments");
  const std::optional<std::string_view> argument =
      arguments ? lsp::first_element(*arguments) : std::optional<std::string_view>();
  if (!argument || !argument->starts_with('{')) {
    return invalid(
        fmt::format("{}: its argument is one object; give [{{\"textDocument\":{{\"uri\":…}}}}]", *command));
  }
  if (command == context_command) return take_context(envelope, *argument);
  const Result<options::AnswerOptions> asked = document_options_of(*argument);
  if (!asked) return invalid(asked.error().text());
  const auto several = lsp::member_value(*argument, "textDocuments");
  std::vector<std::string> uris;
  if (several) {
    const Result<std::vector<std::string>> listed = document_uris(*several);
    if (!listed) return invalid(listed.error().text());
    uris = *listed;
  } else if (const auto uri = document_uri(*argument)) {
    uris.push_back(*uri);
  } else {
    return invalid(
        fmt::format("{}: no document; give textDocument or textDocuments, with a uri each", symbols_command));
  }
  if (refuse_if_full(envelope)) return true;
  const auto batch = std::make_shared<Batch>(
      Batch{.uris = std::move(uris), .several = several.has_value(), .options = *asked});
  batch->answers.resize(batch->uris.size());
  const std::uint64_t number = add_query(envelope);
  for (std::size_t i = 0; i < Batch::at_a_time; ++i) ask_next_document(number, batch);
  return true;
}

bool Interceptor::take_context(const lsp::Envelope& envelope, std::string_view argument) {
  Result<query::ContextQuestion> question = query::read_context_question(argument, session_options());
  if (!question) {
    refuse(envelope.id, lsp::error_code::invalid_params, question.error().text());
    return true;
  }
  if (refuse_if_full(envelope)) return true;
  const std::optional<std::string> file = lsp::file_path(question->uri);
  if (file && options_.server != nullptr && options_.server->kind == servers::ServerKind::clangd &&
      servers::knows_open_files_only(options_.server_arguments, *file)) {
    question->search_limit = query::of_open_files;
  }
  const std::uint64_t number = add_query(envelope);
  open_for_query(number, question->uri);
  const auto query = std::make_shared<query::ContextQuery>(
      services(envelope.method), *question, question->options.hover_timeout(),
      [this, number, asked = *question](const query::ContextOutcome& outcome) {
        answer(number, query::write_context_answer(outcome, asked));
      });
  queries_.at(number).context = query;
  query->start();
  return true;
}

void Interceptor::ask_next_document(std::uint64_t number, const std::shared_ptr<Batch>& batch) {
  if (!queries_.contains(number)) return;  // answered, or cancelled
  if (batch->answered == batch->uris.size()) {
    answer(number, {false, batch->text()});
    return;
  }
  if (batch->next == batch->uris.size()) return;
  const std::size_t index = batch->next++;
  const std::string& uri = batch->uris[index];
  open_for_query(number, uri);
  const bool flat = !batch->options.is_text() && !client_.hierarchical_symbols;
  const auto query = std::make_shared<query::SymbolQuery>(
      services("workspace/executeCommand"), std::string(), batch->options,
      query::SymbolAnswerStyle{.uri = uri, .flat = flat, .unknown = is_unknown(uri)},
      [this, number, batch, index](query::Answer reply) {
        if (!batch->several) {
          answer(number, reply);
          return;
        }
        batch->answers[index] = std::move(reply);
        ++batch->answered;
        let_go(number, batch->uris[index]);
        queries_.at(number).symbols.erase(index);
        ask_next_document(number, batch);
      });
  queries_.at(number).symbols.emplace(index, query);
  query->start();
}

void Interceptor::let_go(std::uint64_t number, const std::string& uri) {
  std::vector<std::string>& held = queries_.at(number).held;
  if (const auto found = std::find(held.begin(), held.end(), uri); found != held.end()) {
    held.erase(found);
    opened_.let_go(uri);
  }
}

bool Interceptor::take_cancel(const lsp::Envelope& envelope) {
  const auto id = lsp::member_value(envelope.rest, "id");
  if (!id) return false;
  const auto found = std::find_if(queries_.begin(), queries_.end(),
                                  [&id](const auto& entry) { return entry.second.client_id == *id; });
  if (found == queries_.end()) return false;
  const Query cancelled = take_query(found);
  refuse(*id, lsp::error_code::request_cancelled, "cancelled by the client");
  answered(*id);
  return true;
}

}  // namespace symbols::session
