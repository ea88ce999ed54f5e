#include "proxy/session/interceptor.h"

#include <fmt/format.h>

#include <utility>

#include "lsp/client_session.h"
#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"
#include "lsp/requests.h"
#include "proxy/query/query_services.h"
#include "proxy/session/initialize_rewrite.h"

namespace symbols::session {
namespace {

using Kind = lsp::Envelope::Kind;

// Reading a reply takes several times its size.
constexpr std::size_t max_own_reply = std::size_t{64} << 20;

// Sends the body that takes the place of a message; returns whether there is one.
bool send_instead(const std::function<void(std::string)>& to, std::optional<std::string> body) {
  if (body) to(std::move(*body));
  return body.has_value();
}

}  // namespace

Interceptor::Interceptor(ProxyOptions options, const std::string& id_prefix,
                         const servers::ServerRegistry& registry, const servers::ServerSpec* server,
                         Callbacks callbacks, TrafficStats* stats)
    : callbacks_(std::move(callbacks)),
      state_{.settings = std::move(options)},
      documents_(registry, server),
      requests_(id_prefix, {.to_client = callbacks_.to_client,
                            .to_server = [this](std::string body) { send_to_server(std::move(body)); },
                            .on_all_answered = callbacks_.on_all_answered}),
      answering_(state_, documents_, requests_, stats, server,
                 {.to_server = [this](std::string body) { send_to_server(std::move(body)); },
                  .timers = callbacks_.timers,
                  .warn = [this](const std::string& message) { warn_once("reply", message); }}) {
  if (state_.settings.restart.enabled) replay_.emplace(id_prefix);
}

// Messages of our own are not sent to a server that is gone, nor to one that has not got initialize yet.
void Interceptor::send_to_server(std::string body) {
  if (server_ == Server::present) callbacks_.to_server(std::move(body));
}

void Interceptor::warn_once(const char* what, const std::string& message) {
  if (warned_.emplace(what).second) callbacks_.warn(message);
}

void Interceptor::warn_of_malformed(const char* sender) {
  warn_once(sender, fmt::format("the {} sent something that is not JSON-RPC; all such is passed on", sender));
}

// --- what the client sends

bool Interceptor::take_client(std::string_view body) {
  const Result<lsp::Envelope> read = lsp::read_envelope(body);
  if (!read) {
    warn_of_malformed("client");
    return false;
  }
  const lsp::Envelope& envelope = *read;
  const std::string_view method = envelope.method;
  if (envelope.kind == Kind::notification) {
    if (method == "$/cancelRequest") {
      const auto id = lsp::member_value(envelope.rest, "id");
      return id && answering_.cancel(*id);
    }
    if (method == "exit") {
      phase_ = Phase::exited;
      answering_.finish_all();
      if (!std::exchange(exit_received_, true)) callbacks_.on_client_exit();
      return false;
    }
    if (replay_) replay_->notified(method, body);
    const SessionDocuments::Change change = documents_.notified(method, envelope.rest);
    answering_.apply(change);
    // Again once the notification was sent: a request sent in between may be answered before it.
    if (change.workspace)
      callbacks_.timers.later(milliseconds(0), [this] { answering_.workspace_changed(); });
    return !change.passes;
  }
  if (envelope.kind != Kind::request) {
    if (!replay_) return false;
    std::optional<std::string> changed = replay_->answered(envelope.id, body);
    if (changed && !changed->empty()) callbacks_.to_server(std::move(*changed));
    return changed.has_value();
  }
  if (method == "initialize" ? take_initialize(body, envelope) : answering_.take(body, envelope)) return true;
  if (method == "shutdown") {
    if (phase_ == Phase::initialized) phase_ = Phase::shut_down;
  } else if (method.starts_with("textDocument/") && state_.auto_opens()) {
    if (const auto uri = query::document_uri(envelope.rest)) answering_.open_document(*uri);
  }
  requests_.add(envelope.id);
  return false;
}

bool Interceptor::take_initialize(std::string_view body, const lsp::Envelope& envelope) {
  Result<ClientInitialize> client = read_initialize(envelope.rest, state_.settings.answers);
  if (!client) {
    requests_.refuse(envelope.id, lsp::error_code::invalid_params, client.error().text());
    return true;
  }
  phase_ = Phase::initialized;
  state_.client = std::move(*client);
  initialize_id_ = envelope.id;
  std::optional<std::string> rewritten = rewrite_initialize(body, state_.options(), state_.settings.confine);
  if (replay_) replay_->initialize(lsp::member_value(rewritten ? *rewritten : body, "params").value_or("{}"));
  if (!rewritten) return false;
  requests_.add(envelope.id);
  callbacks_.to_server(std::move(*rewritten));
  return true;
}

// --- what the server sends

bool Interceptor::take_server(std::string_view body) {
  // Most requests of a server pass whatever their id is, which gopls writes behind the params. Diagnostics of
  // megabytes are not scanned for one.
  Result<lsp::Envelope> read = lsp::read_envelope(body, replay_.has_value());
  if (read && !replay_ &&
      (read->method.ends_with("/refresh") || read->method == "client/registerCapability" ||
       state_.settings.answered_methods.contains(read->method))) {
    read = lsp::read_envelope(body);
  }
  if (!read) {
    warn_of_malformed("server");
    return false;
  }
  const lsp::Envelope& envelope = *read;
  if (envelope.kind == Kind::request) return take_server_request(envelope, body);
  if (envelope.kind == Kind::notification) {
    if (envelope.method == "textDocument/publishDiagnostics") {
      documents_.published().keep(body);
    } else if (envelope.method == "$/progress") {
      progress_.receive(envelope.rest);
      answering_.set_loading(progress_.active() || !progress_.failure().empty());
    } else if (envelope.method == "$/cancelRequest" && replay_) {
      return send_instead(callbacks_.to_client, replay_->cancelled(body));
    }
    return false;
  }
  // Decided by the form of the id, so that a reply to us that comes twice, or late, never gets to the client.
  if (requests_.own().is_own(envelope.id)) {
    if (body.size() > max_own_reply) {
      requests_.own().fail(envelope.id, fmt::format("the server's reply is too large to be read: over {} MiB",
                                                    max_own_reply >> 20));
    } else {
      requests_.own().receive(envelope);
    }
    return true;
  }
  const bool taken = envelope.id == initialize_id_ && take_initialize_reply(envelope, body);
  requests_.answered(envelope.id);
  return taken;
}

bool Interceptor::take_server_request(const lsp::Envelope& envelope, std::string_view body) {
  if (envelope.method.ends_with("/refresh")) answering_.workspace_changed();
  if (envelope.method == "client/registerCapability") state_.capabilities.add_registrations(envelope.rest);
  if (!state_.settings.answered_methods.contains(envelope.method)) {
    // The only request that is allowed before the answer to initialize (LSP, "Initialize Request"). The
    // client is not read until then: it gets the message, and the answer is null.
    if (server_ != Server::introduced || envelope.method != "window/showMessageRequest")
      return replay_ && send_instead(callbacks_.to_client, replay_->asked(envelope, body));
    callbacks_.to_client(lsp::notification_body("window/showMessage", lsp::whole_json_value(envelope.rest)));
  }
  std::string answer = lsp::answer_server_request(envelope, state_.client.folders);
  bytes_answered_ += answer.size();
  callbacks_.to_server(std::move(answer));
  return true;
}

bool Interceptor::take_initialize_reply(const lsp::Envelope& envelope, std::string_view body) {
  initialize_id_.clear();
  if (envelope.kind != Kind::reply) return false;
  const Result<lsp::ServerCapabilities> capabilities = lsp::ServerCapabilities::of_initialize(envelope.rest);
  state_.capabilities = capabilities ? *capabilities : lsp::ServerCapabilities();
  documents_.set_position_encoding(state_.capabilities.position_encoding);
  if (replay_) replay_->initialized(envelope.rest);
  return send_instead(callbacks_.to_client,
                      rewrite_initialize_reply(body, state_.options(), state_.settings.version));
}

// --- how it ends

void Interceptor::close() {
  requests_.own().close();
  answering_.give_up_all();
}

bool Interceptor::shutdown(std::function<void()> done) {
  if (!wants_shutdown()) return false;
  phase_ = Phase::shut_down;
  requests_.own().request("shutdown", {}, [done = std::move(done)](const lsp::Reply&) { done(); });
  return true;
}

void Interceptor::exit() {
  if (!wants_exit()) return;
  phase_ = Phase::exited;
  callbacks_.to_server(lsp::notification_body("exit", {}));
}

void Interceptor::refuse_waiting(int code, const std::string& reason) {
  answering_.give_up_all();
  const RequestQueue::Ids waiting = requests_.take_waiting();
  if (exit_received_) return;  // after exit the client waits for nothing
  for (const std::string& id : waiting) requests_.refuse(id, code, reason);
}

// --- a server that takes the place of another

bool Interceptor::can_be_replaced() const {
  return replay_ && replay_->is_initialized() && phase_ == Phase::initialized;
}

void Interceptor::server_gone(const std::string& reason) {
  server_ = Server::gone;
  requests_.own().cancel(introduction_);
  for (std::string& body : replay_->take_leave(progress_)) callbacks_.to_client(std::move(body));
  answering_.set_loading(false);
  refuse_waiting(lsp::error_code::request_failed, reason);
}

void Interceptor::introduce(std::function<void(Result<std::size_t>)> done) {
  server_ = Server::present;  // for this request alone
  introduction_ = requests_.own().request(
      "initialize", replay_->initialize_params(),
      [this, done = std::move(done)](const lsp::Reply& reply) { done(introduced(reply)); });
  server_ = Server::introduced;
}

Result<std::size_t> Interceptor::introduced(const lsp::Reply& reply) {
  const Result<lsp::ServerCapabilities> capabilities = lsp::ServerCapabilities::of_initialize(reply.result);
  if (reply.failed || !capabilities) return Error{"refused initialize when it was started again", {}};
  if (replay_->offers_other(reply.result)) {
    callbacks_.warn(
        "the server offers other capabilities than before it was started again; the client knows only the "
        "former ones");
  }
  state_.capabilities = *capabilities;
  for (const auto& notification : replay_->notifications()) callbacks_.to_server(notification.body);
  std::size_t documents = 0;
  const std::vector<std::string> unknown = documents_.open_again([&](std::string body) {
    ++documents;
    callbacks_.to_server(std::move(body));
  });
  for (const std::string& uri : unknown) {
    callbacks_.warn(
        "the present text of " + uri +
        " is not known, so that the server that was started again has not got it; close and open it "
        "in the editor");
  }
  server_ = Server::present;
  // Requests that the former server owes a reply to, and those of timers meanwhile, which were not sent.
  requests_.own().fail_all("the server was started again");
  answering_.workspace_changed();
  return documents;
}

bool Interceptor::server_owes() const {
  if (replay_ && replay_->server_waits()) return false;
  return requests_.own().size() > 0 || requests_.waiting() > answering_.under_way();
}

}  // namespace symbols::session
