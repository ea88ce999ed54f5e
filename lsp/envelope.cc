#include "lsp/envelope.h"

#include <optional>

#include "lsp/json/json.h"
#include "lsp/json/json_members.h"

namespace symbols::lsp {
namespace {

// Anything else, copied into an answer of ours, would make it invalid JSON.
bool is_id(std::string_view raw) {
  return raw == "null" || is_json_string_or_number(raw);
}

}  // namespace

Result<Envelope> read_envelope(std::string_view body, bool past_params) {
  JsonMembers members(body);
  const auto malformed = [](const std::string& fault) {
    return Error{"not a JSON-RPC message: " + fault, {}};
  };
  Envelope envelope;
  std::optional<std::string_view> method;  // raw
  // From the first byte of the value to the body's end.
  std::string_view params, result, error;
  std::string storage;
  while (members.next()) {
    // These names are never escaped in practice, but other readers would find them.
    const std::string_view name = unescape_json_string(members.name(), storage);
    const std::size_t at = members.offset();
    if (name == "id") {
      const auto id = members.value();
      if (!id) break;
      if (!is_id(*id)) return malformed(members.fault_at(at, "an id"));
      envelope.id = *id;
    } else if (name == "method") {
      if (members.rest().front() != '"') return malformed(members.fault_at(at, "a method's name"));
      method = members.value();
    } else if (name == "params") {
      params = members.rest();
    } else if (name == "result") {
      result = members.rest();
    } else if (name == "error" && !members.rest().starts_with("null")) {
      // Some servers always write both members, with `"error":null` beside a result.
      error = members.rest();
    }
    // With the id and the start of the value known, nothing after it matters. A notification and a request
    // can only be told apart at the end.
    if (method && !params.empty() && !past_params) break;
    if (!envelope.id.empty() && (method ? !params.empty() : !result.empty() || !error.empty())) break;
  }
  if (members.state() == JsonMembers::State::failed) return malformed(members.fault());
  if (method) {
    envelope.kind = envelope.id.empty() ? Envelope::Kind::notification : Envelope::Kind::request;
    envelope.method = unescape_json_string(method->substr(1, method->size() - 2), storage);
    envelope.rest = params;
    return envelope;
  }
  if (envelope.id.empty())
    return malformed(members.fault_at(members.offset() - 1, "an object with a method or an id"));
  if (result.empty() && error.empty())
    return malformed(members.fault_at(members.offset() - 1, "a result or an error"));
  envelope.kind = error.empty() ? Envelope::Kind::reply : Envelope::Kind::error;
  envelope.rest = error.empty() ? result : error;
  return envelope;
}

}  // namespace symbols::lsp
