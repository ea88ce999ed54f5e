// What the proxy does with the messages of a session (docs/spec.md, section 7): which of them are its
// business, and what becomes of those. A state machine without I/O.
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
#include <vector>

#include "base/result.h"
#include "lsp/envelope.h"
#include "lsp/outgoing_requests.h"
#include "lsp/recent_diagnostics.h"
#include "lsp/server_capabilities.h"
#include "lsp/work_done_progress.h"
#include "proxy/options/answer_options.h"
#include "proxy/query/context_query.h"
#include "proxy/query/hover_query.h"
#include "proxy/query/hover_scheduler.h"
#include "proxy/query/symbol_cache.h"
#include "proxy/query/symbol_query.h"
#include "proxy/relay/message_relay.h"
#include "proxy/session/auto_opened_documents.h"
#include "proxy/session/client_documents.h"
#include "proxy/session/client_requests.h"
#include "proxy/session/initialize_rewrite.h"
#include "proxy/session/server_answers.h"
#include "proxy/session/traffic_stats.h"

namespace symbols::session {

struct InterceptorOptions {
  options::AnswerOptions answers;            // of the command line
  std::optional<bool> auto_open;             // absent: with a text format
  ServerAnswers answer_server{};             // requests of the server that are answered in the client's place
  std::string id_prefix = "symbols-proxy-";  // of the proxy's own requests: nobody else's
  std::string version;                       // of this program
  // How languages are told, and the server as far as it is known, or null; both outlive the interceptor.
  const servers::ServerRegistry* registry = nullptr;
  const servers::ServerSpec* server = nullptr;
  std::vector<std::string> server_arguments{};
};

// Single-threaded. Bodies that it sends are whole JSON-RPC messages, not yet framed.
class Interceptor {
 public:
  struct Callbacks {
    std::function<void(std::string body)> to_client;
    std::function<void(std::string body)> to_server;
    relay::Later later;
    // The client has sent `exit`, which passes: it is not forwarded yet.
    std::function<void()> on_client_exit;
    // The client has got the last answer that it waited for.
    std::function<void()> on_all_answered;
    // What a person should know; rare.
    std::function<void(const std::string& message)> warn;
  };

  // `stats` outlives it; may be null.
  Interceptor(InterceptorOptions options, Callbacks callbacks, TrafficStats* stats);

  // The two directions' messages, as MessageRelay shows and hands them over.
  relay::MessageRelay::Verdict judge_client(std::string_view start, bool whole);
  bool take_client(std::string_view body);
  void client_streamed(std::string_view tail);
  relay::MessageRelay::Verdict judge_server(std::string_view start, bool whole);
  bool take_server(std::string_view body);
  void server_streamed(std::string_view tail);

  // Whether many replies to us are on their way.
  bool awaits_many_replies() const { return hovers_.is_half_full(); }
  // Asked when all that the server has written was read: whether many more will be, that come a few at a
  // time, while the client waits for nothing but tables.
  bool awaits_many_small_portions();
  bool client_waits() const { return !client_requests_.empty(); }

  // Whether the server waits to be told of the end: initialize has passed and shutdown has not.
  bool wants_shutdown() const { return initialize_seen_ && !shutdown_seen_ && !exit_seen_; }
  bool wants_exit() const { return initialize_seen_ && !exit_seen_; }
  // Nobody wants the answers under way any more: what they asked the server for is cancelled.
  void give_up_answers();
  // The end of everything: nothing is sent any more.
  void close();
  // Sends shutdown; `done` is called when it was answered.
  void shutdown(std::function<void()> done);
  void exit();

  // Each request that the client waits for is answered with an error that says so.
  void server_lost(const Error& reason);

 private:
  // A request of the client that we answer.
  struct Query {
    std::string client_id;
    std::string method;
    std::map<std::size_t, std::shared_ptr<query::SymbolQuery>> symbols{};  // by their place in a batch
    std::shared_ptr<query::HoverQuery> hover{};
    std::shared_ptr<query::ContextQuery> context{};
    std::vector<std::string> held{};  // documents that stay open for it
  };
  struct Batch;

  static constexpr std::size_t most_queries = 4096;

  bool client_waits_for_tables_only() const;
  bool is_interesting(const lsp::EnvelopeStart& envelope) const;
  bool take_initialize(std::string_view body, const lsp::Envelope& envelope);
  bool take_document_symbol(std::string_view body, const lsp::Envelope& envelope);
  bool take_hover(std::string_view body, const lsp::Envelope& envelope);
  bool take_execute_command(const lsp::Envelope& envelope);
  bool take_context(const lsp::Envelope& envelope, std::string_view argument);
  bool take_cancel(const lsp::Envelope& envelope);
  void take_document_notification(const lsp::Envelope& envelope);
  bool take_initialize_reply(const lsp::Envelope& envelope, std::string_view body);

  std::uint64_t add_query(const lsp::Envelope& envelope);
  bool refuse_if_full(const lsp::Envelope& envelope);
  void answer(std::uint64_t query, const query::Answer& answer);
  void ask_next_document(std::uint64_t query, const std::shared_ptr<Batch>& batch);
  void let_go(std::uint64_t query, const std::string& uri);
  void answer_with_what_there_is();
  void refuse(std::string_view client_id, int code, std::string_view message);
  void answered(std::string_view client_id);
  // What the server must be told of a document before a request about it passes.
  void open_for_client(std::string_view uri);
  // The same for a request that we answer: the document stays open until then.
  void open_for_query(std::uint64_t query, std::string_view uri);
  Query take_query(std::map<std::uint64_t, Query>::iterator query);
  void workspace_changed();
  // Passes the request on with other params; its answer passes as it is.
  bool pass_with_params(std::string_view body, const lsp::Envelope& envelope, std::string_view params);

  options::AnswerOptions session_options() const { return client_.options.over(options_.answers); }
  // All that hold for a request with these params. Error: one of them is wrong.
  Result<options::AnswerOptions> options_of(std::string_view params) const;
  // The same for an answer about a whole document.
  Result<options::AnswerOptions> document_options_of(std::string_view params) const;
  bool auto_opens() const { return options_.auto_open.value_or(session_options().is_text()); }
  query::QueryServices services(std::string_view method);
  std::shared_ptr<const std::string> text_of(std::string_view uri);
  // Whether a server cannot know the document: the client has not opened it, and there is no such file.
  bool is_unknown(std::string_view uri) const;
  void warn_once(const char* what, const std::string& message);

  InterceptorOptions options_;
  Callbacks callbacks_;
  TrafficStats* stats_;
  lsp::OutgoingRequests own_requests_;
  query::HoverScheduler hovers_;
  query::SymbolCache symbols_;
  ClientDocuments documents_;
  AutoOpenedDocuments opened_;
  lsp::WorkDoneProgress progress_;
  ClientRequests client_requests_;
  std::map<std::uint64_t, Query> queries_;
  std::uint64_t last_query_ = 0;
  std::uint64_t replies_read_ = 0;  // of the hovers, when that was asked last
  ClientInitialize client_;
  std::string initialize_id_;  // raw, while its answer is out
  std::set<std::string, std::less<>> warned_;
  lsp::ServerCapabilities capabilities_{.hover = true};  // until the server has said
  lsp::RecentDiagnostics published_;
  bool initialize_seen_ = false;
  bool shutdown_seen_ = false;
  bool exit_seen_ = false;  // by the server: of the client, or of ours
  bool client_said_exit_ = false;
  // Of the message judged last: its id may stand at its end.
  bool client_id_follows_ = false;
  bool server_id_follows_ = false;
  bool client_document_streams_ = false;  // it is a document's notification
  std::string own_reply_;                 // the id of the server's present message, where it is a reply to us
};

// The uri of params that have a textDocument, raw JSON; none where there is none.
std::optional<std::string> document_uri(std::string_view params);

}  // namespace symbols::session
