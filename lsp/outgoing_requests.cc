#include "lsp/outgoing_requests.h"

#include <utility>
#include <vector>

#include "base/number.h"
#include "lsp/json/json_document.h"
#include "lsp/json_rpc.h"

namespace symbols::lsp {
namespace {

ResponseError read_error(std::string_view json) {
  ResponseError error{0, "an error without a message"};
  const Result<rapidjson::Document> document = parse_json(json);
  if (!document) return error;
  if (const rapidjson::Value* code = member(*document, "code"); code != nullptr && code->IsInt()) {
    error.code = code->GetInt();
  }
  if (std::optional<std::string> message = string_member(*document, "message")) {
    error.message = *std::move(message);
  }
  return error;
}

}  // namespace

OutgoingRequests::OutgoingRequests(std::function<void(std::string body)> send, std::string prefix)
    : send_(std::move(send)), prefix_(std::move(prefix)) {}

RequestNumber OutgoingRequests::request(std::string_view method, std::string_view params,
                                        ReplyHandler handler) {
  handlers_.emplace(++last_, std::move(handler));
  const RequestNumber number = last_;
  send_(request_body(id(number), method, params));
  return number;
}

void OutgoingRequests::cancel(RequestNumber number) {
  if (handlers_.erase(number) == 0) return;
  cancelled_.insert(number);
  if (cancelled_.size() > most_cancelled) cancelled_.erase(cancelled_.begin());
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
  cancelled_.clear();
  std::vector<RequestNumber> waiting;  // a handler may cancel others, and send new ones
  for (const auto& [number, handler] : handlers_) waiting.push_back(number);
  for (const RequestNumber number : waiting) fail(id(number), reason);
  cancelled_.clear();
}

void OutgoingRequests::close() {
  send_ = [](const std::string&) {};
}

std::string OutgoingRequests::id(RequestNumber number) const {
  std::string digits = std::to_string(number);
  return prefix_.empty() ? digits : json_string(prefix_ + digits);
}

std::optional<RequestNumber> OutgoingRequests::number(std::string_view id) const {
  if (!prefix_.empty()) {
    if (id.size() < prefix_.size() + 2 || id.front() != '"' || id.back() != '"') return {};
    id = id.substr(1, id.size() - 2);
    if (!id.starts_with(prefix_)) return {};
    id.remove_prefix(prefix_.size());
  }
  const std::optional<RequestNumber> number = whole_number<RequestNumber>(id);
  return number > 0 ? number : std::nullopt;
}

bool OutgoingRequests::owes(std::string_view id) const {
  const std::optional<RequestNumber> which = number(id);
  return which && (handlers_.contains(*which) || cancelled_.contains(*which));
}

void OutgoingRequests::settle(std::string_view id, const Reply& reply) {
  const std::optional<RequestNumber> which = number(id);
  if (!which) return;
  cancelled_.erase(*which);
  auto waiting = handlers_.extract(*which);
  if (!waiting.empty()) waiting.mapped()(reply);
}

}  // namespace symbols::lsp
