#include "lsp/envelope.h"

#include <fmt/format.h>

#include <algorithm>

#include "lsp/json.h"

namespace symbols::lsp {
namespace {

constexpr std::string_view blanks = " \t\r\n";

Error malformed(std::string_view body, std::size_t at, std::string_view expected) {
  // What stands there, kept to printable ASCII, so that a message on a terminal cannot be steered by a
  // server.
  std::string found;
  for (const char c : body.substr(std::min(at, body.size()), 30)) found += c >= 0x20 && c < 0x7F ? c : '?';
  return {fmt::format("not a JSON-RPC message: expected {} at byte {}, found '{}'", expected, at, found), {}};
}

void skip_blanks(std::string_view text, std::size_t& at) {
  at = std::min(text.find_first_not_of(blanks, at), text.size());
}

// The text of a JSON string given with its quotes. Method names have no escapes but perhaps `\/`.
std::string unescape_method(std::string_view quoted) {
  std::string out;
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    if (quoted[i] == '\\' && quoted[i + 1] == '/') continue;
    out += quoted[i];
  }
  return out;
}

}  // namespace

Result<Envelope> read_envelope(std::string_view body) {
  std::size_t at = 0;
  skip_blanks(body, at);
  if (at == body.size() || body[at] != '{') return malformed(body, at, "an object");
  ++at;

  Envelope envelope;
  bool has_method = false;
  std::string_view params;
  std::string_view result;
  std::string_view error;
  for (;;) {
    skip_blanks(body, at);
    if (at < body.size() && body[at] == '}') break;
    if (at == body.size() || body[at] != '"') return malformed(body, at, "a member's name");
    const std::size_t key_length = skip_json_value(body.substr(at));
    if (key_length == std::string_view::npos) return malformed(body, at, "a member's whole name");
    const std::string_view key = body.substr(at + 1, key_length - 2);
    at += key_length;
    skip_blanks(body, at);
    if (at == body.size() || body[at] != ':') return malformed(body, at, "a colon");
    ++at;
    skip_blanks(body, at);
    const std::string_view value = body.substr(at);

    if (key == "params") {
      params = value;
    } else if (key == "result") {
      result = value;
    } else if (key == "error") {
      error = value;
    }
    // With id and the value's start known nothing behind it can matter; but `"error":null` may come before a
    // result.
    const bool answered = !result.empty() || (!error.empty() && !error.starts_with("null"));
    if (!envelope.id.empty() && !has_method && answered) break;
    // A notification cannot be told from a request before its end is seen.
    if (!envelope.id.empty() && has_method && !params.empty()) break;

    const std::size_t length = skip_json_value(value);
    if (length == std::string_view::npos) return malformed(body, body.size(), "the message's end");
    if (length == 0) return malformed(body, at, "a value");
    if (key == "id") {
      envelope.id = value.substr(0, length);
    } else if (key == "method") {
      if (value.front() != '"') return malformed(body, at, "a method's name");
      envelope.method = unescape_method(value.substr(0, length));
      has_method = true;
    }
    at += length;
    skip_blanks(body, at);
    if (at < body.size() && body[at] == ',') {
      ++at;
    } else if (at == body.size() || body[at] != '}') {
      return malformed(body, at, "a comma or the object's end");
    }
  }

  if (has_method) {
    envelope.kind = envelope.id.empty() ? Envelope::Kind::notification : Envelope::Kind::request;
    envelope.rest = params;
    return envelope;
  }
  if (envelope.id.empty()) return malformed(body, at, "an object with a method or an id");
  // `"error":null` beside a result is seen from servers that write both members always.
  const bool failed = !error.empty() && !error.starts_with("null");
  if (!failed && result.empty()) return malformed(body, at, "a result or an error");
  envelope.kind = failed ? Envelope::Kind::error : Envelope::Kind::reply;
  envelope.rest = failed ? error : result;
  return envelope;
}

}  // namespace symbols::lsp
