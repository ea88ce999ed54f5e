#include "proxy/interceptor.h"

#include <fmt/format.h>

#include <utility>

#include "lsp/envelope.h"
#include "lsp/json.h"

namespace symbols::proxy {
namespace {

using Verdict = MessageRelay::Verdict;

std::string error_body(std::string_view id, int code, std::string_view message) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"error":{{"code":{},"message":{}}}}})", id, code,
                     lsp::json_string(message));
}

}  // namespace

Interceptor::Interceptor(Callbacks callbacks)
    : callbacks_(std::move(callbacks)), own_requests_("symbols-proxy-") {}

void Interceptor::warn_once(bool& warned, const std::string& message) {
  if (!std::exchange(warned, true)) callbacks_.warn(message);
}

Verdict Interceptor::judge_client(std::string_view start, bool whole) {
  const lsp::EnvelopeStart envelope = lsp::read_envelope_start(start, whole);
  if (envelope.malformed) {
    if (whole) {
      warn_once(warned_of_client_,
                "the client sent what is no JSON-RPC message; passed on as it is, like all of the kind");
    }
    return Verdict::pass;
  }
  if (envelope.has_method) {
    if (envelope.method == "initialize" || envelope.method == "shutdown" || envelope.method == "exit") {
      return Verdict::gather;
    }
    if (!envelope.id.empty()) client_requests_.add(envelope.id);
    return Verdict::pass;
  }
  return envelope.has_answer ? Verdict::pass : Verdict::undecided;
}

bool Interceptor::take_client(std::string_view body) {
  const Result<lsp::Envelope> envelope = lsp::read_envelope(body);
  if (!envelope) return false;
  if (envelope->kind == lsp::Envelope::Kind::request) client_requests_.add(envelope->id);
  if (envelope->method == "initialize") initialize_seen_ = true;
  if (envelope->method == "shutdown") shutdown_seen_ = true;
  if (envelope->method == "exit" && !std::exchange(exit_seen_, true)) callbacks_.on_client_exit();
  return false;
}

void Interceptor::client_streamed(std::string_view tail) {
  if (const std::string_view id = lsp::read_trailing_id(tail); !id.empty()) client_requests_.add(id);
}

Verdict Interceptor::judge_server(std::string_view start, bool whole) {
  const lsp::EnvelopeStart envelope = lsp::read_envelope_start(start);
  if (envelope.malformed) {
    if (whole) {
      warn_once(warned_of_server_,
                "the server sent what is no JSON-RPC message; passed on as it is, like all of the kind");
    }
    return Verdict::pass;
  }
  if (envelope.has_method) return Verdict::pass;
  if (!envelope.has_answer) return Verdict::undecided;
  std::string_view id = envelope.id;
  if (id.empty()) {
    // Behind a result of any size: where it may be ours the whole of it is looked at.
    if (!whole) return own_requests_.size() > 0 ? Verdict::undecided : Verdict::pass;
    const Result<lsp::Envelope> all = lsp::read_envelope(start);
    if (!all) return Verdict::pass;
    id = all->id;
  }
  if (own_requests_.number(id)) return Verdict::gather;
  answered(id);
  return Verdict::pass;
}

bool Interceptor::take_server(std::string_view body) {
  const Result<lsp::Envelope> envelope = lsp::read_envelope(body);
  if (!envelope) return false;
  lsp::Reply reply;
  reply.failed = envelope->kind == lsp::Envelope::Kind::error;
  reply.result = envelope->rest;
  own_requests_.settle(envelope->id, reply);
  return true;
}

void Interceptor::server_streamed(std::string_view tail) {
  const std::string_view id = lsp::read_trailing_id(tail);
  if (!id.empty()) answered(id);
}

void Interceptor::answered(std::string_view client_id) {
  client_requests_.remove(client_id);
  if (client_requests_.empty()) callbacks_.on_all_answered();
}

void Interceptor::shutdown(std::function<void()> done) {
  shutdown_seen_ = true;
  const lsp::RequestNumber number =
      own_requests_.add([done = std::move(done)](const lsp::Reply&) { done(); });
  callbacks_.to_server(
      fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"shutdown"}})", own_requests_.id(number)));
}

void Interceptor::exit() {
  exit_seen_ = true;
  callbacks_.to_server(R"({"jsonrpc":"2.0","method":"exit"})");
}

void Interceptor::server_lost(const Error& reason) {
  for (const std::string& id : client_requests_.take_all()) {
    callbacks_.to_client(error_body(id, lsp::error_code::internal_error, reason.text()));
  }
}

}  // namespace symbols::proxy
