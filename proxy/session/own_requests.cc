#include "proxy/session/own_requests.h"

#include <charconv>
#include <utility>

#include "lsp/json/json_edit.h"
#include "lsp/json_rpc.h"

namespace symbols::session {

OwnRequests::OwnRequests(std::string prefix, std::function<void(std::string body)> send)
    : send_(std::move(send)), requests_(std::move(prefix)) {}

lsp::RequestNumber OwnRequests::request(std::string_view method, std::string_view params,
                                        lsp::ReplyHandler handler) {
  const lsp::RequestNumber number = requests_.add(std::move(handler));
  send_(lsp::request_body(requests_.id(number), method, params));
  return number;
}

void OwnRequests::cancel(lsp::RequestNumber number) {
  if (!requests_.forget(number)) return;
  abandoned_.insert(number);
  if (abandoned_.size() > most_abandoned) abandoned_.erase(abandoned_.begin());
  send_(lsp::cancel_body(requests_.id(number)));
}

void OwnRequests::receive(const lsp::Envelope& envelope) {
  if (const auto number = requests_.number(envelope.id)) abandoned_.erase(*number);
  lsp::Reply reply;
  reply.failed = envelope.kind == lsp::Envelope::Kind::error;
  reply.result = envelope.rest;
  if (reply.failed) {
    const std::string_view code = lsp::member_value(envelope.rest, "code").value_or("0");
    std::from_chars(code.data(), code.data() + code.size(), reply.error.code);
  }
  requests_.settle(envelope.id, reply);
}

void OwnRequests::close() {
  send_ = [](const std::string&) {};
}

void OwnRequests::fail(std::string_view id, std::string_view reason) {
  if (const auto number = requests_.number(id)) abandoned_.erase(*number);
  const std::string error = lsp::error_json(lsp::error_code::internal_error, reason);
  requests_.settle(
      id, {.failed = true, .result = error, .error = {lsp::error_code::internal_error, std::string(reason)}});
}

}  // namespace symbols::session
