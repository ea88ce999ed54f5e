// The readers of envelopes (lsp/envelope.h) against a full parse: what the beginning of a message says, or
// its end, the whole never contradicts.
// Covers: lsp/envelope.cc
#include "lsp/envelope.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "lsp/json/json.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/input.h"
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

// Whether there is no second one; with escapes it may be spelled otherwise.
bool is_once(std::string_view text, std::string_view word) {
  const std::size_t first = text.find(word);
  return text.find('\\') == text.npos && (first == text.npos || text.find(word, first + 1) == text.npos);
}

// What a prefix said may grow with a longer one, and not change.
void grows(const lsp::EnvelopeStart& before, const lsp::EnvelopeStart& after) {
  if (before.malformed) holds(after.malformed, "what cannot become a message does not");
  if (after.malformed) return;
  if (!before.id.empty()) same_text(before.id, after.id, "the id of a longer prefix is the same");
  if (before.has_method) same_text(before.method, after.method, "the method of a longer prefix is the same");
  holds(!before.has_method || after.has_method, "a method stays one");
  holds(!before.complete || after.complete, "a whole message stays whole");
}

void envelope(std::string_view data) {
  Input input(data);
  const bool past_params = input.flag();
  const std::size_t cut = input.byte() + (std::size_t{input.byte()} << 8U);
  const std::string_view body = input.rest();

  const Result<lsp::Envelope> whole = lsp::read_envelope(body);
  const lsp::EnvelopeStart all = lsp::read_envelope_start(body, past_params);
  const lsp::EnvelopeStart some =
      lsp::read_envelope_start(body.substr(0, std::min(cut, body.size())), past_params);
  const lsp::EnvelopeStart half = lsp::read_envelope_start(body.substr(0, body.size() / 2), past_params);
  // Of duplicates the last counts, and a prefix may not have it.
  if (is_once(body, "\"id\"") && is_once(body, "\"method\"")) {
    grows(some, all);
    grows(half, all);
  }
  const std::string_view last_id = lsp::read_trailing_id(body);
  // The tail is all that a stream keeps.
  const std::string_view tail = body.substr(body.size() - std::min<std::size_t>(body.size(), 40));
  const std::string_view id_of_tail = lsp::read_trailing_id(tail);
  if (!id_of_tail.empty()) same_text(id_of_tail, last_id, "a tail says what the whole says");

  if (whole) {
    using Kind = lsp::Envelope::Kind;
    holds(!all.malformed, "a message has the start of one");
    holds(whole->id.empty() == (whole->kind == Kind::notification), "only a notification has no id");
    holds(whole->kind == Kind::request || whole->kind == Kind::notification || !whole->rest.empty(),
          "an answer has a value");
  }

  const Parsed parsed(body);
  if (!parsed.valid || !parsed.document.IsObject()) {
    if (parsed.valid) holds(!whole && all.malformed, "what is no object is no message");
    return;
  }
  const Members members = members_of(parsed.document);
  if (members.twice) return;
  const bool is_message = members.method || (members.id && (members.result || members.error));
  // An id may be a null, and is one.
  if (!members.odd) {
    holds(whole.has_value() == is_message, "a message is what has a method, or an id and an answer");
    if (is_message) holds(!all.malformed, "no message is taken for what cannot become one");
  }
  if (whole && !members.odd) {
    if (!whole->id.empty()) same_text(spelled_raw(whole->id), *members.id, "the id is the message's");
    holds(members.id.has_value() == !whole->id.empty(), "an id that is there is found");
    if (members.method) {
      same_text(whole->method, *members.method, "the method is the message's");
    } else {
      holds((whole->kind == lsp::Envelope::Kind::error) == members.error, "an error is one that is not null");
    }
  }
  for (const lsp::EnvelopeStart* start : {&all, &some, &half}) {
    if (members.odd) break;
    if (!start->id.empty())
      same_text(spelled_raw(start->id), members.id.value_or("none"), "a prefix says the id");
    if (start->has_method)
      same_text(start->method, members.method.value_or("none"), "a prefix says the method");
    if (start->has_answer)
      holds(members.result || members.error, "a prefix sees only answers that are there");
    if (is_message) holds(!start->malformed, "no prefix of a message is malformed");
  }
  // Only where an id is the last member, and is no string with escapes.
  if (!last_id.empty())
    same_text(spelled_raw(last_id), members.id.value_or("none"), "the last id is the message's");
}

SYMBOLS_FUZZ_TARGET(envelope)

}  // namespace symbols::fuzz::envelope_target
