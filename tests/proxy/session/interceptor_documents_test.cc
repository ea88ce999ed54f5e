// Documents that the client has not open, as the interceptor opens them: what the server is told, and when.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "lsp/messages.h"
#include "lsp/uri.h"
#include "tests/proxy/query/query_stage.h"
#include "tests/proxy/session/session_stage.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::session {
namespace {

using Strings = std::vector<std::string>;

ProxyOptions options(std::optional<bool> auto_open, table::Format format = table::Format::table) {
  ProxyOptions options;
  options.auto_open = auto_open;
  options.answers.format = format;
  return options;
}

std::string opened(const std::string& uri, const std::string& text) {
  return lsp::did_open_notification(uri, "typescript", 1, text);
}
std::string closed(const std::string& uri) {
  return lsp::did_close_notification(uri);
}
// As the client writes them, not as we do.
std::string client_opens(const std::string& uri, const std::string& text = "client's") {
  return notification(
      "textDocument/didOpen",
      R"({ "textDocument":{"uri":")" + uri + R"(","languageId":"x","version":7,"text":")" + text + R"("}})");
}
std::string client_closes(const std::string& uri) {
  return notification("textDocument/didClose", R"({ "textDocument":{"uri":")" + uri + R"("}})");
}

TEST_CASE("interceptor: a document is opened before the first request about it, and no second time") {
  const TemporaryFolder folder;
  const std::string uri = lsp::file_uri(folder.write("a.ts", "let a;"));
  SessionStage stage(options(true));
  stage.initialize();
  const std::string definition = request("1", "textDocument/definition", document(uri));
  const std::string hover =
      request("3", "textDocument/hover", document(uri, R"("position":{"line":0,"character":4})"));
  stage.client(definition);
  CHECK(stage.take_at_server() == Strings{opened(uri, "let a;"), definition});
  stage.client(symbols_request("2", uri));
  CHECK(stage.take_at_server() == Strings{symbols_request(own(1), uri)});
  stage.client(hover);
  CHECK(stage.take_at_server() == Strings{request(own(2), "textDocument/hover",
                                                  document(uri, R"("position":{"line":0,"character":4})"))});
  // The text is known: the word is, too.
  stage.server(reply(own(2), R"({"contents":"H"})"));
  CHECK(stage.take_at_server() == Strings{symbols_request(own(3), uri)});
  stage.server(reply(own(3), "null"));
  CHECK(stage.at_client ==
        Strings{reply(
            "3", R"({"contents":{"kind":"plaintext","value":"NAME | KIND | RANGE | SELECTION | PARENT | )"
                 R"(HOVER_INFO | EOL\na |  | 0:4-5 | 0:4-5 |  | H | <<<"}})")});
}

TEST_CASE("interceptor: the server is told what is on disk now") {
  const TemporaryFolder folder;
  const std::string uri = lsp::file_uri(folder.write("a.ts", "one"));
  SessionStage stage(options(true));
  stage.initialize();
  stage.client(symbols_request("1", uri));
  stage.take_at_server();
  folder.write("a.ts", "other");
  stage.client(symbols_request("2", uri));
  CHECK(stage.take_at_server() ==
        Strings{lsp::did_change_notification(uri, 2, "other"), symbols_request(own(2), uri)});
  std::filesystem::remove(folder.path("a.ts"));
  stage.client(symbols_request("3", uri));
  CHECK(stage.take_at_server() == Strings{closed(uri), symbols_request(own(3), uri)});
}

TEST_CASE("interceptor: the client's own didOpen and didClose") {
  const TemporaryFolder folder;
  const std::string uri = lsp::file_uri(folder.write("a.ts", "disk"));
  SessionStage stage(options(true));
  stage.initialize();
  stage.client(symbols_request("1", uri));
  stage.take_at_server();
  stage.client(client_opens(uri));
  CHECK(stage.take_at_server() == Strings{closed(uri), client_opens(uri)});
  stage.client(symbols_request("2", uri));
  CHECK(stage.take_at_server() == Strings{symbols_request(own(2), uri)});
  stage.client(client_closes(uri));
  CHECK(stage.take_at_server() == Strings{client_closes(uri)});
  stage.client(symbols_request("3", uri));
  CHECK(stage.take_at_server() == Strings{opened(uri, "disk"), symbols_request(own(3), uri)});
  // One that it has not opened itself.
  stage.client(client_closes(uri));
  CHECK(stage.take_at_server() == Strings{client_closes(uri)});
  stage.client(symbols_request("4", uri));
  CHECK(stage.take_at_server() == Strings{opened(uri, "disk"), symbols_request(own(4), uri)});
}

TEST_CASE("interceptor: a file that the client has open under another spelling is not opened") {
  const TemporaryFolder folder;
  const std::string path = folder.write("a b.ts", "disk");
  SessionStage stage(options(true));
  stage.initialize();
  stage.client(client_opens("file://" + path));
  stage.take_at_server();
  const std::string uri = lsp::file_uri(path);
  stage.client(symbols_request("1", uri));
  CHECK(stage.take_at_server() == Strings{symbols_request(own(1), uri)});
}

TEST_CASE("interceptor: when documents are opened for the client") {
  const TemporaryFolder folder;
  const std::string uri = lsp::file_uri(folder.write("a.ts", "let a;"));
  struct Case {
    const char* what;
    std::optional<bool> auto_open;
    table::Format format;
    std::string initialize;
    bool opens;
  };
  const std::string asks_json = R"("initializationOptions":{"symbols":{"format":"json"}})";
  const std::string asks_table = R"("initializationOptions":{"symbols":{"format":"table"}})";
  using enum table::Format;
  const Case cases[] = {
      {"--auto-open", true, table, "", true},
      {"--auto-open --format json", true, json, "", true},
      {"--no-auto-open", false, table, "", false},
      {"a text format", {}, table, "", true},
      {"json", {}, json, "", false},
      {"json by the client", {}, table, asks_json, false},
      {"a table by the client", {}, json, asks_table, true},
  };
  const std::string bodies[] = {
      symbols_request("1", uri),
      request("2", "textDocument/hover", document(uri, R"("position":{"line":0,"character":0})")),
      request("3", "textDocument/semanticTokens/full", document(uri)),
  };
  for (const Case& c : cases) {
    for (const std::string& body : bodies) {
      CAPTURE(c.what);
      CAPTURE(body);
      SessionStage stage(options(c.auto_open, c.format), SessionStage::AutoOpen::as_given);
      stage.initialize(c.initialize);
      stage.client(body);
      REQUIRE_FALSE(stage.at_server.empty());
      CHECK((stage.at_server[0] == opened(uri, "let a;")) == c.opens);
      CHECK((stage.at_server[0].find("textDocument/didOpen") != std::string::npos) == c.opens);
    }
  }
}

TEST_CASE("interceptor: what is opened for no request") {
  const TemporaryFolder folder;
  const std::string uri = lsp::file_uri(folder.write("a.ts", "let a;"));
  SessionStage stage(options(true));
  stage.initialize();
  const std::string bodies[] = {
      request("1", "workspace/symbol", document(uri)),
      request("2", "textDocument/definition", R"({"uri":")" + uri + "\"}"),
      request("3", "textDocument/definition", document(lsp::file_uri(folder.path("none.ts")))),
      request("4", "textDocument/definition", document("untitled:1")),
      request("5", "workspace/executeCommand", R"({"command":"x","arguments":[)" + document(uri) + "]}"),
      notification("textDocument/didSave", document(uri)),
      notification("textDocument/willSave", document(uri)),
      reply("6", document(uri)),
  };
  for (const std::string& body : bodies) {
    CAPTURE(body);
    stage.client(body);
    CHECK(stage.take_at_server() == Strings{body});
  }
}

TEST_CASE("interceptor: a document stays open while a request about it is answered") {
  const TemporaryFolder folder;
  const auto uri = [&folder](int i) { return lsp::file_uri(folder.path(std::to_string(i) + ".ts")); };
  for (int i = 0; i < 70; ++i) folder.write(std::to_string(i) + ".ts", "x");
  SessionStage stage(options(true));
  stage.initialize();
  // More than are kept open when nobody needs them.
  for (int i = 0; i < 40; ++i) stage.client(symbols_request(std::to_string(i), uri(i)));
  Strings expected;
  for (int i = 0; i < 40; ++i) {
    expected.push_back(opened(uri(i), "x"));
    expected.push_back(symbols_request(own(i + 1), uri(i)));
  }
  CHECK(stage.take_at_server() == expected);
  stage.client(cancel("0"));
  stage.server(reply(own(2), "null"));
  stage.take_at_server();
  // Those two may be closed, and are as soon as there is another.
  const std::string definition = request("\"d\"", "textDocument/definition", document(uri(50)));
  stage.client(definition);
  CHECK(stage.take_at_server() == Strings{closed(uri(0)), closed(uri(1)), opened(uri(50), "x"), definition});
}

TEST_CASE("interceptor: the documents of one command are opened in its order") {
  const TemporaryFolder folder;
  const std::string a = lsp::file_uri(folder.write("a.ts", "a"));
  const std::string b = lsp::file_uri(folder.write("b.ts", "b"));
  SessionStage stage(options(true));
  stage.initialize();
  stage.client(request("1", "workspace/executeCommand",
                       R"({"command":"symbols.documentSymbols","arguments":[{"textDocuments":[{"uri":")" + b +
                           R"("},{"uri":")" + a + R"("},{"uri":")" + b + R"("}],"include_hover":false}]})"));
  CHECK(stage.take_at_server() == Strings{opened(b, "b"), symbols_request(own(1), b), opened(a, "a"),
                                          symbols_request(own(2), a), symbols_request(own(3), b)});
  for (int i = 1; i <= 3; ++i) stage.server(reply(own(i), "[]"));
  CHECK(stage.at_client.size() == 1);
}

TEST_CASE("interceptor: opening a document empties the memory, asking again does not") {
  const TemporaryFolder folder;
  const std::string a = lsp::file_uri(folder.write("a.ts", "a"));
  const std::string b = lsp::file_uri(folder.write("b.ts", "b"));
  SessionStage stage(options(true));
  stage.initialize();
  int number = 0;
  const auto hovers_asked = [&](const std::string& uri) {
    stage.client(symbols_request("1", uri));
    stage.server(reply(own(++number), "[" + query::symbol_json("a", 0, 0, 1) + "]"));
    const bool asked = stage.at_client.empty();
    if (asked) stage.server(reply(own(++number), R"({"contents":"H"})"));
    CHECK(stage.take_at_client().size() == 1);
    stage.take_at_server();
    return asked;
  };
  CHECK(hovers_asked(a));
  CHECK_FALSE(hovers_asked(a));
  CHECK(hovers_asked(b));
  CHECK(hovers_asked(a));
  CHECK_FALSE(hovers_asked(b));
  folder.write("b.ts", "c");
  CHECK(hovers_asked(b));
  CHECK(hovers_asked(a));
}

TEST_CASE("interceptor: a command about more documents than may be open at a time has each of them opened") {
  constexpr int count = 200;
  const TemporaryFolder folder;
  std::string list;
  for (int i = 0; i < count; ++i) {
    const std::string uri = lsp::file_uri(folder.write(std::to_string(i) + ".ts", "x"));
    list += std::string(i > 0 ? "," : "") + R"({"uri":")" + uri + "\"}";
  }
  SessionStage stage(options(true));
  stage.initialize();
  stage.client(request("1", "workspace/executeCommand",
                       R"({"command":"symbols.documentSymbols","arguments":[{"textDocuments":[)" + list +
                           R"(],"include_hover":false}]})"));
  for (int i = 1; i <= count; ++i) stage.server(reply(own(i), "null"));
  CHECK(stage.at_client.size() == 1);
  std::set<std::string> open;
  int asked = 0;
  for (const std::string& body : stage.at_server) {
    const auto at = body.find("file:///");
    const std::string uri = body.substr(at, body.find('"', at) - at);
    if (body.find("didOpen") != std::string::npos) {
      CHECK(open.insert(uri).second);
    } else if (body.find("didClose") != std::string::npos) {
      CHECK(open.erase(uri) == 1);
    } else {
      CHECK(open.contains(uri));
      ++asked;
    }
  }
  CHECK(asked == count);
  CHECK(open.size() <= 32);
}

TEST_CASE("interceptor: a document that changes on disk while its hovers are collected keeps its symbols") {
  const TemporaryFolder folder;
  const std::string uri = lsp::file_uri(folder.write("a.ts", "one"));
  SessionStage stage(options(true));
  stage.initialize();
  stage.client(symbols_request("1", uri));
  stage.server(reply(own(1), "[" + query::symbol_json("a", 0, 0, 3) + "]"));
  stage.take_at_server();
  folder.write("a.ts", "other");
  stage.client(symbols_request("2", uri));
  CHECK(stage.at_client ==
        Strings{reply("1", table_result(R"(\na | 12 | 0:0-3 | 0:0-1 |  |  | <<<)", " | HOVER_INFO | EOL",
                                        R"(,"meta":{"hovers_missing":1})"))});
  Strings sent = stage.take_at_server();
  REQUIRE(sent.size() == 3);
  CHECK(sent[2] == symbols_request(own(3), uri));
  std::sort(sent.begin(), sent.end());
  Strings expected{cancel(own(2)), lsp::did_change_notification(uri, 2, "other"),
                   symbols_request(own(3), uri)};
  std::sort(expected.begin(), expected.end());
  CHECK(sent == expected);
}

TEST_CASE("interceptor: no symbols of a file that is not there is an error") {
  const TemporaryFolder folder;
  const std::string there = lsp::file_uri(folder.write("a.ts"));
  const std::string missing = lsp::file_uri(folder.path("missing.ts"));
  const std::string header = table_result("", "");
  struct Case {
    const char* what;
    std::string uri;
    std::string open;  // the client's didOpen, or empty
    std::string option;
    std::string result;  // empty for the error
  };
  const std::string no_hovers = R"("include_hover":false)";
  const Case cases[] = {
      {"missing", missing, "", no_hovers, ""},
      {"missing, in its other spelling", "file://localhost" + folder.path("missing.ts"), "", no_hovers, ""},
      {"missing, as json", missing, "", R"("format":"json")", "[]"},
      {"missing, but the client has it open", missing, client_opens(missing), no_hovers, header},
      {"there", there, "", no_hovers, header},
      {"no file", "untitled:1", "", no_hovers, header},
  };
  for (const bool auto_open : {true, false}) {
    for (const Case& c : cases) {
      CAPTURE(c.what);
      SessionStage stage(options(auto_open));
      stage.initialize();
      if (!c.open.empty()) stage.client(c.open);
      stage.client(symbols_request("1", c.uri, c.option));
      stage.server(reply(own(1), "[]"));
      CHECK(stage.at_client ==
            Strings{c.result.empty()
                        ? failure("1", -32803,
                                  "there is no such file, and the client has not opened it: " + c.uri)
                        : reply("1", c.result)});
    }
  }
}

TEST_CASE("interceptor: what a change brings about comes behind it") {
  const TemporaryFolder folder;
  std::string list;
  const std::string first = lsp::file_uri(folder.write("0.ts", "x"));
  for (int i = 0; i < 16; ++i) {
    list += R"({"uri":")" + lsp::file_uri(folder.write(std::to_string(i) + ".ts", "x")) + "\"},";
  }
  SessionStage stage(options(true));
  stage.initialize();
  stage.client(request("1", "workspace/executeCommand",
                       R"({"command":"symbols.documentSymbols","arguments":[{"textDocuments":[)" + list +
                           R"({"uri":")" + first + R"("}]}]})"));
  stage.server(reply(own(1), "[" + query::symbol_json("a", 0, 0, 1) + "]"));
  stage.take_at_server();
  // The first one's answer is given up, the last one's turn has come: it is about the new text.
  folder.write("0.ts", "new text");
  stage.client(request("2", "textDocument/definition", document(first)));
  const Strings sent = stage.take_at_server();
  const auto at = [&sent](const std::string& body) {
    return std::find(sent.begin(), sent.end(), body) - sent.begin();
  };
  CHECK(sent.size() == 4);
  CHECK(at(lsp::did_change_notification(first, 2, "new text")) < at(symbols_request(own(18), first)));
}

}  // namespace
}  // namespace symbols::session
