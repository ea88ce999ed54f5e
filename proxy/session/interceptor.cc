#include "proxy/session/interceptor.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "lsp/json/json_edit.h"
#include "lsp/json_rpc.h"
#include "lsp/reply.h"
#include "lsp/uri.h"
#include "proxy/session/initialize_rewrite.h"

// The routing of messages, and how a session begins and ends. What becomes of an intercepted request stands
// in intercepted_requests.cc.
namespace symbols::session {
namespace {

using Kind = lsp::Envelope::Kind;
using Verdict = relay::MessageRelay::Verdict;

constexpr std::array<std::string_view, 14> client_methods = {
    "initialize",
    "shutdown",
    "exit",
    "$/cancelRequest",
    "textDocument/documentSymbol",
    "textDocument/hover",
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didSave",
    "textDocument/didClose",
    "workspace/didChangeWatchedFiles",
    "workspace/didChangeConfiguration",
    "workspace/executeCommand",
    "workspace/didChangeWorkspaceFolders",
};

constexpr std::size_t hovers_in_flight = 32;  // docs/spec.md, section 7

}  // namespace

Interceptor::Interceptor(InterceptorOptions options, Callbacks callbacks, TrafficStats* stats)
    : options_(std::move(options)),
      callbacks_(std::move(callbacks)),
      stats_(stats),
      own_requests_([this](std::string body) { callbacks_.to_server(std::move(body)); }, options_.id_prefix),
      hovers_(own_requests_, callbacks_.later, {.in_flight = hovers_in_flight, .cache = true}),
      symbols_(own_requests_, callbacks_.later, [this](std::string_view uri) { return text_of(uri); }),
      opened_(*options_.registry, options_.server) {}

void Interceptor::warn_once(const char* what, const std::string& message) {
  if (warned_.emplace(what).second) callbacks_.warn(message);
}

bool Interceptor::awaits_many_small_portions() {
  // Where so many come at once the server is quick: it would have nothing left to do before our rest is over.
  constexpr std::uint64_t large_portion = 12;
  const std::uint64_t came = hovers_.replies() - std::exchange(replies_read_, hovers_.replies());
  return came < large_portion && hovers_.is_half_full() && hovers_.has_long_queue() &&
         client_waits_for_tables_only();
}

bool Interceptor::client_waits_for_tables_only() const {
  return client_requests_.size() <= queries_.size() &&
         std::ranges::all_of(queries_, [](const auto& query) { return !query.second.symbols.empty(); });
}

// --- what the client sends

bool Interceptor::is_interesting(const lsp::EnvelopeStart& envelope) const {
  for (const std::string_view method : client_methods) {
    if (envelope.method == method) return true;
  }
  // A request about a document that may have to be opened for it.
  return envelope.method.starts_with("textDocument/") && auto_opens();
}

Verdict Interceptor::judge_client(std::string_view start, bool whole) {
  const lsp::EnvelopeStart envelope = lsp::read_envelope_start(start, whole);
  client_id_follows_ = envelope.has_method && envelope.id.empty();
  client_document_streams_ = envelope.method.starts_with("textDocument/did");
  if (envelope.malformed) {
    if (whole) {
      warn_once(
          "client",
          "the client sent what is no JSON-RPC message; it is passed on as it is, like all of the kind");
    }
    return Verdict::pass;
  }
  if (envelope.has_method) {
    if (is_interesting(envelope)) return Verdict::gather;
    if (!envelope.id.empty()) client_requests_.add(envelope.id);
    return Verdict::pass;
  }
  return envelope.has_answer ? Verdict::pass : Verdict::undecided;
}

bool Interceptor::take_client(std::string_view body) {
  const Result<lsp::Envelope> read = lsp::read_envelope(body);
  if (!read) return false;
  const lsp::Envelope& envelope = *read;
  const std::string_view method = envelope.method;
  bool taken = false;
  if (envelope.kind == Kind::request) {
    if (method == "initialize") {
      taken = take_initialize(body, envelope);
    } else if (method == "textDocument/documentSymbol") {
      taken = take_document_symbol(body, envelope);
    } else if (method == "textDocument/hover") {
      taken = take_hover(body, envelope);
    } else if (method == "workspace/executeCommand") {
      taken = take_execute_command(envelope);
    } else if (method == "shutdown") {
      shutdown_seen_ = true;
    } else if (method.starts_with("textDocument/")) {
      if (const auto uri = document_uri(envelope.rest)) open_for_client(*uri);
    }
    if (!taken) client_requests_.add(envelope.id);
  } else if (envelope.kind == Kind::notification) {
    if (method == "$/cancelRequest") {
      taken = take_cancel(envelope);
    } else if (method == "exit") {
      exit_seen_ = true;
      answer_with_what_there_is();
      if (!std::exchange(client_said_exit_, true)) callbacks_.on_client_exit();
    } else {
      take_document_notification(envelope);
    }
  }
  return taken;
}

void Interceptor::client_streamed(std::string_view tail) {
  // One of the documents that we did not read, and cannot tell which.
  if (std::exchange(client_document_streams_, false)) {
    documents_.did_unread();
    workspace_changed();
  }
  if (!client_id_follows_) return;
  if (const std::string_view id = lsp::read_trailing_id(tail); !id.empty()) client_requests_.add(id);
}

bool Interceptor::take_initialize(std::string_view body, const lsp::Envelope& envelope) {
  Result<ClientInitialize> client = read_initialize(envelope.rest);
  if (!client) {
    refuse(envelope.id, lsp::error_code::invalid_params, client.error().text());
    return true;
  }
  const Result<void> fits = client->options.over(options_.answers).check();
  if (!fits) {
    refuse(envelope.id, lsp::error_code::invalid_params,
           "initializationOptions.symbols: " + fits.error().text());
    return true;
  }
  initialize_seen_ = true;
  initialize_id_ = envelope.id;
  client_ = std::move(*client);
  options_.answer_server.set_root(envelope.rest);
  std::optional<std::string> rewritten = rewrite_initialize(body, session_options());
  if (!rewritten) return false;
  client_requests_.add(envelope.id);
  callbacks_.to_server(std::move(*rewritten));
  return true;
}

void Interceptor::take_document_notification(const lsp::Envelope& envelope) {
  const std::string_view method = envelope.method;
  std::optional<std::string> uri;
  bool is_new = false;  // nobody can have asked about it
  if (method == "textDocument/didOpen") {
    uri = documents_.did_open(envelope.rest);
    if (uri) {
      const std::vector<std::string> closing = opened_.release(*uri);
      is_new = closing.empty();
      for (const std::string& body : closing) callbacks_.to_server(body);
      published_.opened(*uri);
    }
  } else if (method == "textDocument/didChange") {
    uri = documents_.did_change(envelope.rest);
    if (uri) published_.changed(*uri);
  } else if (method == "textDocument/didClose") {
    uri = documents_.did_close(envelope.rest);
    if (uri) opened_.forget(*uri);
  }
  if (!method.starts_with("textDocument/did") && !method.starts_with("workspace/did")) return;
  workspace_changed();
  if (uri && !is_new) hovers_.drop(*uri);
  // Once more when the server has been sent it: what is asked for in between may be answered before it.
  callbacks_.later(std::chrono::milliseconds(0), [this] { workspace_changed(); });
}

void Interceptor::workspace_changed() {
  hovers_.invalidate();
  symbols_.invalidate();
}

void Interceptor::open_for_client(std::string_view uri) {
  if (!auto_opens() || documents_.is_file_open(uri)) return;
  const bool was_open = opened_.is_open(uri);
  AutoOpenedDocuments::Prepared prepared = opened_.prepare(uri);
  // A document that the server learns of, or a change of one, may change what it says of others.
  for (const std::string& body : prepared.notifications) callbacks_.to_server(body);
  if (prepared.notifications.empty()) return;
  if (was_open) {
    published_.changed(uri);
  } else if (prepared.open) {
    published_.opened(uri);
  }
  workspace_changed();
  hovers_.drop(uri);
}

void Interceptor::open_for_query(std::uint64_t query, std::string_view uri) {
  open_for_client(uri);
  if (!opened_.is_open(uri)) return;
  opened_.hold(uri);
  queries_.at(query).held.emplace_back(uri);
}

Interceptor::Query Interceptor::take_query(std::map<std::uint64_t, Query>::iterator query) {
  auto taken = queries_.extract(query);
  for (const std::string& uri : taken.mapped().held) opened_.let_go(uri);
  return std::move(taken.mapped());
}

std::shared_ptr<const std::string> Interceptor::text_of(std::string_view uri) {
  if (documents_.is_open(uri)) return documents_.text(uri);
  return opened_.text(uri);
}

bool Interceptor::is_unknown(std::string_view uri) const {
  if (documents_.is_file_open(uri) || opened_.is_open(uri)) return false;
  const std::optional<std::string> path = lsp::file_path(uri);
  std::error_code ignored;
  return path && !std::filesystem::exists(*path, ignored);
}

// --- what the server sends

Verdict Interceptor::judge_server(std::string_view start, bool whole) {
  const lsp::EnvelopeStart envelope = lsp::read_envelope_start(start);
  server_id_follows_ = envelope.has_answer && envelope.id.empty();
  own_reply_.clear();
  if (envelope.malformed) {
    if (whole) {
      warn_once(
          "server",
          "the server sent what is no JSON-RPC message; it is passed on as it is, like all of the kind");
    }
    return Verdict::pass;
  }
  if (envelope.has_method) {
    if (envelope.method == "textDocument/publishDiagnostics") {
      // It passes as it is: seen whole, that a copy can be kept, if it is no longer than is worth that.
      if (!whole && start.size() <= lsp::RecentDiagnostics::longest) return Verdict::undecided;
      if (whole) {
        published_.keep(start);
      } else {
        published_.keep_none();
      }
      return Verdict::pass;
    }
    const bool interesting = envelope.method == "$/progress" || envelope.method.ends_with("/refresh") ||
                             envelope.method == "client/registerCapability" ||
                             options_.answer_server.covers(envelope.method);
    return interesting ? Verdict::gather : Verdict::pass;
  }
  if (!envelope.has_answer) return Verdict::undecided;
  std::string_view id = envelope.id;
  if (id.empty()) {
    // Behind a result of any size: where it may be ours the whole of it is looked at.
    if (!whole)
      return own_requests_.in_flight() || !initialize_id_.empty() ? Verdict::undecided : Verdict::pass;
    const Result<lsp::Envelope> all = lsp::read_envelope(start);
    if (!all) return Verdict::pass;
    id = all->id;
  }
  if (own_requests_.is_own(id)) {
    own_reply_ = id;
    return Verdict::gather;
  }
  if (!initialize_id_.empty() && id == initialize_id_) return Verdict::gather;
  answered(id);
  return Verdict::pass;
}

bool Interceptor::take_server(std::string_view body) {
  const Result<lsp::Envelope> read = lsp::read_envelope(body);
  if (!read) return false;
  const lsp::Envelope& envelope = *read;
  bool taken = false;
  switch (envelope.kind) {
    case Kind::request:
      if (envelope.method.ends_with("/refresh")) workspace_changed();
      if (envelope.method == "client/registerCapability") capabilities_.add_registrations(envelope.rest);
      if (options_.answer_server.covers(envelope.method)) {
        callbacks_.to_server(options_.answer_server.answer(envelope));
        taken = true;
      }
      break;
    case Kind::notification:
      if (envelope.method == "$/progress") {
        progress_.receive(envelope.rest);
        hovers_.set_loading(progress_.active());
      }
      break;
    case Kind::reply:
    case Kind::error:
      if (own_requests_.is_own(envelope.id)) {
        own_requests_.receive(envelope);
        taken = true;
      } else {
        taken = take_initialize_reply(envelope, body);
        answered(envelope.id);
      }
      break;
  }
  return taken;
}

bool Interceptor::take_initialize_reply(const lsp::Envelope& envelope, std::string_view body) {
  initialize_id_.clear();
  if (envelope.kind != Kind::reply) return false;
  const Result<lsp::ServerCapabilities> capabilities = lsp::ServerCapabilities::of_initialize(envelope.rest);
  capabilities_ = capabilities ? *capabilities : lsp::ServerCapabilities();
  documents_.set_position_encoding(capabilities_.position_encoding);
  std::optional<std::string> rewritten = rewrite_initialize_reply(body, session_options(), options_.version);
  if (!rewritten) return false;
  callbacks_.to_client(std::move(*rewritten));
  return true;
}

void Interceptor::server_streamed(std::string_view tail) {
  std::string_view id = own_reply_;
  if (server_id_follows_) id = lsp::read_trailing_id(tail);
  if (id.empty()) return;
  if (own_requests_.is_own(id)) {
    own_requests_.fail(id, "the server's reply is too large to be read");
  } else {
    answered(id);
  }
}

void Interceptor::answered(std::string_view client_id) {
  client_requests_.remove(client_id);
  if (client_requests_.empty()) callbacks_.on_all_answered();
}

// --- how it ends

// The client ends the session: no more will come for the answers under way.
void Interceptor::answer_with_what_there_is() {
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, query] : queries_) numbers.push_back(number);
  for (const std::uint64_t number : numbers) {
    const auto query = queries_.find(number);
    if (query == queries_.end()) continue;
    const std::map<std::size_t, std::shared_ptr<query::SymbolQuery>> symbols = query->second.symbols;
    for (const auto& [place, one] : symbols) one->stop_collecting();
    if (!queries_.contains(number)) continue;
    answer(number,
           query::Answer::error(lsp::error_code::request_cancelled, "the client has ended the session"));
  }
}

void Interceptor::give_up_answers() {
  while (!queries_.empty()) take_query(queries_.begin());
}

void Interceptor::close() {
  own_requests_.close();
  queries_.clear();
}

void Interceptor::shutdown(std::function<void()> done) {
  shutdown_seen_ = true;
  own_requests_.request("shutdown", {}, [done = std::move(done)](const lsp::Reply&) { done(); });
}

void Interceptor::exit() {
  exit_seen_ = true;
  callbacks_.to_server(lsp::notification_body("exit", {}));
}

void Interceptor::server_lost(const Error& reason) {
  // Who has said exit waits for nothing.
  std::vector<std::string> waiting = client_requests_.take_all();
  // Those that we answer are all known, also where there are too many of others.
  for (const auto& [number, query] : queries_) {
    if (std::find(waiting.begin(), waiting.end(), query.client_id) == waiting.end()) {
      waiting.push_back(query.client_id);
    }
  }
  give_up_answers();
  if (client_said_exit_) return;
  for (const std::string& id : waiting) {
    refuse(id, lsp::error_code::internal_error, reason.text());
  }
}

void Interceptor::refuse(std::string_view client_id, int code, std::string_view message) {
  callbacks_.to_client(lsp::error_body(client_id, lsp::error_json(code, message)));
}

}  // namespace symbols::session
