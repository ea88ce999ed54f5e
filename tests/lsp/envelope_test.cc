#include "lsp/envelope.h"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tests/lsp/json/generated_json.h"

using symbols::Dice;
using symbols::Result;
using symbols::lsp::Envelope;
using symbols::lsp::EnvelopeStart;
using symbols::lsp::raw_blanks;
using symbols::lsp::raw_string;
using symbols::lsp::raw_value;
using symbols::lsp::read_envelope;
using symbols::lsp::read_envelope_start;
using symbols::lsp::read_trailing_id;
using Kind = symbols::lsp::Envelope::Kind;

// Found by the fuzz target envelope: a reply spelled so passed, and its request was still taken for one that
// waits.
TEST_CASE("an envelope's names may have escapes") {
  const Result<Envelope> reply = read_envelope(R"({"\u0069d":1,"resul\u0074":2})");
  REQUIRE(reply.has_value());
  CHECK(reply->kind == Kind::reply);
  CHECK(reply->id == "1");
  CHECK(reply->rest == "2}");
  const EnvelopeStart start = read_envelope_start(R"({"i\u0064":"x","m\u0065thod":"a/b","params":{)");
  CHECK(start.id == "\"x\"");
  CHECK(start.method == "a/b");
}

TEST_CASE("an envelope is read whatever the order of its members") {
  struct Case {
    const char* body;
    Kind kind;
    const char* id;
    const char* method;
    const char* rest;  // a prefix of what params, result or error must start with
  };
  const Case cases[] = {
      {R"({"jsonrpc":"2.0","id":1,"method":"a/b","params":{"x":1}})", Kind::request, "1", "a/b",
       R"({"x":1}})"},
      {R"({"id":"1","method":"a/b","jsonrpc":"2.0"})", Kind::request, "\"1\"", "a/b", ""},
      {R"({"method":"a\/b","id":9007199254740993,"params":[]})", Kind::request, "9007199254740993", "a/b",
       "[]}"},
      {R"({"params":{"id":7,"method":"no"},"method":"m","id":2})", Kind::request, "2", "m", R"({"id":7)"},
      {R"({"jsonrpc":"2.0","method":"exit"})", Kind::notification, "", "exit", ""},
      {R"({"jsonrpc":"2.0","method":"n","params":{"a":"}\"{"}})", Kind::notification, "", "n",
       R"({"a":"}\"{"})"},
      {R"({"jsonrpc":"2.0","id":3,"result":[1,2]})", Kind::reply, "3", "", "[1,2]"},
      {R"({"jsonrpc":"2.0","result":{"a":[{"id":5}]},"id":"x\"y"})", Kind::reply, R"("x\"y")", "",
       R"({"a":)"},
      {R"({"id":4,"result":null})", Kind::reply, "4", "", "null"},
      {R"({"id":4,"error":null,"result":5})", Kind::reply, "4", "", "5"},
      {R"({"id":4,"result":null,"error":{"code":1}})", Kind::reply, "4", "", "null"},
      {R"({"id":null,"error":{"code":-32700,"message":"m"}})", Kind::error, "null", "", R"({"code":-32700)"},
      {R"({"error":{"code":1},"id":6})", Kind::error, "6", "", R"({"code":1})"},
      {" \r\n{ \"id\" : 1 ,\n\t\"method\" : \"m\" , \"params\" : { } } ", Kind::request, "1", "m", "{ }"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.body);
    const Result<Envelope> envelope = read_envelope(c.body);
    REQUIRE(envelope.has_value());
    CHECK(envelope->kind == c.kind);
    CHECK(envelope->id == c.id);
    CHECK(envelope->method == c.method);
    CHECK(envelope->rest.starts_with(c.rest));
  }
}

TEST_CASE("the reader stops once it knows: faults after that do not matter") {
  const Result<Envelope> reply = read_envelope(R"({"jsonrpc":"2.0","id":3,"result":[1,2,)");
  REQUIRE(reply.has_value());
  CHECK(reply->rest == "[1,2,");
  const Result<Envelope> request = read_envelope(R"({"id":3,"method":"m","params":{"text":"abc)");
  REQUIRE(request.has_value());
  CHECK(request->method == "m");
}

TEST_CASE("anything but a message is an error that says where") {
  struct Case {
    const char* body;
    const char* error;
  };
  const Case cases[] = {
      {"", "expected an object at byte 0, found ''"},
      {"hello", "expected an object at byte 0, found 'hello'"},
      {"[{\"id\":1}]", "expected an object at byte 0, found '[{\"id\":1}]'"},
      {"{}", "expected an object with a method or an id at byte 1, found '}'"},
      {"{\"id\":1}", "expected a result or an error"},
      {"{\"id\" 1}", "expected a colon at byte 6, found '1}'"},
      {"{\"id\":}", "expected a value at byte 6, found '}'"},
      {"{id:1}", "expected a member's name at byte 1, found 'id:1}'"},
      {"{\"id\":1 \"result\":2}", "expected a comma or the object's end at byte 8"},
      {"{\"result\":[1,2", "expected the value's end"},
      {"{\"method\":5}", "expected a method's name at byte 10"},
      {"{\"id\":2\x04,\"method\":\"m\"}", "expected an id at byte 6, found '2?,"},
      {"{\"id\":{\"a\":1},\"result\":1}", "expected an id at byte 6, found '{"},
      {"{\"result\":1,\"id\":\"\x01\"}", "expected an id at byte 17, found '"},
      {"{\"method", "expected a member's whole name"},
      {"{\"jsonrpc\":\"2.0\",\x1B[2J", "expected a member's name at byte 17, found '?[2J'"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.body);
    const Result<Envelope> envelope = read_envelope(c.body);
    REQUIRE(envelope.has_error());
    CHECK(envelope.error().message.find(c.error) != std::string::npos);
  }
}

TEST_CASE("a deeply nested message costs no stack") {
  const std::string deep =
      "{\"result\":" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + ",\"id\":1}";
  const Result<Envelope> envelope = read_envelope(deep);
  REQUIRE(envelope.has_value());
  CHECK(envelope->id == "1");
}

TEST_CASE("the first bytes of a body tell what they can") {
  struct Case {
    const char* prefix;
    const char* id;
    const char* method;  // null if none was seen
    bool has_answer;
    bool complete;
  };
  const Case cases[] = {
      {"", "", nullptr, false, false},
      {" \r\n", "", nullptr, false, false},
      {"{", "", nullptr, false, false},
      {R"({"jsonrpc":"2.0","i)", "", nullptr, false, false},
      {R"({"jsonrpc":"2.0","id)", "", nullptr, false, false},
      {R"({"jsonrpc":"2.0","id":)", "", nullptr, false, false},
      {R"({"jsonrpc":"2.0","id":5)", "", nullptr, false, false},  // 5, or 52
      {R"({"jsonrpc":"2.0","id":"5)", "", nullptr, false, false},
      {R"({"jsonrpc":"2.0","id":"5")", "\"5\"", nullptr, false, false},
      {R"({"jsonrpc":"2.0","id":5,)", "5", nullptr, false, false},
      {R"({"jsonrpc":"2.0","id":5,"result":)", "5", nullptr, false, false},
      {R"({"jsonrpc":"2.0","id":5,"result":[)", "5", nullptr, true, false},
      {R"({"jsonrpc":"2.0","id":5,"result":n)", "5", nullptr, true, false},
      {R"({"jsonrpc":"2.0","id":5,"error":{)", "5", nullptr, true, false},
      {R"({"jsonrpc":"2.0","id":5,"error":nul)", "5", nullptr, false, false},
      {R"({"jsonrpc":"2.0","id":5,"error":null,"resu)", "5", nullptr, false, false},
      {R"({"jsonrpc":"2.0","id":5,"error":null,"result":1)", "5", nullptr, true, false},
      {R"({"result":[{"id":5},)", "", nullptr, true, false},
      {R"({"result":[{"id":5}],"id":)", "", nullptr, true, false},
      {R"({"result":[{"id":5}],"id":6})", "6", nullptr, true, false},
      {R"({"jsonrpc":"2.0","method":"textDocument)", "", nullptr, false, false},
      {R"({"jsonrpc":"2.0","method":"a\/b")", "", "a/b", false, false},
      {R"({"jsonrpc":"2.0","method":"","params":{)", "", "", false, false},
      {R"({"jsonrpc":"2.0","id":5,"method":"m","par)", "5", "m", false, false},
      {R"({"method":"m","id":5,"par)", "5", "m", false, false},
      {R"({"params":{"id":7},"method":"m","id":5})", "5", "m", false, false},
      {R"({"params":{"id":7},"method":"m"})", "", "m", false, true},
      {R"({"jsonrpc":"2.0","method":"exit"} )", "", "exit", false, true},
  };
  for (const Case& c : cases) {
    CAPTURE(c.prefix);
    const EnvelopeStart start = read_envelope_start(c.prefix);
    CHECK(!start.malformed);
    CHECK(start.id == c.id);
    CHECK(start.has_method == (c.method != nullptr));
    CHECK(start.method == (c.method == nullptr ? "" : c.method));
    CHECK(start.has_answer == c.has_answer);
    CHECK(start.complete == c.complete);
  }
}

TEST_CASE("an id after params is looked for only if the caller says so") {
  constexpr std::string_view body = R"({"method":"m","params":{"id":7},"id":5})";
  CHECK(read_envelope_start(body).id.empty());
  CHECK(!read_envelope_start(body).complete);
  CHECK(read_envelope_start(body, true).id == "5");
  CHECK(read_envelope_start(body.substr(0, body.size() - 3), true).id.empty());
  constexpr std::string_view notification = R"({"method":"m","params":{"id":7}})";
  CHECK(read_envelope_start(notification, true).id.empty());
  CHECK(read_envelope_start(notification, true).complete);
}

TEST_CASE("the first bytes of what cannot be a message say so") {
  for (const char* prefix :
       {"hello", "[", "[{\"id\":1", "null", " x", "{]", "{id", "{\"id\" 1", "{\"id\":}",
        "{\"id\":1 \"result\"", "{\"id\":1,}", "{\"method\":5", "{}", "{\"id\":1}", "{\"result\":1}",
        "{\"id\":4,\"error\":null}", "{\"id\":1.,", "{\"id\":\"\\x\""}) {
    CAPTURE(prefix);
    CHECK(read_envelope_start(prefix).malformed);
  }
}

TEST_CASE("the id at a body's end") {
  struct Case {
    const char* tail;
    const char* id;
  };
  const Case cases[] = {
      {R"(}],"id":5})", "5"},
      {R"(}],"id":-12})", "-12"},
      {R"(}],"id":9007199254740993})", "9007199254740993"},
      {R"(}],"id":"symbols-proxy-7"})", R"("symbols-proxy-7")"},
      {R"(}],"id":""})", R"("")"},
      {R"({"id":5})", "5"},
      {"] ,\n\t\"id\" :\r\n 5 } \n", "5"},
      {R"( "id":5})", "5"},
      // Tails that start within the member, or right before it: a backslash may stand there.
      {R"("id":5})", ""},
      {R"(id":5})", ""},
      {R"(":5})", ""},
      {R"(:5})", ""},
      {R"(5})", ""},
      {R"("x"})", ""},
      {R"(x"})", ""},
      {R"("})", ""},
      {R"(})", ""},
      {"", ""},
      // Names and strings that look like it.
      {R"({"x\"id":5})", ""},
      {R"({"x,\"id\":5})", ""},
      {R"(,"x":",\"id\":5"})", ""},
      {R"(,"x":"a,\"id\":5}"})", ""},
      {R"(,"x":"\"id\":\"5"})", ""},
      {R"(,"id":"a\"5"})", ""},
      {R"(,"id":"5\\"})", ""},
      {R"(,"id":"\u0035"})", ""},
      {R"(,"idx":5})", ""},
      {R"(,"xid":5})", ""},
      {R"(,"id":{"id":5}})", ""},
      {R"(,"result":{"id":5}})", ""},
      {R"(,"id":null})", ""},
      {R"(,"id":[5]})", ""},
      {R"([{"id":5}])", ""},
      {R"({"id":5},)", ""},
      {R"(,"id":5,"result":true})", ""},
      {R"(,"id":5,"result":1})", ""},
      {R"(,"id":x5})", ""},
      {R"(,"id",5})", ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.tail);
    CHECK(read_trailing_id(c.tail) == c.id);
  }
}

namespace {

struct Message {
  std::string body;
  std::string id;  // raw; empty where there is none
  std::string method;
  bool id_last = false;
};

// A message whose members stand in any order among others that look like them.
Message any_message(Dice& dice) {
  constexpr std::array<std::string_view, 7> ids{"1",    "-7",   "9007199254740993", "\"id\"", "\"x\\\"y\"",
                                                "\"\"", "1.5e3"};
  Message message;
  std::vector<std::pair<std::string, std::string>> members{{"jsonrpc", "\"2.0\""}};
  const auto add = [&](std::string_view name, std::string value) {
    members.emplace(members.begin() + static_cast<std::ptrdiff_t>(dice.below(members.size() + 1)), name,
                    std::move(value));
  };
  const std::size_t kind = dice.below(4);
  if (kind != 0) {
    message.id = dice.pick(ids);
    add("id", message.id);
  }
  if (kind < 2) {
    message.method = "a/b";
    add("method", "\"a/b\"");
    if (!dice.one_in(4)) add("params", raw_value(dice, 3));
  } else if (kind == 2) {
    add("result", raw_value(dice, 3));
    if (dice.one_in(4)) add("error", "null");
  } else {
    add("error", R"({"code":1,"message":)" + raw_string(dice) + "}");
  }
  for (const std::string_view name : {"x\\\"id", "idd", "\\u0069e", ""}) {
    if (dice.one_in(4)) add(name, raw_value(dice, 2));
  }
  message.id_last = members.back().first == "id";
  std::string& body = message.body;
  body = std::string(raw_blanks(dice)) + "{";
  for (const auto& [name, value] : members) {
    if (body.back() != '{') body += ',';
    body += raw_blanks(dice);
    body += '"' + name + '"';
    body += raw_blanks(dice);
    body += ':';
    body += raw_blanks(dice);
    body += value;
    body += raw_blanks(dice);
  }
  body += '}';
  body += raw_blanks(dice);
  return message;
}

}  // namespace

TEST_CASE("of generated messages every beginning and every end tells the truth or nothing") {
  Dice dice(3);
  std::size_t ids_at_the_end = 0;
  for (int round = 0; round < 1500; ++round) {
    const Message message = any_message(dice);
    const std::string_view body = message.body;
    CAPTURE(body);
    const Result<Envelope> envelope = read_envelope(body);
    REQUIRE(envelope.has_value());
    REQUIRE(envelope->id == message.id);
    REQUIRE(envelope->method == message.method);
    const bool answer = envelope->kind == Kind::reply || envelope->kind == Kind::error;
    for (const bool past_params : {false, true}) {
      EnvelopeStart before;
      for (std::size_t size = 0; size <= body.size(); ++size) {
        CAPTURE(size);
        const EnvelopeStart start = read_envelope_start(body.substr(0, size), past_params);
        REQUIRE(!start.malformed);
        REQUIRE((start.id.empty() || start.id == message.id));
        REQUIRE((!start.has_method || start.method == message.method));
        REQUIRE((!start.has_method || !answer));
        REQUIRE((!start.has_answer || answer));
        REQUIRE((!start.complete || size > body.rfind('}')));
        // What was known stays known.
        REQUIRE(start.id.size() >= before.id.size());
        REQUIRE(start.has_method >= before.has_method);
        REQUIRE(start.has_answer >= before.has_answer);
        before = start;
      }
      REQUIRE(before.has_method == !answer);
      REQUIRE(before.has_answer == answer);
      if (past_params || answer) REQUIRE(before.id == message.id);
      if (envelope->kind == Kind::notification && past_params) REQUIRE(before.complete);
    }
    for (std::size_t from = 0; from <= body.size(); ++from) {
      const std::string_view id = read_trailing_id(body.substr(from));
      REQUIRE((id.empty() || (message.id_last && id == message.id)));
    }
    const bool plain = message.id.find('\\') == std::string::npos;
    REQUIRE(read_trailing_id(body).empty() == !(message.id_last && plain));
    ids_at_the_end += message.id_last;
  }
  CHECK(ids_at_the_end > 100);
}
