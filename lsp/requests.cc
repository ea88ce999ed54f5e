#include "lsp/requests.h"

#include <utility>
#include <vector>

#include "base/text.h"
#include "lsp/json/json_document.h"

namespace symbols::lsp {
namespace {

ResponseError read_error(std::string_view json) {
  ResponseError error{0, "an error without a message"};
  const Result<rapidjson::Document> document = parse_json(json);
  if (!document) return error;
  error.code = static_cast<int>(integer_member(*document, "code").value_or(0));
  error.message = string_member(*document, "message").value_or(error.message);
  return error;
}

}  // namespace

OutgoingRequests::OutgoingRequests(std::function<void(std::string body)> send, std::string prefix)
    : send_(std::move(send)), prefix_(std::move(prefix)) {}

RequestNumber OutgoingRequests::request(std::string_view method, std::string_view params,
                                        ReplyHandler handler) {
  const RequestNumber number = ++last_;
  handlers_.emplace(number, std::move(handler));
  send_(request_body(id(number), method, params));
  return number;
}

void OutgoingRequests::cancel(RequestNumber number) {
  if (handlers_.erase(number) == 0) return;
  send_(cancel_body(id(number)));
}

void OutgoingRequests::receive(const Envelope& reply) {
  const bool failed = reply.kind == Envelope::Kind::error;
  settle(
      reply.id,
      {.failed = failed, .result = reply.rest, .error = failed ? read_error(reply.rest) : ResponseError()});
}

void OutgoingRequests::fail(std::string_view id, std::string_view reason) {
  const std::string error = error_json(error_code::internal_error, reason);
  settle(id, {.failed = true, .result = error, .error = {error_code::internal_error, std::string(reason)}});
}

void OutgoingRequests::fail_all(std::string_view reason) {
  std::vector<RequestNumber> waiting;  // a handler may cancel others, and send new ones
  for (const auto& [number, handler] : handlers_) waiting.push_back(number);
  for (const RequestNumber number : waiting) fail(id(number), reason);
}

std::string OutgoingRequests::id(RequestNumber number) const {
  std::string digits = std::to_string(number);
  return prefix_.empty() ? digits : json_string(prefix_ + digits);
}

std::optional<RequestNumber> OutgoingRequests::number(std::string_view id) const {
  if (!prefix_.empty()) {
    const std::string start = '"' + prefix_;
    if (!id.starts_with(start) || !id.ends_with('"')) return {};
    id = id.substr(start.size(), id.size() - start.size() - 1);
  }
  const std::optional<RequestNumber> number = whole_number<RequestNumber>(id);
  return number > 0 ? number : std::nullopt;
}

void OutgoingRequests::settle(std::string_view id, const Reply& reply) {
  const std::optional<RequestNumber> which = number(id);
  if (!which) return;
  auto waiting = handlers_.extract(*which);
  if (!waiting.empty()) waiting.mapped()(reply);
}

}  // namespace symbols::lsp
