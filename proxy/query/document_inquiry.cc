#include "proxy/query/document_inquiry.h"

#include <memory>
#include <utility>

#include "lsp/position.h"

namespace symbols::query {

using std::chrono::milliseconds;

DocumentInquiry::DocumentInquiry(lsp::ClientSession& session, HoverScheduler& hovers, relay::Timers& timers,
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
                .published = &session.published()},
      document_(services_, question(std::move(uri)),
                [this](DocumentOutcome outcome) { take(std::move(outcome)); }),
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
  return question;
}

void DocumentInquiry::take(DocumentOutcome outcome) {
  result_.document = std::move(outcome);
  if (!options_.context || result_.document.error) return finish();
  // A symbol that is not there would still not be after the wait for an index.
  ContextSymbol symbol = find_context_symbol(table::tree_of(*result_.document.rows), *options_.context,
                                             services_.text(options_.context->uri).get(),
                                             session_.capabilities().position_encoding);
  if (symbol.failure) {
    result_.context = ContextOutcome{.text = {}, .notice = {}, .failure = std::move(symbol.failure)};
    result_.document.rows.reset();
    return finish();
  }
  open_mentions(result_.document.rows->all[symbol.index]);
  ask_for_context();
}

void DocumentInquiry::open_mentions(const lsp::DocumentSymbol& symbol) {
  ContextQuestion& question = *options_.context;
  if (!options_.open_mentions || question.limits.references + question.limits.callers == 0) return;
  const std::shared_ptr<const std::string> text = services_.text(question.uri);
  const lsp::PositionIndex index(*text, session_.capabilities().position_encoding);
  const std::optional<lsp::Range> word = index.word_at(symbol.selection_range.start);
  const std::string_view identifier = word ? index.text(*word) : std::string_view();
  // As in "(*Type).method" and "#field". A constructor is called by its class's name.
  const std::string_view before =
      std::string_view(symbol.name).substr(0, symbol.name.size() - identifier.size());
  const bool is_named_so = !identifier.empty() && symbol.name.ends_with(identifier) &&
                           identifier != "constructor" &&
                           (before.empty() || before.ends_with('.') || before.ends_with('#'));
  if (is_named_so) question.whole_if_named = options_.open_mentions(identifier);
}

void DocumentInquiry::ask_for_context() {
  // An incomplete index knows only some of the references and callers.
  constexpr milliseconds interval{20};
  const bool no_index = options_.await_index && !session_.progress().has_begun();
  const bool index_to_come = no_index && waited_ < options_.index_start_limit;
  const table::ContextLimits& limits = options_.context->limits;
  const bool is_loading =
      limits.references + limits.callers > 0 ? session_.is_loading() : session_.progress().active();
  if ((is_loading || index_to_come) && waited_ < options_.loading_limit) {
    waited_ += interval;
    timer_.start(interval, [this] { ask_for_context(); });
    return;
  }
  std::optional<Loading> loading;
  if (is_loading) {
    result_.still_loading = session_.loading_text();
    loading = {.percentage = session_.progress().percentage(), .text = *result_.still_loading};
  }
  ContextQuestion& question = *options_.context;
  options_.scope.open_files_only |= no_index;
  question.completeness = completeness(options_.scope, loading, question.outline_folder);
  // Neither what is loaded later nor what lies outside has been asked for.
  if (loading || options_.scope.open_files_only || !options_.scope.part_of_project.empty())
    question.whole_if_named.reset();
  services_.capabilities = session_.capabilities();
  context_.emplace(services_, question, options_.part_limit, [this](ContextOutcome outcome) {
    if (outcome.source_errors) result_.document.source_errors = outcome.source_errors;
    result_.context = std::move(outcome);
    finish();
  });
  context_->start_with(table::tree_of(*std::exchange(result_.document.rows, {})));
}

void DocumentInquiry::stop(const Error& reason) {
  if (!options_.context || !has_symbols()) return document_.stop(reason);
  result_.document.error = reason;
  result_.document.rows.reset();
  if (context_) {
    context_->stop("the server was lost");
  } else {
    finish();
  }
}

void DocumentInquiry::finish() {
  timer_.stop();
  if (const Done done = std::exchange(done_, {})) done(std::move(result_));
}

}  // namespace symbols::query
