// What is known of the client's documents after what it said of them, well-formed or not.
#include "proxy/session/session_documents.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lsp/json/json.h"
#include "lsp/position.h"
#include "proxy/query/query_services.h"
#include "tests/dice.h"

namespace symbols::session {
namespace session_documents_test {

using lsp::json_string;

std::string open_params(const std::string& uri, const std::string& text) {
  return R"({"textDocument":{"uri":)" + json_string(uri) + R"(,"languageId":"c","version":1,"text":)" +
         json_string(text) + "}}";
}

std::string change_params(const std::string& uri, const std::string& changes) {
  return R"({"textDocument":{"uri":)" + json_string(uri) + R"(,"version":2},"contentChanges":[)" + changes +
         "]}";
}

std::string close_params(const std::string& uri) {
  return R"({"textDocument":{"uri":)" + json_string(uri) + "}}";
}

std::string whole(const std::string& text) {
  return "{\"text\":" + json_string(text) + "}";
}

std::string edit(std::int64_t line, std::int64_t from, std::int64_t end_line, std::int64_t to,
                 const std::string& text) {
  return R"({"range":{"start":{"line":)" + std::to_string(line) + R"(,"character":)" + std::to_string(from) +
         R"(},"end":{"line":)" + std::to_string(end_line) + R"(,"character":)" + std::to_string(to) +
         R"(}},"text":)" + json_string(text) + "}";
}

// The session's documents, each notification about the one that its params name.
struct Documents : ClientDocuments {
  using ClientDocuments::ClientDocuments;
  void did_open(const std::string& params) { ClientDocuments::did_open(uri(params), params); }
  void did_change(const std::string& params) { ClientDocuments::did_change(uri(params), params); }
  void did_close(const std::string& params) { ClientDocuments::did_close(uri(params)); }
  static std::string uri(const std::string& params) { return query::document_uri(params).value(); }
};

// What text() gives, in a form that a failed check shows.
std::string shown(ClientDocuments& documents, const std::string& uri) {
  const std::shared_ptr<const std::string> text = documents.text(uri);
  return text ? "text: " + *text : "unknown";
}

const std::string a = "file:///a.c";
const std::string b = "file:///b.c";

TEST_CASE("client documents: the text after changes, in the order given") {
  struct Case {
    std::string what;
    std::vector<std::string> changes;  // the elements of one didChange each
    std::string text;
    lsp::PositionEncoding encoding = lsp::PositionEncoding::utf16;
  };
  const std::string start = "one\ntwo é😀x\r\nthree";
  const Case cases[] = {
      {"none", {}, start},
      {"a notification without changes", {""}, start},
      {"inserted", {edit(0, 3, 0, 3, "!")}, "one!\ntwo é😀x\r\nthree"},
      {"deleted over lines", {edit(0, 1, 2, 2, "")}, "oree"},
      {"two in one notification, the second in what the first left",
       {edit(0, 0, 1, 0, "") + " , " + edit(0, 0, 0, 3, "2")},
       "2 é😀x\r\nthree"},
      {"UTF-16", {edit(1, 5, 1, 7, "_")}, "one\ntwo é_x\r\nthree"},
      {"UTF-8", {edit(1, 6, 1, 10, "_")}, "one\ntwo é_x\r\nthree", lsp::PositionEncoding::utf8},
      {"UTF-32", {edit(1, 5, 1, 6, "_")}, "one\ntwo é_x\r\nthree", lsp::PositionEncoding::utf32},
      {"whole", {whole("new")}, "new"},
      {"whole, then an edit", {whole("new") + "," + edit(0, 0, 0, 1, "N")}, "New"},
      {"edits, then whole", {edit(0, 0, 0, 1, "N"), edit(9, 9, 9, 9, "z") + "," + whole("w")}, "w"},
      {"a null range is none", {R"({"range":null,"text":"n"})"}, "n"},
      {"a range length says nothing",
       {R"({"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":3}},"rangeLength":99,"text":"1"})"},
       "1\ntwo é😀x\r\nthree"},
      {"members in another order, blanks, escapes",
       {"\n{ \"text\" : \"\\u0031\" , \"r\\u0061nge\" : { \"end\" : {\"character\":3,\"line\":0}, \"start\" "
        ": {\"character\":0,\"line\":0} } }\n"},
       "1\ntwo é😀x\r\nthree"},
      {"beyond the end", {edit(99, 0, 99, 5, "+")}, start + "+"},
      {"half a character, as U+FFFD", {R"({"text":"\ud83d!"})"}, "\uFFFD!"},
      {"half a character in an edit",
       {R"({"range":{"start":{"line":0,"character":0},"end":{"line":9,"character":0}},"text":"\ude00"})"},
       "\uFFFD"},
      {"invalid bytes", {"{\"text\":\"\xFF\"}"}, "\uFFFD"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    Documents documents;
    documents.set_position_encoding(c.encoding);
    documents.did_open(open_params(a, start));
    for (const std::string& changes : c.changes) {
      documents.did_change(change_params(a, changes));
    }
    CHECK(shown(documents, a) == "text: " + c.text);
  }
}

TEST_CASE("client documents: what cannot be understood costs the text, until it is sent again") {
  struct Case {
    std::string what;
    std::string params;
  };
  const std::string uri = R"("textDocument":{"uri":"file:///a.c"})";
  const Case cases[] = {
      {"no changes", "{" + uri + "}"},
      {"changes that are no array", "{" + uri + R"(,"contentChanges":{"text":"x"}})"},
      {"a comma and nothing", "{" + uri + R"(,"contentChanges":[{"text":"x"},]})"},
      {"a change that is no object", change_params(a, "1")},
      {"no text",
       change_params(a, R"({"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}}})")},
      {"a text that is no string", change_params(a, R"({"text":1})")},
      {"a range of another shape", change_params(a, R"({"range":[0,1],"text":"x"})")},
      {"a negative line", change_params(a, edit(-1, 0, 0, 0, "x"))},
      {"an edit that is no JSON", change_params(a, R"({"range":{"start":tru},"text":"x"})")},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    Documents documents;
    documents.did_open(open_params(a, "text"));
    documents.did_change(c.params);
    CHECK(shown(documents, a) == "unknown");
    CHECK(documents.is_open(a));
    documents.did_change(change_params(a, edit(0, 0, 0, 0, "x")));
    CHECK(shown(documents, a) == "unknown");
    CHECK(documents.bytes() == 0);
    documents.did_change(change_params(a, whole("w") + "," + edit(0, 1, 0, 1, "x")));
    CHECK(shown(documents, a) == "text: wx");
    documents.did_change(c.params);
    documents.did_open(open_params(a, "again"));
    CHECK(shown(documents, a) == "text: again");
  }
}

TEST_CASE("client documents: which are open") {
  Documents documents;
  CHECK_FALSE(documents.is_open(a));
  documents.did_change(change_params(a, whole("x")));
  documents.did_close(close_params(a));
  CHECK_FALSE(documents.is_open(a));
  CHECK(shown(documents, a) == "unknown");
  documents.did_open(open_params(a, "x"));
  documents.did_open(R"({"textDocument":{"uri":"file:\/\/\/b.\u0063"}})");  // no text: open, but unknown
  CHECK(documents.is_open(b));
  CHECK(shown(documents, b) == "unknown");
  // What follows the params, the rest of a message, is not looked at.
  documents.did_close(close_params(a) + "}");
  CHECK_FALSE(documents.is_open(a));
  CHECK(documents.is_open(b));
}

TEST_CASE("client documents: a file that is open under another spelling") {
  Documents documents;
  documents.did_open(open_params("file:///a%20b.c", ""));
  documents.did_open(open_params("untitled:1", ""));
  struct Case {
    const char* uri;
    bool open;
    bool file_open;
  };
  const Case cases[] = {
      {"file:///a%20b.c", true, true},
      {"file:///a b.c", false, true},
      {"file://localhost/a%20b.c", false, true},
      {"file:///%61%20b.c", false, true},
      {"file:///A%20b.c", false, false},
      {"untitled:1", true, true},
      {"untitled:2", false, false},
      {"untitled:%31", false, false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.uri);
    CHECK(documents.is_open(c.uri) == c.open);
    CHECK(documents.is_file_open(c.uri) == c.file_open);
  }
  documents.did_open(open_params("file:///a b.c", ""));
  documents.did_open(open_params("file:///a b.c", "again"));  // a client's mistake, and still one document
  documents.did_close(close_params("file:///a b.c"));
  CHECK(documents.is_file_open("file:///a b.c"));
  documents.did_close(close_params("file:///a%20b.c"));
  CHECK_FALSE(documents.is_file_open("file:///a b.c"));
}

TEST_CASE("client documents: a text that was given stays as it was") {
  Documents documents;
  documents.did_open(open_params(a, "one"));
  const std::shared_ptr<const std::string> before = documents.text(a);
  documents.did_change(change_params(a, edit(0, 0, 0, 1, "O")));
  const std::shared_ptr<const std::string> after = documents.text(a);
  CHECK(documents.text(a) == after);  // it is copied only where it changes
  documents.did_change(change_params(a, whole("two")));
  documents.did_close(close_params(a));
  CHECK(*before == "one");
  CHECK(*after == "One");
}

TEST_CASE("client documents: what they are opened again with") {
  using Opened = std::vector<std::pair<std::string, std::string>>;
  const auto opened_again = [](ClientDocuments& documents) {
    Opened all;
    for (const auto& [order, uri] : documents.in_order())
      all.emplace_back(uri, documents.did_open_again(uri).value_or("unknown"));
    return all;
  };
  const auto did_open = [](const std::string& uri, const std::string& language, const std::string& version,
                           const std::string& text) {
    return R"({"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":)" +
           json_string(uri) + ",\"languageId\":" + language + ",\"version\":" + version +
           ",\"text\":" + json_string(text) + "}}}";
  };
  Documents documents;
  documents.did_open(open_params(b, "b"));
  documents.did_open(open_params(a, "a\n\"ü\""));
  CHECK(opened_again(documents) ==
        Opened{{b, did_open(b, "\"c\"", "1", "b")}, {a, did_open(a, "\"c\"", "1", "a\n\"ü\"")}});
  // As it is after changes, with the version that they brought, and in the order of the last didOpen.
  documents.did_change(change_params(b, edit(0, 0, 0, 0, "x")));
  documents.did_open(
      R"({"textDocument":{"uri":"file:///b.c","languageId":"cpp","version":-7,"text":"again"}})");
  documents.did_change(change_params(b, edit(0, 0, 0, 5, "B")));
  CHECK(opened_again(documents) ==
        Opened{{a, did_open(a, "\"c\"", "1", "a\n\"ü\"")}, {b, did_open(b, "\"cpp\"", "2", "B")}});
  documents.did_close(close_params(a));
  documents.did_change(change_params(b, "1"));
  CHECK(opened_again(documents) == Opened{{b, "unknown"}});
  CHECK(documents.did_open_again(a) == std::nullopt);

  // What is no version, or no language, is none.
  struct Case {
    std::string given;  // members of the document
    std::string language;
    std::string version;
  };
  const Case cases[] = {
      {R"("languageId":"c","version":-2147483648)", "\"c\"", "-2147483648"},
      {R"("languageId":"c","version":-2147483649)", "\"c\"", "0"},
      {R"("languageId":"c","version":"1")", "\"c\"", "0"},
      {R"("version":3)", "\"\"", "3"},
      {R"("languageId":7,"version":7)", "\"\"", "7"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.given);
    Documents one;
    one.did_open(R"({"textDocument":{"uri":"file:///a.c",)" + c.given + R"(,"text":""}})");
    CHECK(one.did_open_again(a) == did_open(a, c.language, c.version, ""));
    // A change without one keeps it.
    one.did_change(
        R"({"textDocument":{"uri":"file:///a.c","version":null},"contentChanges":[{"text":"t"}]})");
    CHECK(one.did_open_again(a) == did_open(a, c.language, c.version, "t"));
  }
}

TEST_CASE("client documents: a text over a limit is dropped until it is sent again") {
  const std::string c = "file:///c.c";
  const std::string invalid =
      R"({"textDocument":{"uri":"file:///c.c","text":")" + std::string(60, '\xFF') + "\"}}";
  Documents documents({.document_bytes = 100, .bytes = 150});
  documents.did_open(open_params(a, std::string(100, 'a')));
  CHECK(shown(documents, a) == "text: " + std::string(100, 'a'));
  documents.did_open(open_params(b, std::string(101, 'b')));
  CHECK(shown(documents, b) == "unknown");
  documents.did_open(open_params(b, std::string(51, 'b')));  // together over the limit: the newest gives way
  CHECK(shown(documents, b) == "unknown");
  CHECK(documents.bytes() == 100);
  documents.did_change(change_params(b, whole(std::string(50, 'b'))));
  CHECK(shown(documents, b) == "text: " + std::string(50, 'b'));
  documents.did_change(change_params(a, edit(0, 0, 0, 0, "x")));  // 101
  CHECK(shown(documents, a) == "unknown");
  CHECK(documents.bytes() == 50);
  documents.did_change(change_params(a, whole("small")));
  CHECK(shown(documents, a) == "text: small");
  // One edit with more than a document may have, though the text would fit; invalid bytes grow to three each.
  documents.did_open(open_params(c, "c"));
  documents.did_change(
      change_params(c, edit(0, 0, 0, 0, std::string(200, 'x')) + "," + edit(0, 0, 9, 9, "")));
  CHECK(shown(documents, c) == "unknown");
  documents.did_open(invalid);
  CHECK(shown(documents, c) == "unknown");
  for (const std::string& uri : {a, b, c}) documents.did_close(close_params(uri));
  CHECK(documents.bytes() == 0);
}

// position_test.cc has apply_change() checked by counting.
TEST_CASE("client documents: 20,000 random edits, asked for now and then") {
  Dice dice(7);
  const auto below = [&](std::size_t limit) { return static_cast<std::uint32_t>(dice.below(limit)); };
  const std::string pieces[] = {"", "a", "é", "😀", "\n", "\r\n", "\r", "word ", "\"\\\t", "漢字"};
  std::string expected;
  Documents documents;
  documents.did_open(open_params(a, ""));
  for (int i = 0; i < 20'000; ++i) {
    CAPTURE(i);
    std::string text;
    for (std::size_t n = dice.below(4); n > 0; --n) text += dice.pick(pieces);
    if (dice.one_in(200)) {
      expected = text;
      documents.did_change(change_params(a, whole(text)));
    } else {
      const lsp::Position from{below(12), below(8)};
      const lsp::Position to = dice.one_in(2) ? lsp::Position{from.line, from.character + below(4)}
                                              : lsp::Position{from.line + 1, below(8)};
      lsp::apply_change(expected, lsp::Range{from, to}, text, lsp::PositionEncoding::utf16);
      documents.did_change(change_params(a, edit(from.line, from.character, to.line, to.character, text)));
    }
    if (dice.one_in(20)) REQUIRE(shown(documents, a) == "text: " + expected);
  }
  CHECK(shown(documents, a) == "text: " + expected);
}

}  // namespace session_documents_test
}  // namespace symbols::session
