#include "lsp/outgoing_requests.h"

#include <charconv>
#include <utility>

#include "lsp/json/json.h"

namespace symbols::lsp {

RequestNumber OutgoingRequests::add(ReplyHandler handler) {
  handlers_.emplace(++last_, std::move(handler));
  return last_;
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
  RequestNumber number = 0;
  const auto [end, code] = std::from_chars(id.data(), id.data() + id.size(), number);
  if (code != std::errc() || end != id.data() + id.size() || number == 0 || number > last_) return {};
  return number;
}

bool OutgoingRequests::settle(std::string_view id, const Reply& reply) {
  const std::optional<RequestNumber> which = number(id);
  if (!which) return false;
  auto waiting = handlers_.extract(*which);
  if (waiting.empty()) return false;
  waiting.mapped()(reply);
  return true;
}

}  // namespace symbols::lsp
