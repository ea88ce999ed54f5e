// How much a session has in flight and open at a time.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "lsp/messages.h"
#include "lsp/uri.h"
#include "tests/proxy/session/session_stage.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::session {
namespace session_limits_test {

using Strings = std::vector<std::string>;

std::string own(int number) {
  return "\"own-" + std::to_string(number) + "\"";
}
std::string symbols_request(const std::string& id, const std::string& uri) {
  return lsp::request_body(id, "textDocument/documentSymbol", R"({"textDocument":{"uri":")" + uri + "\"}}");
}
// The command about these documents, without hovers.
std::string command(const Strings& uris) {
  std::string list;
  for (const std::string& uri : uris) list += (list.empty() ? "" : ",") + (R"({"uri":")" + uri) + "\"}";
  return lsp::request_body("1", "workspace/executeCommand",
                           R"({"command":"symbols.documentSymbols","arguments":[{"textDocuments":[)" + list +
                               R"(],"include_hover":false}]})");
}
Strings write_files(const TemporaryFolder& folder, int count) {
  Strings uris;
  for (int i = 0; i < count; ++i) uris.push_back(lsp::file_uri(folder.write(std::to_string(i) + ".ts", "x")));
  return uris;
}

TEST_CASE("session limits: 4,096 requests are answered at a time") {
  SessionStage stage({.auto_open = false});
  stage.initialize();
  constexpr int most = 4096;
  for (int i = 0; i < most; ++i) stage.client(symbols_request(std::to_string(i), "untitled:1"));
  CHECK(stage.take(false).empty());
  stage.client(symbols_request("\"x\"", "untitled:1"));
  CHECK(stage.take(false) ==
        Strings{lsp::error_body("\"x\"", lsp::error_json(-32803,
                                                         "4096 requests are being answered already; "
                                                         "wait for some of them"))});
  stage.server(lsp::result_body(own(1), "null"));
  stage.sent.clear();
  stage.client(symbols_request("\"x\"", "untitled:1"));
  CHECK(stage.take(false).empty());
}

TEST_CASE("session limits: the command requests the symbols of 16 of at most 1,000 documents at a time") {
  constexpr int at_a_time = 16;
  constexpr int count = 40;
  Strings uris, expected;
  for (int i = 0; i < count; ++i) {
    uris.push_back("untitled:" + std::to_string(i));
    expected.push_back(symbols_request(own(i + 1), uris.back()));
  }
  SessionStage stage({.auto_open = false});
  stage.initialize();
  stage.client(command(uris));
  Strings requested = stage.take(true);
  CHECK(requested.size() == at_a_time);
  for (int i = 0; i < count; ++i) {
    if (i == 1) continue;  // it is answered last
    stage.server(lsp::result_body(own(i + 1), "null"));
    for (std::string& body : stage.take(true)) requested.push_back(std::move(body));
    CHECK(requested.size() == static_cast<std::size_t>(std::min(count, at_a_time + i + (i < 1 ? 1 : 0))));
  }
  CHECK(requested == expected);
  stage.server(lsp::error_body(own(2), R"({"code":1,"message":"m"})"));
  const Strings answers = stage.take(false);
  REQUIRE(answers.size() == 1);
  CHECK(answers[0].ends_with(R"("errors":[{"uri":"untitled:1","error":{"code":1,"message":"m"}}]}})"));

  stage.client(command(uris));
  stage.server(lsp::result_body(own(count + 1), "null"));
  stage.sent.clear();
  stage.client(lsp::notification_body("exit", {}));
  for (const std::string& body : stage.take(true)) CHECK(body.find("documentSymbol") == std::string::npos);
  stage.client(command(Strings(1001, "x")));
  CHECK(stage.take(false).at(0).find("1001 documents are too many") != std::string::npos);
}

TEST_CASE("session limits: a document stays open while a request about it is answered") {
  const TemporaryFolder folder;
  const Strings uris = write_files(folder, 41);
  SessionStage stage({.auto_open = true});
  stage.initialize();
  Strings expected;
  for (int i = 0; i < 40; ++i) {
    const std::string& uri = uris[static_cast<std::size_t>(i)];
    stage.client(symbols_request(std::to_string(i), uri));
    expected.push_back(lsp::did_open_notification(uri, "typescript", 1, "x"));
    expected.push_back(symbols_request(own(i + 1), uri));
  }
  CHECK(stage.take(true) == expected);
  stage.client(lsp::cancel_body("0"));
  stage.server(lsp::result_body(own(2), "null"));
  stage.sent.clear();
  // These two may be closed, and are as soon as there is another.
  stage.client(symbols_request("\"d\"", uris[40]));
  CHECK(stage.take(true) == Strings{lsp::did_close_notification(uris[0]),
                                    lsp::did_close_notification(uris[1]),
                                    lsp::did_open_notification(uris[40], "typescript", 1, "x"),
                                    symbols_request(own(41), uris[40])});
}

TEST_CASE("session limits: a command about more documents than may be open has each of them opened") {
  constexpr int count = 200;
  const TemporaryFolder folder;
  SessionStage stage({.auto_open = true});
  stage.initialize();
  stage.client(command(write_files(folder, count)));
  for (int i = 1; i <= count; ++i) stage.server(lsp::result_body(own(i), "null"));
  std::set<std::string> open;
  int requested = 0;
  for (const std::string& body : stage.take(true)) {
    const auto at = body.find("file:///");
    const std::string uri = body.substr(at, body.find('"', at) - at);
    if (body.find("didOpen") != std::string::npos) {
      CHECK(open.insert(uri).second);
    } else if (body.find("didClose") != std::string::npos) {
      CHECK(open.erase(uri) == 1);
    } else {
      CHECK(open.contains(uri));
      ++requested;
    }
  }
  CHECK(requested == count);
  CHECK(open.size() <= 32);
}

TEST_CASE("session limits: a request that a change brings about follows the change") {
  const TemporaryFolder folder;
  Strings uris = write_files(folder, 16);
  uris.push_back(uris[0]);
  SessionStage stage({.auto_open = true});
  stage.initialize();
  std::string with_hovers = command(uris);
  with_hovers.replace(with_hovers.find("false"), 5, "true");
  stage.client(with_hovers);
  stage.server(lsp::result_body(own(1),
                                R"([{"name":"a","kind":12,"location":{"uri":"","range":)"
                                R"({"start":{"line":0,"character":0},"end":{"line":0,"character":1}}}}])"));
  stage.sent.clear();
  // The first document's answer is finished early, and the last one's turn has come: it is about the new
  // text.
  folder.write("0.ts", "new text");
  stage.client(symbols_request("2", uris[0]));
  const Strings sent = stage.take(true);
  const auto change = std::ranges::find(sent, lsp::did_change_notification(uris[0], 2, "new text"));
  CHECK(change < std::ranges::find(sent, symbols_request(own(18), uris[0])));
  CHECK(change < sent.end());
}

}  // namespace session_limits_test
}  // namespace symbols::session
