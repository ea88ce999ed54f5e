// The client's requests that the proxy answers itself (docs/spec.md, section 7): documentSymbol, hover and
// the proxy's two commands, from their params to the answer, and their cancellation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "lsp/messages.h"
#include "lsp/server_capabilities.h"
#include "proxy/io/timers.h"
#include "proxy/options/answer_options.h"
#include "proxy/query/context_query.h"
#include "proxy/query/hover_query.h"
#include "proxy/query/hover_scheduler.h"
#include "proxy/query/symbol_query.h"
#include "proxy/servers/server_registry.h"
#include "proxy/session/initialize_rewrite.h"
#include "proxy/session/request_queue.h"
#include "proxy/session/session_documents.h"
#include "proxy/session/session_lifecycle.h"
#include "table/token_estimate.h"

namespace symbols::session {

struct ProxyOptions {
  std::string program{};  // the server's: a path with a slash in it
  std::vector<std::string> server_arguments{};
  std::string version{};  // of this program
  options::AnswerOptions answers{};
  std::optional<bool> auto_open{};  // default: with a text format
  // Methods of the server's requests that are answered in the client's place: without a reply it would hang.
  std::set<std::string, std::less<>> answered_methods{};
  bool ascii = false;  // every message is written in pure ASCII
  bool stats = false;
  RestartOptions restart{};
  bool confine = false;  // the server is confined by the kernel (system/confinement.h)
};

// The settings of a session, and what is known of its two sides.
struct SessionState {
  ProxyOptions settings{};  // of the command line
  ClientInitialize client{};
  lsp::ServerCapabilities capabilities{.hover = true};  // until the server has answered

  // All that hold for the session.
  options::AnswerOptions options() const { return client.options.over(settings.answers); }
  bool auto_opens() const { return settings.auto_open.value_or(options().is_text()); }
};

struct DocumentBatch;

// `--stats`: what was intercepted, and what it would have cost without.
class TrafficStats {
 public:
  // A reply of the server to a request that we answer ourselves.
  void add_before(std::string_view method, std::string_view replied, table::Tokenizer tokenizer);
  // The client's answer to one request.
  void add_after(std::string_view method, std::string_view answered, table::Tokenizer tokenizer);

  // A line per method: the number of requests, bytes and estimated tokens before and after.
  std::string report() const;

 private:
  struct Count {
    std::uint64_t requests = 0;
    std::uint64_t bytes_before = 0;
    std::uint64_t tokens_before = 0;
    std::uint64_t bytes_after = 0;
    std::uint64_t tokens_after = 0;
  };
  std::map<std::string, Count, std::less<>> methods_;
};

// Single-threaded.
class Answering {
 public:
  struct Callbacks {
    std::function<void(std::string body)> to_server;
    io::Timers& timers;
    std::function<void(const std::string& message)> warn;
  };

  // `server` and `stats` may be null. All arguments outlive this.
  Answering(SessionState& state, SessionDocuments& documents, RequestQueue& requests, TrafficStats* stats,
            const servers::ServerSpec* server, Callbacks callbacks);

  // A request of the client. Returns whether it is consumed: answered here, refused, or passed on with other
  // params. Else it passes as it is.
  bool take(std::string_view body, const lsp::Envelope& request);
  // $/cancelRequest was received. Returns false if the request is not answered here.
  bool cancel(std::string_view client_id);

  // Opens the document before a request about it passes, if the session auto-opens.
  void open_document(std::string_view uri);
  // Sends the notifications of a change, and drops hovers that it outdates.
  void apply(const SessionDocuments::Change& change);
  // Replies so far about any document may be out of date.
  void workspace_changed();
  void set_loading(bool loading) { hovers_.set_loading(loading); }

  // The client ends the session: each request is answered with what has arrived, or with an error.
  void finish_all();
  // Drops all requests, and cancels their own requests to the server.
  void give_up_all() { std::exchange(queries_, {}); }
  // Whether many hovers are in flight, and the client waits for no reply of the server's own.
  bool awaits_many_replies() const;
  // The number of requests being answered.
  std::size_t under_way() const { return queries_.size(); }

 private:
  // A request that is being answered.
  struct Query {
    std::string client_id;
    std::string method;
    std::map<std::size_t, std::shared_ptr<query::SymbolQuery>> symbols{};  // by their index in a batch
    std::map<std::size_t, std::shared_ptr<void>> held{};  // likewise: their documents stay open meanwhile
    std::shared_ptr<query::HoverQuery> hover{};
    std::shared_ptr<query::ContextQuery> context{};
  };
  using Queries = std::map<std::uint64_t, Query>;

  static constexpr std::size_t max_queries = 4096;  // each keeps its symbols

  bool take_question(std::string_view body, const lsp::Envelope& request);
  bool take_execute_command(const lsp::Envelope& request);
  bool take_symbols_command(const lsp::Envelope& request, std::string_view argument);
  bool take_context_command(const lsp::Envelope& request, std::string_view argument);
  bool refuse(const lsp::Envelope& request, const Error& error);

  // The query of a request; none if so many are being answered already that it is refused.
  std::optional<std::uint64_t> add_query(const lsp::Envelope& request);
  void start_symbols(std::uint64_t query, std::size_t place, std::string params,
                     const options::AnswerOptions& options, const std::string& uri, bool flat,
                     query::SymbolQuery::Done done);
  void ask_next_document(std::uint64_t query, const std::shared_ptr<DocumentBatch>& batch);
  void answer(std::uint64_t query, const query::Answer& answer);
  void hold_document(std::uint64_t query, std::size_t index, std::string_view uri);

  // The request's options over the session's; `of_document`: of a whole document. Error: one is wrong.
  Result<options::AnswerOptions> options_of(std::string_view params, bool of_document) const;
  // `method`: what --stats counts the replies under.
  query::QueryServices services(const std::string& method);

  SessionState& state_;
  SessionDocuments& documents_;
  RequestQueue& requests_;
  TrafficStats* stats_;
  const servers::ServerSpec* server_;
  Callbacks callbacks_;
  query::HoverScheduler hovers_;
  query::HoverSymbols symbols_;
  Queries queries_;
  std::uint64_t last_query_ = 0;
};

}  // namespace symbols::session
