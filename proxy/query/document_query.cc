#include "proxy/query/document_query.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "lsp/position.h"
#include "lsp/symbol_search.h"
#include "proxy/files/source_text.h"
#include "table/escape.h"
#include "table/formats/format.h"
#include "table/one_line.h"

namespace symbols::query {

namespace {

// "a, b and 3 more"
std::string first_of(std::vector<std::string> names) {
  constexpr std::size_t most = 5;
  const std::size_t more = names.size() - std::min(names.size(), most);
  names.resize(names.size() - more);
  return fmt::format("{}{}", fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace

DocumentQuery::DocumentQuery(QueryServices services, DocumentQuestion question, Done done, OnReply on_reply)
    : services_(std::move(services)),
      question_(std::move(question)),
      done_(std::move(done)),
      on_reply_(std::move(on_reply)),
      fetch_(
          services_.server, services_.timers, services_.text, question_.uri,
          [this](SymbolReply& reply) { receive(reply); }, question_.params, question_.retry,
          &services_.published),
      hover_timer_(services_.timers) {
  diagnose();
}

void DocumentQuery::diagnose() {
  const bool pulls_errors = question_.pulls_errors && question_.hovers && services_.capabilities.diagnostics;
  if (!diagnosing_ && (question_.diagnostics > 0 || pulls_errors))
    diagnosing_.emplace(services_, question_.uri, question_.diagnostics_limit,
                        [this] { finish_if_complete(); });
}

void DocumentQuery::receive(SymbolReply& reply) {
  if (const OnReply on_reply = std::exchange(on_reply_, {}); on_reply && on_reply(reply)) return;
  if (!reply.tree()) {
    outcome_.error = reply.tree().error();
    return finish(outcome_.error->message);
  }
  has_symbols_ = true;
  make_rows(std::move(*reply.tree()));
  diagnose();  // the server may have registered it meanwhile
  if (diagnosing_) diagnosing_->symbols_are_there();
  finish_if_complete();
}

void DocumentQuery::make_rows(table::SymbolRows rows) {
  const bool is_empty = rows.all.empty();
  const std::shared_ptr<const std::string> text =
      is_empty || question_.selection.fold ? services_.text(question_.uri) : nullptr;
  if (!is_empty || (text && !trim(*text).empty())) outcome_.found_any = !is_empty;
  const bool enough = question_.details_will_do && table::details_hold_signatures(rows);
  rows = table::select(std::move(rows), question_.selection,
                       text ? std::string_view(*text) : std::string_view());
  rows.with_hover = question_.hovers && !enough;
  WrittenDeclarations written(services_, question_.uri);
  for (table::Row& row : rows.all) written.replace_detail(row);
  if (!rows.with_hover || !services_.capabilities.hover) {
    outcome_.rows = std::move(rows);
    return;
  }
  if (question_.hover_limit)
    hover_timer_.start(*question_.hover_limit, [this] { finish("not answered in time"); });
  collector_.emplace(
      services_.hovers, question_.uri, std::move(rows), question_.hover_form,
      [this] { finish_if_complete(); }, std::move(written));
}

void DocumentQuery::finish_if_complete() {
  const bool hovers_out = collector_ && !collector_->is_complete();
  const bool diagnostics_out = diagnosing_ && !diagnosing_->is_complete();
  if (has_symbols_ && !hovers_out && !diagnostics_out) finish({});
}

void DocumentQuery::finish(const std::string& reason) {
  const Done done = std::move(done_);
  done(take(reason));
}

DocumentOutcome DocumentQuery::take(const std::string& reason) {
  hover_timer_.stop();
  if (collector_) std::tie(outcome_.rows, outcome_.hovers) = collector_->take();
  if (diagnosing_) {
    table::Diagnostics diagnostics = diagnosing_->take(reason);
    if (diagnostics.value) {
      outcome_.source_errors = source_errors(diagnostics.value->first);
      table::keep_diagnostics(*diagnostics.value, question_.diagnostics);
    } else if (question_.diagnostics == 0) {
      outcome_.errors_unknown = diagnostics.failure;
    }
    if (question_.diagnostics > 0) outcome_.diagnostics = std::move(diagnostics);
  }
  if (!outcome_.source_errors)
    outcome_.source_errors = source_errors(published_errors(services_.published, question_.uri));
  return std::move(outcome_);
}

DocumentInquiry::DocumentInquiry(lsp::ClientSession& session, HoverScheduler& hovers, io::Timers& timers,
                                 std::string uri, std::string text, InquiryOptions options, Done done)
    : session_(session),
      options_(std::move(options)),
      done_(std::move(done)),
      services_{.server = session,
                .hovers = hovers,
                .timers = timers,
                .text = [text = std::make_shared<const std::string>(std::move(text))](
                            std::string_view) { return text; },
                .warn = [](const std::string&) {},
                .count = {},
                .capabilities = session.capabilities(),
                .published = session.published(),
                .open = options_.open_file,
                .is_files_text = options_.is_files_text},
      document_(services_, question(std::move(uri)),
                [this](DocumentOutcome outcome) { receive(std::move(outcome)); }),
      timer_(timers) {
  result_.no_hovers = !options_.context && options_.document.hovers && !services_.capabilities.hover;
}

DocumentQuestion DocumentInquiry::question(std::string uri) {
  if (options_.context) {
    options_.context->uri = uri;
    return {.uri = std::move(uri), .retry = options_.document.retry, .hovers = false};
  }
  DocumentQuestion question = options_.document;
  question.uri = std::move(uri);
  question.diagnostics_limit = options_.patience * 3 / 4;
  return question;
}

void DocumentInquiry::receive(DocumentOutcome outcome) {
  result_.document = std::move(outcome);
  if (!options_.context || result_.document.error) return finish();
  const ContextQuestion& question = *options_.context;
  if (question.rename_to && question.position) {  // what has its name there need be no symbol
    place_ = *question.position;
    open_mentions({}, false);
    return ask_for_context();
  }
  // A symbol that is not there would still not be after the wait for an index.
  ContextSymbol symbol =
      find_context_symbol(table::tree_of(*result_.document.rows), question,
                          services_.text(question.uri).get(), session_.capabilities().position_encoding);
  if (symbol.failure) return fail(std::move(*symbol.failure));
  const table::Row& row = result_.document.rows->all[symbol.index];
  place_ = row.selection_range.start;
  if (question.rename_to && question.line && place_.line != *question.line)
    return fail({.reason = ContextFailure::Reason::other,
                 .detail = "no symbol has its name on this line; give the column too"});
  others_ = std::move(symbol.others);
  open_mentions(row.name, row.kind == lsp::SymbolKind::variable);
  ask_for_context();
}

void DocumentInquiry::fail(ContextFailure failure) {
  result_.context = ContextOutcome{.text = {}, .notice = {}, .failure = std::move(failure)};
  result_.document.rows.reset();
  finish();
}

std::string DocumentInquiry::identifier_at_place() const {
  const std::shared_ptr<const std::string> text = services_.text(options_.context->uri);
  const lsp::PositionIndex index(*text, session_.capabilities().position_encoding);
  const std::optional<lsp::Range> word = index.word_at(place_);
  return std::string(word ? index.text(*word) : std::string_view());
}

void DocumentInquiry::open_mentions(std::string_view symbol_name, bool is_variable) {
  ContextQuestion& question = *options_.context;
  if (!options_.open_mentions || !question.searches_files()) return;
  const std::string identifier = identifier_at_place();
  // As in "(*Type).method", "Type::method" and "#field". A constructor is called by its class's name.
  const std::string_view before = symbol_name.substr(0, symbol_name.size() - identifier.size());
  const bool is_named_so =
      question.rename_to ||
      (symbol_name.ends_with(identifier) &&
       (before.empty() || before.ends_with('.') || before.ends_with("::") || before.ends_with('#')));
  // __init__ is not, __version__ is.
  const bool is_used_by_name = identifier != "constructor" && (is_variable || !identifier.starts_with("__"));
  if (is_named_so && !identifier.empty() && is_used_by_name)
    question.whole_if_named = options_.open_mentions(identifier);
}

void DocumentInquiry::ask_for_context() {
  // An incomplete index knows only some of the references and callers.
  constexpr milliseconds interval{20};
  constexpr milliseconds index_start_limit{5'000};
  const bool no_index = options_.await_index && !session_.progress().has_begun();
  const bool index_to_come = no_index && waited_ < index_start_limit;
  const bool is_reading = options_.is_reading && options_.is_reading();
  const bool is_loading =
      is_reading || (options_.context->searches_files() ? session_.is_loading() : session_.reports_loading());
  if ((is_loading || index_to_come) && waited_ < options_.patience) {
    waited_ += interval;
    timer_.start(interval, [this] { ask_for_context(); });
    return;
  }
  std::optional<Loading> loading;
  if (is_loading) {
    result_.still_loading = is_reading ? "changed sources" : session_.loading_text();
    loading = {.percentage = session_.progress().percentage(), .text = *result_.still_loading};
  }
  ContextQuestion& question = *options_.context;
  options_.scope.open_files_only |= no_index;
  question.completeness = completeness(options_.scope, loading, question.outline_folder);
  // Neither what is loaded later nor what lies outside has been asked for.
  if (loading || options_.scope.open_files_only || !options_.scope.part_of_project.empty())
    question.whole_if_named.reset();
  if (question.rename_to) return ask_for_rename();
  const lsp::SymbolTree tree = table::tree_of(*std::exchange(result_.document.rows, {}));
  context_.emplace(
      services_, question, options_.patience * 3 / 4,
      [this](ContextOutcome outcome) {
        set_context(std::move(outcome));
        finish();
      },
      &tree);
  if (!context_->is_complete()) return;
  set_context(context_->take({}));
  finish();
}

void DocumentInquiry::ask_for_rename() {
  const ContextQuestion& question = *options_.context;
  rename_.emplace(services_, question.uri, place_, NewName{identifier_at_place(), *question.rename_to},
                  question.outline_folder.value_or(""), options_.patience * 3 / 4,
                  [this](Result<RenamePatch> patch) {
                    if (!patch)
                      return fail({.reason = ContextFailure::Reason::other, .detail = patch.error().text()});
                    set_context(outcome_of(std::move(*patch)));
                    result_.document.rows.reset();
                    finish();
                  });
}

ContextOutcome DocumentInquiry::outcome_of(RenamePatch patch) {
  const ContextQuestion& question = *options_.context;
  const lsp::SymbolTree tree = table::tree_of(*result_.document.rows);
  const lsp::DocumentSymbol* const around = lsp::innermost_around(tree, place_);
  // What a function has inside of it, in languages whose arguments have no names.
  const files::Language language = files::language_of(question.uri);
  const bool is_local = language != files::Language::python && language != files::Language::other &&
                        patch.files.size() == 1 && around != nullptr && lsp::is_function_kind(around->kind) &&
                        lsp::symbol_at(tree, place_) == nullptr && lsp::contains(around->range, patch.edited);
  ContextOutcome outcome{.text = std::move(patch.text), .notice = {}};
  const auto add_notice = [&outcome](const std::string& notice) {
    outcome.notice += (outcome.notice.empty() ? "" : "; ") + notice;
  };
  std::vector<std::string> unchanged;
  for (const std::string& file : question.whole_if_named.value_or(std::vector<std::string>())) {
    if (!is_local && !patch.files.contains(file))
      unchanged.push_back(table::path_from(question.outline_folder.value_or(""), file));
  }
  if (!is_local && !question.whole_if_named)
    add_notice(question.completeness + ": other files may have the name too");
  if (!unchanged.empty())
    add_notice("the name also stands in " + first_of(std::move(unchanged)) +
               ", which the server does not change");
  if (!is_local && !patch.with_old_name.empty())
    add_notice("the old name still stands in " + first_of(std::move(patch.with_old_name)));
  if (!patch.with_new_name.empty())
    add_notice(table::quoted(*question.rename_to) + " already stands in " +
               first_of(std::move(patch.with_new_name)));
  outcome.others = std::move(others_);
  return outcome;
}

void DocumentInquiry::set_context(ContextOutcome outcome) {
  if (outcome.source_errors) result_.document.source_errors = outcome.source_errors;
  result_.context = std::move(outcome);
}

InquiryResult DocumentInquiry::take(const Error& reason) {
  if (!options_.context || !has_symbols()) {
    result_.document = document_.take(reason.message);
  } else {
    if (context_) set_context(context_->take("the server was lost"));
    result_.document.rows.reset();
  }
  result_.document.error = reason;
  return std::move(result_);
}

void DocumentInquiry::finish() {
  // The errors in the document may be published later.
  std::string failure = session_.progress().failure();
  if (!result_.document.source_errors && !failure.empty()) {
    failure = table::cut_text(table::fold_whitespace(failure), 200);
    result_.document.source_errors = SourceErrors{failure + "; types and symbols may be wrong"};
  }
  const Done done = std::move(done_);
  done(std::move(result_));
}

}  // namespace symbols::query
