// The reader of envelopes (lsp/messages.h) against a full parse.
// Covers: lsp/messages.cc
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "lsp/json/json.h"
#include "lsp/messages.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/json_reference.h"

namespace symbols::fuzz::envelope_target {

// The outermost members that matter, as the parser has them: the last of a name, or none.
struct Members {
  std::optional<std::string> id;
  std::optional<std::string> method;
  bool odd = false;  // a method that is no string, or an id that is no string, number or null
  bool result = false;
  bool error = false;  // one that is not null
  // A name that occurs again, or a method beside an answer: which of the two counts depends on how far a
  // reader goes.
  bool twice = false;
};

Members members_of(const rapidjson::Value& message) {
  Members members;
  std::size_t ids = 0;
  std::size_t methods = 0;
  std::size_t answers = 0;
  std::size_t errors = 0;
  for (const auto& member : message.GetObject()) {
    const std::string_view name = text_of(member.name);
    if (name == "id") {
      members.id = spelled(member.value);
      members.odd = members.odd || !(member.value.IsString() || member.value.IsNull());
      ++ids;
    } else if (name == "method") {
      ++methods;
      const bool is_text = member.value.IsString() && !is_number(member.value);
      if (is_text) members.method = std::string(text_of(member.value));
      members.odd = members.odd || !is_text;
    } else if (name == "result") {
      members.result = true;
      ++answers;
    } else if (name == "error") {
      members.error = members.error || !member.value.IsNull();
      ++errors;
    }
  }
  members.twice =
      ids > 1 || methods > 1 || answers > 1 || errors > 1 || (methods > 0 && answers + errors > 0);
  return members;
}

// `raw` as a value alone; numbers keep their digits.
std::string spelled_raw(std::string_view raw) {
  const Parsed parsed(raw);
  return parsed.valid ? spelled(parsed.document) : "?";
}

void envelope(std::string_view data) {
  const std::string_view body = data;
  const Result<lsp::Envelope> whole = lsp::read_envelope(body);
  if (whole) {
    using Kind = lsp::Envelope::Kind;
    holds(whole->id.empty() == (whole->kind == Kind::notification), "only a notification has no id");
    holds(whole->kind == Kind::request || whole->kind == Kind::notification || !whole->rest.empty(),
          "an answer has a value");
  }

  const Parsed parsed(body);
  if (!parsed.valid || !parsed.document.IsObject()) {
    if (parsed.valid) holds(!whole, "what is no object is no message");
    return;
  }
  const Members members = members_of(parsed.document);
  if (members.twice) return;
  const bool is_message = members.method || (members.id && (members.result || members.error));
  // An id may be a null, and is one.
  if (!members.odd)
    holds(whole.has_value() == is_message, "a message is what has a method, or an id and an answer");
  if (whole && !members.odd) {
    if (!whole->id.empty()) same_text(spelled_raw(whole->id), *members.id, "the id is the message's");
    holds(members.id.has_value() == !whole->id.empty(), "an id that is there is found");
    if (members.method) {
      same_text(whole->method, *members.method, "the method is the message's");
    } else {
      holds((whole->kind == lsp::Envelope::Kind::error) == members.error, "an error is one that is not null");
    }
  }
}

const Registration registration("envelope", envelope);

}  // namespace symbols::fuzz::envelope_target
