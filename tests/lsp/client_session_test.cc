#include "lsp/client_session.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <vector>

namespace client_session_test {
using symbols::Result;
using namespace symbols::lsp;

// A session, with the messages that it sent and the outcomes.
struct Conversation {
  std::vector<std::string> sent;
  int signs_of_life = 0;
  ClientSession session{{.root_uri = "file:///p/my%20root",
                         .initialization_options = R"({"a":1})",
                         .process_id = 77,
                         .version = "1.2"},
                        {.send = [this](std::string body) { sent.push_back(std::move(body)); },
                         .on_activity = [this] { ++signs_of_life; }}};

  void receive(std::string_view body) { REQUIRE(session.receive(body).has_value()); }
  // The last message sent must contain `expected`.
  void check_sent(std::string_view expected) const {
    REQUIRE(!sent.empty());
    CAPTURE(sent.back());
    CHECK(sent.back().find(expected) != std::string::npos);
  }
};

TEST_CASE("initialize says who we are and what we can do, then initialized follows") {
  Conversation c;
  std::string outcome;
  c.session.initialize([&](Result<ServerCapabilities> capabilities) {
    outcome = !capabilities ? capabilities.error().message
                            : std::string(capabilities->document_symbol ? "symbols " : "") +
                                  (capabilities->hover ? "hover" : "");
  });
  REQUIRE(c.sent.size() == 1);
  for (const char* part :
       {R"("id":1,"method":"initialize")", R"("processId":77)",
        R"("clientInfo":{"name":"symbols","version":"1.2"})", R"("rootUri":"file:///p/my%20root")",
        R"("workspaceFolders":[{"uri":"file:///p/my%20root","name":"my root"}])",
        R"("hierarchicalDocumentSymbolSupport":true)", R"("contentFormat":["markdown","plaintext"])",
        R"("positionEncodings":["utf-16"])", R"("initializationOptions":{"a":1})"}) {
    c.check_sent(part);
  }
  // Both value sets: clangd reads the second.
  const std::string kinds =
      R"("symbolKind":{"valueSet":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26]})";
  const std::size_t first = c.sent[0].find(kinds);
  CHECK(first != std::string::npos);
  CHECK(c.sent[0].find(kinds, first + 1) != std::string::npos);

  c.receive(
      R"({"jsonrpc":"2.0","id":1,"result":{"capabilities":{"documentSymbolProvider":{"label":"x"},"hoverProvider":false}}})");
  CHECK(outcome == "symbols ");
  c.check_sent(R"("method":"initialized")");
}

TEST_CASE("a refused or odd initialize is an error") {
  for (const auto& [reply, expected] :
       {std::pair{R"({"id":1,"error":{"code":-5,"message":"no"}})", "it refused initialize: no"},
        std::pair{R"({"id":1,"result":{}})", "the reply to initialize has no capabilities"},
        std::pair{R"({"id":1,"result":{"capabilities":[1})", "not JSON at byte"}}) {
    Conversation c;
    std::string error;
    c.session.initialize([&](Result<ServerCapabilities> capabilities) {
      error = capabilities ? "" : capabilities.error().message;
    });
    c.receive(reply);
    CHECK(error.find(expected) != std::string::npos);
    CHECK(c.sent.size() == 1);
  }
}

TEST_CASE("without a folder the server gets none") {
  std::string sent;
  ClientSession session({}, {.send = [&](std::string body) { sent = std::move(body); }, .on_activity = {}});
  session.initialize([](Result<ServerCapabilities>) {});
  CHECK(sent.find(R"("rootUri":null,"workspaceFolders":null)") != std::string::npos);
  CHECK(sent.find(R"("processId":null)") != std::string::npos);
  REQUIRE(session.receive(R"({"id":7,"method":"workspace/workspaceFolders"})").has_value());
  CHECK(sent.find(R"("id":7,"result":null)") != std::string::npos);
}

TEST_CASE("the server's requests are answered as a client without a user interface can") {
  struct Case {
    const char* request;
    const char* answer;
  };
  const Case cases[] = {
      {R"({"id":"x","method":"workspace/configuration","params":{"items":[{"section":"a"},{},{"section":"b"}]}})",
       R"("id":"x","result":[null,null,null])"},
      {R"({"id":1,"method":"workspace/configuration","params":{"items":[]}})", R"("id":1,"result":[])"},
      {R"({"id":1,"method":"workspace/configuration"})", R"("id":1,"result":[])"},
      {R"({"id":9007199254740993,"method":"client/registerCapability","params":{}})",
       R"("id":9007199254740993,"result":null)"},
      {R"({"id":1,"method":"client/unregisterCapability","params":{}})", R"("result":null)"},
      {R"({"id":1,"method":"window/workDoneProgress/create","params":{"token":"t"}})", R"("result":null)"},
      {R"({"id":1,"method":"workspace/workspaceFolders"})",
       R"("result":[{"uri":"file:///p/my%20root","name":"my root"}])"},
      {R"({"id":1,"method":"window/showMessageRequest","params":{}})", R"("result":null)"},
      {R"({"id":1,"method":"workspace/inlayHint/refresh"})", R"("result":null)"},
      {R"({"id":1,"method":"window/showDocument","params":{}})", R"("result":{"success":false})"},
      {R"({"id":1,"method":"workspace/applyEdit","params":{}})", R"("result":{"applied":false})"},
      {R"({"id":1,"method":"very/odd"})", R"("error":{"code":-32601,)"},
  };
  for (const Case& request : cases) {
    CAPTURE(request.request);
    Conversation c;
    c.receive(request.request);
    c.check_sent(request.answer);
    CHECK(c.session.bytes_answered() == c.sent.back().size());
  }
}

TEST_CASE("shutdown comes before exit, and exit even if shutdown is refused") {
  for (const char* reply :
       {R"({"id":1,"result":null})", R"({"id":1,"error":{"code":-32601,"message":"what?"}})"}) {
    Conversation c;
    bool done = false;
    c.session.shutdown([&] { done = true; });
    CHECK(c.sent.back() == R"({"jsonrpc":"2.0","id":1,"method":"shutdown"})");
    CHECK(!done);
    c.receive(reply);
    CHECK(c.sent.back() == R"({"jsonrpc":"2.0","method":"exit"})");
    CHECK(done);
  }
}

TEST_CASE("replies and progress are signs of life, and notifications are not answered") {
  Conversation c;
  c.receive(R"({"method":"$/progress","params":{"token":1,"value":{"kind":"begin","title":"Indexing"}}})");
  CHECK(c.session.is_loading());
  CHECK(c.session.loading_text() == "Indexing");
  c.receive(R"({"id":99,"result":null})");
  CHECK(c.signs_of_life == 2);
  c.receive(R"({"method":"window/logMessage","params":{"type":3,"message":"hello"}})");
  c.receive(R"({"method":"telemetry/event","params":{}})");
  c.receive(R"({"method":"window/logMessage"})");
  CHECK(c.sent.empty());
  CHECK(c.session.bytes_answered() == 0);
}

TEST_CASE("a server that says that a disk is full, in the words of the system") {
  for (const char* words : {"write /tmp/go.mod: no space left on device", "No space left on device",
                            "ENOSPC: no space left on device, write", "Disk quota exceeded"}) {
    for (const char* method : {"window/logMessage", "window/showMessage"}) {
      Conversation c;
      c.receive(
          R"({"method":"textDocument/publishDiagnostics","params":{"message":"no space left on device"}})");
      CHECK_FALSE(c.session.lacked_disk_space());
      c.receive(fmt::format(R"({{"method":"{}","params":{{"type":1,"message":"{}"}}}})", method, words));
      CHECK(c.session.lacked_disk_space());
      c.receive(R"({"method":"window/logMessage","params":{"type":3,"message":"hello"}})");
      CHECK(c.session.lacked_disk_space());
    }
  }
}

TEST_CASE("a server that logs when it has found the files is loading until then") {
  SessionOptions options;
  options.files_found_logs = {"Found ", "No source files found"};
  const ClientSession::Callbacks callbacks{.send = [](const std::string&) {}, .on_activity = {}};
  CHECK_FALSE(ClientSession(options, callbacks).is_loading());  // it has no folder
  options.root_uri = "file:///p";
  ClientSession session(options, callbacks);
  const auto logs = [&](const char* text) {
    const std::string body =
        fmt::format(R"({{"method":"window/logMessage","params":{{"type":3,"message":"{}"}}}})", text);
    REQUIRE(session.receive(body).has_value());
    return session.is_loading();
  };
  CHECK(session.loading_text() == "finding the project's files");
  CHECK(logs("Starting"));
  CHECK(logs("Not Found 3"));
  CHECK_FALSE(logs("Found 3 source files"));
  CHECK_FALSE(logs("Starting"));
  CHECK(session.loading_text().empty());
  // pyright's progress ends only when diagnostics are requested.
  const char* const begin = R"({"method":"$/progress","params":{"token":1,"value":{"kind":"begin"}}})";
  REQUIRE(session.receive(begin).has_value());
  CHECK(session.is_loading());
  options.reports_loading = false;
  ClientSession other(options, callbacks);
  REQUIRE(other.receive(R"({"method":"window/logMessage","params":{"message":"Found 1"}})").has_value());
  REQUIRE(other.receive(begin).has_value());
  CHECK(other.progress().active());
  CHECK_FALSE(other.is_loading());
}

TEST_CASE("a body that is not a message is an error") {
  Conversation c;
  CHECK(c.session.receive("nonsense").has_error());
  CHECK(c.session.receive("{}").has_error());
}

}  // namespace client_session_test
