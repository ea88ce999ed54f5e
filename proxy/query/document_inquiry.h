// All that the command line asks a server about one document: its rows and diagnostics, or the context of one
// of its symbols.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lsp/client_session.h"
#include "proxy/query/context_query.h"
#include "proxy/query/document_query.h"
#include "proxy/relay/timers.h"

namespace symbols::query {

struct InquiryOptions {
  // The question about the document; its uri is set by the inquiry. A context makes its own rows.
  DocumentQuestion document;
  std::optional<ContextQuestion> context{};  // instead of rows
  // How long to wait for a server that is loading (an index, a project) before it is asked about a symbol's
  // references and callers.
  std::chrono::milliseconds loading_limit{30'000};
  // For each part of a context: a request that is never answered costs that part and not the others.
  std::chrono::milliseconds part_limit{22'500};
  // The server will index the project, and may not have said so yet when the symbols are there.
  bool await_index = false;
  std::chrono::milliseconds index_start_limit{5'000};
  SearchScope scope{};  // where the server looks for references and callers
  // Shows the server the files that mention an identifier. Returns the paths of those that a list of the
  // whole project names; none: it cannot be told which these are. Called once, before references are
  // requested.
  std::function<std::optional<std::vector<std::string>>(std::string_view identifier)> open_mentions{};
  // A note where a server names no symbol in any of its documents: not where only a few of them are asked
  // about, or where nobody asks for symbols.
  bool tell_if_none_found = true;
  bool tells_errors = true;  // a note where documents have source_errors
};

struct InquiryResult {
  DocumentOutcome document{};
  bool no_hovers = false;  // they were wanted, but the server offers none
  std::optional<ContextOutcome> context{};
  std::optional<std::string>
      still_loading{};  // what the server was loading when it was asked for the context
};

// A query (query_services.h). It does not limit the time for the symbols and hovers: the owner, which watches
// for the server's silence, calls stop().
class DocumentInquiry {
 public:
  using Done = std::function<void(InquiryResult)>;

  // `uri` names a document that the session's server has open, `text` is what it was opened with. `session`,
  // its `hovers` and `timers` outlive the inquiry. `done` is called from within a reply's handler, the loop
  // or stop().
  DocumentInquiry(lsp::ClientSession& session, HoverScheduler& hovers, relay::Timers& timers, std::string uri,
                  std::string text, InquiryOptions options, Done done);

  void start() { document_.start(); }
  // The server is lost: `done` gets what has arrived, and `reason`.
  void stop(const Error& reason);

  // See DocumentQuery.
  std::size_t hovers_done() const { return document_.hovers_done(); }
  std::size_t hovers_wanted() const { return document_.hovers_wanted(); }
  bool has_symbols() const { return document_.has_symbols(); }

 private:
  DocumentQuestion question(std::string uri);
  void take(DocumentOutcome outcome);
  void ask_for_context();
  void open_mentions(const lsp::DocumentSymbol& symbol);
  void finish();

  lsp::ClientSession& session_;
  InquiryOptions options_;
  Done done_;
  QueryServices services_;
  DocumentQuery document_;
  relay::Timer timer_;
  std::optional<ContextQuery> context_;
  std::chrono::milliseconds waited_{0};  // while the server is loading
  InquiryResult result_;
};

}  // namespace symbols::query
