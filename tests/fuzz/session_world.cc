#include "tests/fuzz/session_world.h"

#include <algorithm>
#include <utility>

#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"
#include "lsp/messages.h"
#include "proxy/query/query_services.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/json_reference.h"

namespace symbols::fuzz {
namespace {

using Kind = lsp::Envelope::Kind;
using std::chrono::milliseconds;

constexpr std::string_view own_prefix = "own-";

// Applies a didOpen, didChange or didClose of a document to those that one side knows.
void apply(session::ClientDocuments& documents, const lsp::Envelope& notification) {
  const auto uri = query::document_uri(notification.rest);
  if (!uri) return;
  if (notification.method == "textDocument/didOpen") documents.did_open(*uri, notification.rest);
  if (notification.method == "textDocument/didChange") documents.did_change(*uri, notification.rest);
  if (notification.method == "textDocument/didClose") documents.did_close(*uri);
}

// Removes the first message that matches, and those before it: messages pass in their order.
bool take(std::deque<std::string>& sent, const std::function<bool(const std::string& body)>& matches) {
  const auto found = std::ranges::find_if(sent, matches);
  if (found == sent.end()) return false;
  sent.erase(sent.begin(), found + 1);
  return true;
}

bool is_question(const std::string& body) {
  return body.find("window/showMessageRequest") != body.npos;
}

bool take_sent(std::deque<std::string>& sent, std::string_view body) {
  return take(sent, [&](const std::string& one) { return one == body; });
}

// A request, or its answer, may pass with other members than it was sent with; `renamed`: with another id.
bool take_rewritten(std::deque<std::string>& sent, const lsp::Envelope& envelope, bool renamed = false) {
  return take(sent, [&](const std::string& body) {
    const Result<lsp::Envelope> was = lsp::read_envelope(body);
    return was && was->kind == envelope.kind && (was->id != envelope.id) == renamed &&
           was->method == envelope.method;
  });
}

}  // namespace

void Wire::write(std::string_view bytes) {
  while (true) {
    const Result<std::optional<std::string_view>> body = reader_.next(bytes);
    holds(body.has_value(), "what arrives is frames");
    if (!*body) return;
    on_message_(**body);
  }
}

SessionWorld::SessionWorld(session::ProxyOptions options)
    : restarts_(options.restart.enabled),
      to_client_([this](std::string_view body) { at_client(body); }),
      to_server_([this](std::string_view body) { at_server(body); }),
      interceptor_(std::make_unique<session::Interceptor>(
          options, std::string(own_prefix), registry_, nullptr,
          session::Interceptor::Callbacks{
              .to_client = [this](const std::string& body) { to_client_.write(lsp::frame(body)); },
              .to_server = [this](const std::string& body) { to_server_.write(lsp::frame(body)); },
              .timers = timers_,
              .on_client_exit = [] {},
              .on_all_answered = [] {},
              .warn = [](const std::string&) {}},
          nullptr)),
      client_relay_(
          relay_to(to_server_, [this](std::string_view body) { return interceptor_->take_client(body); })),
      server_relay_(server_relay()),
      lifecycle_(*this, timers_, "fake", options.restart) {}

std::unique_ptr<io::MessageRelay> SessionWorld::relay_to(Wire& wire,
                                                         std::function<bool(std::string_view)> take) {
  return std::make_unique<io::MessageRelay>(io::MessageRelay::Callbacks{
      .forward = [&wire](std::string_view bytes, bool) { wire.write(bytes); },
      .take = std::move(take),
      .on_unframed = [](const Error&) { holds(false, "frames are taken for frames"); }});
}

std::unique_ptr<io::MessageRelay> SessionWorld::server_relay() {
  return relay_to(to_client_, [this](std::string_view body) { return interceptor_->take_server(body); });
}

SessionWorld::~SessionWorld() {
  interceptor_->close();
}

bool SessionWorld::is_own(std::string_view id) const {
  return id.starts_with("\"" + std::string(own_prefix));
}

void SessionWorld::pass_portions(io::MessageRelay& relay, std::string_view left) {
  while (!left.empty()) {
    const std::string portion(left.substr(0, portion_));
    left.remove_prefix(portion.size());
    relay.receive(portion);
  }
}

void SessionWorld::client_says(std::string_view body) {
  if (dead_) return;
  held_.emplace_back(body);
  deliver_held();
}

void SessionWorld::deliver_held() {
  while (!held_.empty() && !is_away()) {
    const std::string body = std::move(held_.front());
    held_.pop_front();
    deliver(body);
  }
}

void SessionWorld::deliver(std::string_view body) {
  const Result<lsp::Envelope> envelope = lsp::read_envelope(body);
  if (envelope && envelope->kind == Kind::request) {
    // A client that uses an id twice, or one of ours, cannot tell the answers apart itself.
    if (is_own(envelope->id) || !client_ids_.emplace(envelope->id).second) return;
    client_waits_.emplace_back(envelope->id);
  }
  if (envelope && envelope->kind == Kind::notification) {
    if (envelope->method == "exit") exit_received_ = true;
    apply(at_client_documents_, *envelope);
  }
  from_client_.emplace_back(body);
  pass_portions(*client_relay_, lsp::frame(body));
  if (runs_) check_documents();
}

void SessionWorld::client_answers(std::size_t which, std::string_view result) {
  if (client_owes_.empty()) return;
  const auto one = client_owes_.begin() + static_cast<std::ptrdiff_t>(which % client_owes_.size());
  const std::string id = std::move(*one);
  client_owes_.erase(one);
  client_says(lsp::result_body(id, result));
}

void SessionWorld::server_says(std::string_view body) {
  if (dead_ || !runs_) return;
  const Result<lsp::Envelope> envelope = lsp::read_envelope(body);
  if (envelope && (envelope->kind == Kind::reply || envelope->kind == Kind::error)) {
    const auto owed = std::ranges::find(server_owes_, envelope->id, &Asked::id);
    if (owed != server_owes_.end()) {
      server_owes_.erase(owed);
    } else {
      ++stray_[std::string(envelope->id)];
    }
  }
  if (envelope && envelope->kind == Kind::request) server_waits_.emplace(envelope->id);
  from_server_.emplace_back(body);
  const bool was_away = is_away();
  pass_portions(*server_relay_, lsp::frame(body));
  if (was_away && !is_away()) check_documents();
  deliver_held();
}

void SessionWorld::at_server(std::string_view body) {
  const Result<lsp::Envelope> envelope = lsp::read_envelope(body);
  if (!runs_) {
    // What it was asked is cancelled, into a pipe that nobody reads. The last that the client has said may go
    // there too.
    const bool said = take_sent(from_client_, body) || (envelope && take_rewritten(from_client_, *envelope));
    if (!said && !(envelope && envelope->kind == Kind::notification))
      same_text(body, "", "nothing is asked of a server that is gone");
    return;
  }
  const bool passed = take_sent(from_client_, body);
  if (!envelope) {
    holds(passed, "what is no message passes as it came");
    return;
  }
  if (is_away()) {
    holds(envelope->kind != Kind::request || envelope->method == "initialize",
          "a new server is asked for nothing before it knows the client");
    if (envelope->kind == Kind::request) {
      holds(server_owes_.empty(), "it is asked once");
      server_owes_.push_back({std::string(envelope->id), envelope->method});
    }
  } else if (envelope->kind == Kind::request && !is_own(envelope->id)) {
    holds(passed || take_rewritten(from_client_, *envelope), "the server gets no request that nobody sent");
    holds(std::ranges::find(client_waits_, envelope->id) != client_waits_.end(),
          "no request passes after its answer");
    holds(std::ranges::find(server_owes_, envelope->id, &Asked::id) == server_owes_.end(),
          "no request passes twice");
    server_owes_.push_back({std::string(envelope->id), envelope->method});
  } else if (!passed) {
    own_message_at_server(*envelope, body);
  }
  if (envelope->kind == Kind::reply || envelope->kind == Kind::error) {
    const auto waits = server_waits_.find(envelope->id);
    holds(waits != server_waits_.end() || anything_goes_,
          "a server gets answers to what it has asked itself, one each");
    if (waits != server_waits_.end()) server_waits_.erase(waits);
  }
  check_document(*envelope);
}

void SessionWorld::own_message_at_server(const lsp::Envelope& envelope, std::string_view body) {
  holds(Parsed(body).valid, "the proxy's messages are JSON");
  if (envelope.kind == Kind::request) {
    holds(own_ids_.emplace(envelope.id).second, "each of the proxy's requests has an id of its own");
    server_owes_.push_back({std::string(envelope.id), envelope.method});
    return;
  }
  if (envelope.kind != Kind::notification) return;  // an answer in the client's place
  if (envelope.method == "$/cancelRequest") {
    const auto id = lsp::member_value(envelope.rest, "id");
    holds(id && own_ids_.contains(*id), "the proxy cancels requests of its own");
    return;
  }
  holds(envelope.method == "textDocument/didOpen" || envelope.method == "textDocument/didClose" ||
            envelope.method == "textDocument/didChange",
        "the proxy tells of nothing but documents");
}

// Where the client keeps to the rules, what the server is told does.
void SessionWorld::check_document(const lsp::Envelope& envelope) {
  if (envelope.kind != Kind::notification || !envelope.method.starts_with("textDocument/did")) return;
  const auto uri = query::document_uri(envelope.rest);
  if (!uri) {
    anything_goes_ = true;
    return;
  }
  const bool opens = envelope.method == "textDocument/didOpen";
  if (opens || envelope.method == "textDocument/didChange" || envelope.method == "textDocument/didClose")
    holds(at_server_documents_.is_open(*uri) != opens || anything_goes_,
          "a document is opened once, and changed and closed while it is open");
  apply(at_server_documents_, envelope);
}

// When both sides have read all, whichever server it is.
void SessionWorld::check_documents() {
  if (anything_goes_ || is_away()) return;
  for (const auto& [order, uri] : at_client_documents_.in_order()) {
    const auto text = at_client_documents_.text(uri);
    if (text == nullptr) continue;
    const auto there = at_server_documents_.text(uri);
    holds(there != nullptr, "the server has each document that the client has open, and its text");
    same_text(*there, *text, "the server has the client's text");
  }
}

void SessionWorld::at_client(std::string_view body) {
  const Result<lsp::Envelope> envelope = lsp::read_envelope(body);
  const bool passed = take_sent(from_server_, body);
  if (!envelope) {
    holds(passed, "what is no message passes as it came");
    return;
  }
  if (envelope->kind == Kind::request) return request_at_client(*envelope, passed);
  if (envelope->kind == Kind::notification) {
    // A question of a server that does not know the client yet becomes a message.
    const bool was_question =
        is_away() && envelope->method == "window/showMessage" && take(from_server_, is_question);
    holds(passed || was_question || (leaving_ && envelope->method == "$/progress"),
          "the client gets nothing but what the server sent");
    return;
  }
  if (!passed) {
    holds(Parsed(body).valid, "the proxy's answers are JSON");
    take_rewritten(from_server_, *envelope);
  }
  const auto waits = std::ranges::find(client_waits_, envelope->id);
  if (waits != client_waits_.end()) {
    client_waits_.erase(waits);
    return;
  }
  // The server's own doing: an answer that nobody waited for passes.
  const auto stray = stray_.find(envelope->id);
  if (stray == stray_.end() || stray->second == 0) same_text(body, "", "no request is answered twice");
  --stray->second;
  holds(!own_ids_.contains(envelope->id), "no answer to us gets to the client");
}

void SessionWorld::request_at_client(const lsp::Envelope& envelope, bool passed) {
  if (!passed) {
    holds(is_own(envelope.id), "a request passes under its own id, or under one of ours");
    if (leaving_) {
      holds(envelope.method == "client/unregisterCapability",
            "the client is told that registrations are gone");
    } else {
      holds(restarts_ && take_rewritten(from_server_, envelope, true),
            "the client gets nothing but what the server sent");
    }
  }
  holds(!restarts_ || anything_goes_ || std::ranges::find(client_owes_, envelope.id) == client_owes_.end(),
        "the client can tell the requests of two servers apart");
  client_owes_.emplace_back(envelope.id);
}

// --- how servers end and follow each other

void SessionWorld::server_dies(std::string_view last_bytes) {
  if (dead_ || !runs_) return;
  pass_portions(*server_relay_, last_bytes);
  // Where words for a person go is not decided here; they are not among the frames.
  const std::string words = server_relay_->end();
  holds(last_bytes.ends_with(words), "last words are what was written last");
  runs_ = false;
  lifecycle_.server_exited({.code = 0, .signal = 9});
}

bool SessionWorld::can_be_replaced() const {
  return !exit_received_ && interceptor_->can_be_replaced();
}

void SessionWorld::server_gone(const std::string& why) {
  leaving_ = true;
  interceptor_->server_gone(why);
  leaving_ = false;
  holds(client_waits_.empty(), "a server that is replaced leaves no request without its answer");
  server_owes_.clear();
  server_waits_.clear();
  from_client_.clear();
  from_server_.clear();
  at_server_documents_ = session::ClientDocuments();
}

Result<void> SessionWorld::start_server() {
  if (start_fails_) return Error{"no", {}};
  runs_ = true;
  next_server_id_ = 0;
  server_relay_ = server_relay();
  return {};
}

void SessionWorld::introduce_client(std::function<void(Result<std::size_t>)> done) {
  interceptor_->introduce(std::move(done));
}

// It ends soon, not at once.
void SessionWorld::stop_server(milliseconds) {
  timers_.later(milliseconds(0), [this] { server_dies(); });
}

void SessionWorld::close_streams(const std::string& why) {
  while (!held_.empty()) {
    deliver(held_.front());
    held_.pop_front();
  }
  dead_ = true;
  interceptor_->server_lost({"the server fake " + why, "see its standard error"});
  if (!exit_received_)
    holds(client_waits_.empty(), "a server that dies leaves no request without its answer");
}

void SessionWorld::settle(std::string_view result) {
  constexpr int enough = 400;
  for (int round = 0; !dead_ && round < enough; ++round) {
    if (server_owes_.empty() && client_waits_.empty() && !is_away()) break;
    const std::vector<Asked> owed = server_owes_;
    for (const Asked& asked : owed) {
      server_says(lsp::result_body(asked.id, asked.method == "shutdown" ? "null"
                                             : is_away()                ? R"({"capabilities":{}})"
                                                                        : result));
    }
    timers_.pass(milliseconds(round < enough / 2 ? 50 : 20'000));
  }
  if (exit_received_ || dead_) return;
  holds(server_owes_.empty(), "the proxy does not ask for ever");
  for (const std::string& id : client_waits_) same_text(id, "", "each request gets its answer");
  holds(anything_goes_ || !interceptor_->client_waits(), "the proxy knows that nobody waits");
}

}  // namespace symbols::fuzz
