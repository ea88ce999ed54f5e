// The client's requests that the proxy answers itself (docs/spec.md, section 7): documentSymbol, hover and
// our two commands, from their params to the answer, and their cancelling.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lsp/envelope.h"
#include "proxy/options/answer_options.h"
#include "proxy/query/context_query.h"
#include "proxy/query/hover_query.h"
#include "proxy/query/hover_scheduler.h"
#include "proxy/query/hover_symbols.h"
#include "proxy/query/symbol_query.h"
#include "proxy/relay/timers.h"
#include "proxy/servers/server_registry.h"
#include "proxy/session/request_queue.h"
#include "proxy/session/session_documents.h"
#include "proxy/session/session_state.h"
#include "proxy/session/traffic_stats.h"

namespace symbols::session {

struct DocumentBatch;

// Single-threaded.
class Answering {
 public:
  struct Callbacks {
    std::function<void(std::string body)> to_server;
    relay::Timers& timers;
    std::function<void(const std::string& message)> warn;
  };

  // `server` as far as it is known, else null; it, `state`, `documents`, `requests` and `stats`, which may be
  // null, outlive it.
  Answering(SessionState& state, SessionDocuments& documents, RequestQueue& requests, TrafficStats* stats,
            const servers::ServerSpec* server, Callbacks callbacks);

  // A request of the client. True: it will be answered here, was refused, or was passed on with other params.
  // False: it passes as it is.
  bool take(std::string_view body, const lsp::Envelope& request);
  // The client wants no answer to this one any more. False: it is not answered here.
  bool cancel(std::string_view client_id);

  // Has the document opened before a request about it passes, where that is wanted.
  void open_document(std::string_view uri);
  // Sends what has to be sent, and lets go of what was put in doubt.
  void apply(const SessionDocuments::Change& change);
  // Earlier replies about any document may be outdated.
  void workspace_changed();
  void set_loading(bool loading) { hovers_.set_loading(loading); }

  // The client ends the session: what has come is the answer, or an error.
  void finish_all();
  // Nobody wants the answers any more: what they asked the server for is cancelled. The ids of their
  // requests.
  std::vector<std::string> give_up_all();
  // Requests of the client that are being answered.
  std::size_t under_way() const { return queries_.size(); }

 private:
  // A request that is being answered.
  struct Query {
    std::string client_id;
    std::string method;
    std::map<std::size_t, std::shared_ptr<query::SymbolQuery>> symbols{};  // by their place in a batch
    std::shared_ptr<query::HoverQuery> hover{};
    std::shared_ptr<query::ContextQuery> context{};
    std::vector<std::string> held{};  // documents that stay open for it
  };
  using Queries = std::map<std::uint64_t, Query>;

  static constexpr std::size_t most_queries = 4096;

  bool take_question(std::string_view body, const lsp::Envelope& request);
  bool take_execute_command(const lsp::Envelope& request);
  bool take_symbols_command(const lsp::Envelope& request, std::string_view argument);
  bool take_context_command(const lsp::Envelope& request, std::string_view argument);
  bool refuse(const lsp::Envelope& request, const Error& error);
  bool refuse_if_full(const lsp::Envelope& request);
  bool pass_with_params(std::string_view body, const lsp::Envelope& request, std::string_view uri,
                        std::string_view params);

  std::uint64_t add_query(const lsp::Envelope& request);
  void start_symbols(std::uint64_t query, std::size_t place, std::string params,
                     const options::AnswerOptions& options, const std::string& uri, bool flat,
                     query::SymbolQuery::Done done);
  void ask_next_document(std::uint64_t query, const std::shared_ptr<DocumentBatch>& batch);
  void answer(std::uint64_t query, const query::Answer& answer);
  Query take_query(Queries::iterator query);
  // The document stays open until the query is answered, or lets go of it.
  void hold_document(std::uint64_t query, std::string_view uri);
  void let_go(std::uint64_t query, const std::string& uri);

  enum class About { document, place };
  // All that hold for a request with these params. Error: one of them is wrong.
  Result<options::AnswerOptions> options_of(std::string_view params, About about) const;
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
