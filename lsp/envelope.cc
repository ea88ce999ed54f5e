#include "lsp/envelope.h"

#include <optional>

#include "base/ascii.h"
#include "lsp/json/json.h"
#include "lsp/json/json_members.h"

namespace symbols::lsp {
namespace {

// Some servers always write both members, with `"error":null` beside a result. A value that the end of the
// text cuts short may still become null.
bool is_failure(std::string_view error) {
  constexpr std::string_view null = "null";
  return !null.starts_with(error.substr(0, null.size()));
}

// What an answer can name. Anything else, copied into an answer of ours, would make no JSON of it.
bool is_id(std::string_view raw) {
  return raw == "null" || is_json_string_or_number(raw);
}

// The outermost members read so far. Views from a value's first byte to the end of the text are empty if
// there is no such member.
struct Outermost {
  std::string_view id;      // raw
  std::string_view method;  // raw, between its quotes
  bool has_method = false;
  std::string_view params;
  std::string_view result;
  std::string_view error;
  // Where a member is not what it must be, and what that is.
  std::optional<std::size_t> fault_at;
  std::string_view expected;

  // Always false.
  bool fail(std::size_t at, std::string_view what) {
    fault_at = at;
    expected = what;
    return false;
  }
  bool failed() const { return !error.empty() && is_failure(error); }
  bool answered() const { return !result.empty() || failed(); }
  std::string unescaped_method() const {
    std::string storage;
    return std::string(unescape_json_string(method, storage));
  }
};

// Reads members until `enough(found, name)` for the one just read (the whole value of id and method, the
// beginning of others), or until there is none: members.state() tells why. False if the object is not a
// message.
template <class Enough>
bool read_outermost(JsonMembers& members, Outermost& found, Enough enough) {
  std::string storage;
  while (members.next()) {
    // Nobody escapes these names, but whoever parses the whole finds them then.
    const std::string_view name = unescape_json_string(members.name(), storage);
    if (name == "id") {
      const std::size_t start = members.offset();
      if (const auto id = members.value()) {
        found.id = *id;
        if (!is_id(*id)) return found.fail(start, "an id");
      }
    } else if (name == "method") {
      if (members.rest().front() != '"') {
        return found.fail(members.offset(), "a method's name");
      }
      if (const auto method = members.value()) {
        found.method = method->substr(1, method->size() - 2);
        found.has_method = true;
      }
    } else if (name == "params") {
      found.params = members.rest();
    } else if (name == "result") {
      found.result = members.rest();
    } else if (name == "error") {
      found.error = members.rest();
    }
    if (enough(found, name)) break;
  }
  return members.state() != JsonMembers::State::malformed;
}

std::string_view without_trailing_whitespace(std::string_view text) {
  return text.substr(0, text.find_last_not_of(json_whitespace) + 1);
}

}  // namespace

Result<Envelope> read_envelope(std::string_view body) {
  JsonMembers members(body);
  Outermost found;
  const auto malformed = [](std::string_view fault) {
    return Error{"not a JSON-RPC message: " + std::string(fault), {}};
  };
  // With the id and the start of the value known, nothing after it matters. A notification and a request can
  // only be told apart at the end.
  bool known = false;
  const bool readable = read_outermost(members, found, [&](const Outermost& so_far, std::string_view) {
    known = !so_far.id.empty() && (so_far.has_method ? !so_far.params.empty() : so_far.answered());
    return known;
  });
  if (found.fault_at) return malformed(members.fault_at(*found.fault_at, found.expected));
  if (!readable || (!known && members.state() != JsonMembers::State::end)) return malformed(members.fault());

  Envelope envelope;
  envelope.id = found.id;
  if (found.has_method) {
    envelope.kind = found.id.empty() ? Envelope::Kind::notification : Envelope::Kind::request;
    envelope.method = found.unescaped_method();
    envelope.rest = found.params;
    return envelope;
  }
  if (found.id.empty())
    return malformed(members.fault_at(members.offset() - 1, "an object with a method or an id"));
  if (!found.answered()) return malformed(members.fault_at(members.offset() - 1, "a result or an error"));
  envelope.kind = found.failed() ? Envelope::Kind::error : Envelope::Kind::reply;
  envelope.rest = found.failed() ? found.error : found.result;
  return envelope;
}

EnvelopeStart read_envelope_start(std::string_view prefix, bool past_params) {
  JsonMembers members(prefix);
  Outermost found;
  const bool readable = read_outermost(members, found, [&](const Outermost& so_far, std::string_view name) {
    if (so_far.id.empty()) return so_far.has_method && name == "params" && !past_params;
    return so_far.has_method || so_far.answered();
  });
  EnvelopeStart start;
  start.id = found.id;
  start.has_method = found.has_method;
  if (found.has_method) start.method = found.unescaped_method();
  start.has_answer = found.answered();
  start.complete = members.state() == JsonMembers::State::end;
  const bool message = found.has_method || (!found.id.empty() && found.answered());
  start.malformed = !readable || (start.complete && !message);
  return start;
}

std::string_view read_trailing_id(std::string_view tail) {
  // Why this finds only a member of the outermost object: the last byte of a JSON message, except for
  // whitespace, is the brace that closes the outermost object, since no brace within a string can be the last
  // byte. So what ends before that brace, except for whitespace, is a token outside of strings, and the value
  // of that object's last member. A digit there ends a number, as no other token ends in one, and the number
  // is the whole run of its characters, as what may precede it (a colon, whitespace) is none of them. A quote
  // there closes a string. Reading backwards from a string's end, a quote without a backslash before it
  // delimits that string, as one inside is always escaped; so the first such quote opened it. The value
  // begins outside of strings, hence the colon before it, and the quote before that colon, are the object's
  // own: this quote closes the member's name, and the same argument finds its opening quote, which must be
  // right before `id`. With a backslash before that quote (`"x\"id":5}`) the name is a longer one.
  std::string_view left = without_trailing_whitespace(tail);
  if (left.empty() || left.back() != '}') return {};
  left = without_trailing_whitespace(left.substr(0, left.size() - 1));
  if (left.empty()) return {};

  std::size_t length = 0;
  if (is_digit(left.back())) {
    const std::size_t before = left.find_last_not_of("0123456789+-.eE");
    if (before == std::string_view::npos) return {};
    length = left.size() - before - 1;
  } else if (left.back() == '"' && left.size() > 1) {
    const std::size_t opening = left.rfind('"', left.size() - 2);
    if (opening == std::string_view::npos) return {};
    length = left.size() - opening;
  } else {
    return {};
  }
  const std::string_view id = left.substr(left.size() - length);
  if (id.find('\\') != std::string_view::npos || !is_json_string_or_number(id)) return {};

  // This also catches a backslash before an opening quote: it is not a colon.
  left = without_trailing_whitespace(left.substr(0, left.size() - length));
  if (left.empty() || left.back() != ':') return {};
  left = without_trailing_whitespace(left.substr(0, left.size() - 1));
  constexpr std::string_view name = "\"id\"";
  if (!left.ends_with(name)) return {};
  left.remove_suffix(name.size());
  // The byte before must be in the tail: if the tail starts with the quote, a backslash may precede it.
  if (left.empty() || (left.back() != ',' && left.back() != '{' && !is_json_whitespace(left.back())))
    return {};
  return id;
}

}  // namespace symbols::lsp
