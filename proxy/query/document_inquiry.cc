#include "proxy/query/document_inquiry.h"

#include <utility>

namespace symbols::query {

using std::chrono::milliseconds;

std::shared_ptr<DocumentInquiry> DocumentInquiry::create(lsp::ClientSession& session, HoverPool& hovers,
                                                         relay::Later later, std::string uri,
                                                         std::string text, InquiryOptions options,
                                                         Done done) {
  return std::shared_ptr<DocumentInquiry>(new DocumentInquiry(session, hovers, std::move(later),
                                                              std::move(uri), std::move(text),
                                                              std::move(options), std::move(done)));
}

DocumentInquiry::DocumentInquiry(lsp::ClientSession& session, HoverPool& hovers, relay::Later later,
                                 std::string uri, std::string text, InquiryOptions options, Done done)
    : session_(session),
      pool_(hovers),
      later_(std::move(later)),
      uri_(std::move(uri)),
      text_(std::make_shared<const std::string>(std::move(text))),
      options_(std::move(options)),
      done_(std::move(done)) {}

QueryServices DocumentInquiry::services() {
  return {.server = session_,
          .hovers = pool_,
          .server_has_hovers = session_.capabilities().hover,
          .later = later_,
          .text = [text = text_](std::string_view) { return text; },
          .warn = [](const std::string&) {},
          .count = {},
          .providers = session_.capabilities(),
          .encoding = lsp::PositionEncoding::utf16,
          .published = &session_.published()};
}

void DocumentInquiry::start() {
  CollectOptions collect = options_.collect;
  if (options_.context) {
    collect.selection = {};
    collect.hovers = false;
  }
  result_.no_hovers = collect.hovers && !session_.capabilities().hover;
  collect.hovers = collect.hovers && session_.capabilities().hover;
  collector_ = SymbolCollector::create(session_, pool_, later_, uri_, text_, collect,
                                       [weak = weak_from_this()](Collected collected) {
                                         if (const auto self = weak.lock())
                                           self->collected(std::move(collected));
                                       });
  if (options_.diagnostics > 0 && !options_.context) ask_for_diagnostics();
  if (!options_.context) text_.reset();  // the collector holds it as long as it needs it
  collector_->start();
}

void DocumentInquiry::ask_for_diagnostics() {
  // Shorter than the silence after which the server would count as lost, and with it other files.
  const milliseconds limit =
      session_.capabilities().diagnostics ? options_.diagnostics_limit : options_.publication_limit;
  diagnosing_ = DiagnosticsQuery::create(
      services(), uri_, limit, [weak = weak_from_this()](table::Diagnostics diagnostics) {
        const auto self = weak.lock();
        if (!self) return;
        if (diagnostics.value) {
          table::keep_diagnostics(*diagnostics.value, self->options_.diagnostics);
        }
        self->result_.diagnostics = std::move(diagnostics);
        self->diagnosing_.reset();
        self->finish();
      });
  diagnosing_->start();
}

void DocumentInquiry::collected(Collected collected) {
  const auto self = shared_from_this();  // `done` may let go of this
  collected_ = true;
  result_.rows = std::move(collected.rows);
  result_.error = std::move(collected.error);
  result_.hovers_missing = collected.hovers_missing;
  if (result_.rows && result_.no_hovers) {
    // The columns stay those that were asked for.
    result_.rows->with_hover = true;
    result_.rows->hovers.resize(result_.rows->tree.symbols.size());
  }
  if (options_.context && !result_.error) {
    ask_for_context();
    return;
  }
  if (const auto diagnosing = diagnosing_) {
    if (result_.error) {
      diagnosing->stop(result_.error->message);
    } else {
      diagnosing->symbols_are_there();
    }
  }
  finish();
}

void DocumentInquiry::ask_for_context() {
  // An index that is being built knows few of the references and callers.
  constexpr milliseconds interval{20};
  const bool no_index = options_.await_index && !session_.was_busy();
  const bool index_to_come = no_index && waited_ < options_.index_start_limit;
  if ((session_.busy() || index_to_come) && waited_ < options_.loading_limit) {
    waited_ += interval;
    later_(interval, [weak = weak_from_this()] {
      const auto self = weak.lock();
      if (self && self->done_) self->ask_for_context();
    });
    return;
  }
  if (session_.busy()) result_.still_loading = session_.progress_text();
  ContextQuestion question = *options_.context;
  question.uri = uri_;
  question.search_limit = no_index ? std::string(of_open_files) : options_.search_limit;
  if (session_.busy() && question.search_limit != of_open_files) {
    const std::string folder = std::exchange(question.search_limit, "while still loading");
    if (!folder.empty()) question.search_limit += ", " + folder;
  }
  context_ = ContextQuery::create(services(), std::move(question), options_.part_limit,
                                  [weak = weak_from_this()](ContextOutcome outcome) {
                                    const auto self = weak.lock();
                                    if (!self) return;
                                    self->result_.context = std::move(outcome);
                                    self->finish();
                                  });
  const table::SymbolRows rows = *std::exchange(result_.rows, {});
  context_->start_with(rows.tree);
}

void DocumentInquiry::stop(const Error& reason) {
  const auto self = shared_from_this();
  if (!collected_) {
    if (collector_) collector_->stop(reason);  // which comes to collected()
    return;
  }
  result_.error = reason;
  if (const auto diagnosing = diagnosing_) diagnosing->stop(reason.message);
  if (context_) context_->stop("the server was lost");
  if (options_.context) result_.rows.reset();
  if (done_ && (!options_.context || !context_)) finish();
}

void DocumentInquiry::finish() {
  if (!collected_ || diagnosing_ || (options_.context && !result_.context && !result_.error)) return;
  if (const Done done = std::exchange(done_, {})) done(std::move(result_));
}

}  // namespace symbols::query
