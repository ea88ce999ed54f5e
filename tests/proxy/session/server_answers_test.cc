// What is answered to the server in the client's place.
#include "proxy/session/server_answers.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "lsp/messages.h"

namespace symbols::session {
namespace {

using Strings = std::vector<std::string>;

TEST_CASE("server answers: which requests, by what names") {
  struct Case {
    const char* list;
    Strings covered;
    Strings others;
  };
  const Case cases[] = {
      {"", {}, {"workspace/configuration", "", "all"}},
      {"configuration", {"workspace/configuration"}, {"configuration", "client/registerCapability"}},
      {"workspace/configuration,showDocument",
       {"workspace/configuration", "window/showDocument"},
       {"workspace/applyEdit"}},
      {"registerCapability,unregisterCapability,",
       {"client/registerCapability", "client/unregisterCapability"},
       {"workspace/configuration"}},
      {"refresh",
       {"workspace/semanticTokens/refresh", "workspace/inlayHint/refresh", "workspace/inlineValue/refresh",
        "workspace/codeLens/refresh", "workspace/diagnostic/refresh", "workspace/foldingRange/refresh"},
       {"workspace/refresh", "workspace/configuration"}},
      {"workspace/codeLens/refresh", {"workspace/codeLens/refresh"}, {"workspace/inlayHint/refresh"}},
      {"all",
       {"workspace/configuration", "workspace/workspaceFolders", "client/registerCapability",
        "client/unregisterCapability", "window/workDoneProgress/create", "window/showMessageRequest",
        "window/showDocument", "workspace/applyEdit", "workspace/codeLens/refresh"},
       {"window/logMessage", "$/progress", "custom/request"}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.list);
    const Result<ServerAnswers> answers = ServerAnswers::parse("--answer", c.list);
    REQUIRE(answers.has_value());
    for (const std::string& method : c.covered) CHECK(answers->covers(method));
    for (const std::string& method : c.others) CHECK_FALSE(answers->covers(method));
  }
  for (const char* const list :
       {"config", "configuration,,refresh", " configuration", "Configuration", ","}) {
    CAPTURE(list);
    const Result<ServerAnswers> answers = ServerAnswers::parse("--answer", list);
    REQUIRE_FALSE(answers.has_value());
    CHECK(answers.error().message.starts_with("--answer: \""));
    CHECK(answers.error().advice ==
          "give some of configuration, workspaceFolders, registerCapability, unregisterCapability, "
          "workDoneProgress, showMessageRequest, showDocument, applyEdit, refresh, joined by commas, or all");
  }
}

TEST_CASE("server answers: the folders of the workspace") {
  struct Case {
    const char* initialize;
    const char* folders;
  };
  const Case cases[] = {
      {R"({"rootUri":"file:///a/b%20c"})", R"([{"uri":"file:///a/b%20c","name":"b c"}])"},
      {R"({"rootUri":"file:\/\/\/a/\u0062/"})", R"([{"uri":"file:///a/b/","name":"b"}])"},
      {R"({"rootUri":"vscode-remote://x/y"})", R"([{"uri":"vscode-remote://x/y","name":""}])"},
      {R"({"rootUri":null,"workspaceFolders":[{"uri":"file:///x","name":"é"}, {"uri":"file:///y"}]})",
       R"([{"uri":"file:///x","name":"\u00e9"}, {"uri":"file:///y"}])"},
      {R"({"rootUri":"file:///a","workspaceFolders":null})", R"([{"uri":"file:///a","name":"a"}])"},
      {R"({"rootUri":null})", R"(null)"},
      {"{}", R"(null)"},
      {R"({"rootUri":7})", R"(null)"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.initialize);
    Result<ServerAnswers> answers = ServerAnswers::parse("--answer", "all");
    REQUIRE(answers.has_value());
    answers->set_root(c.initialize);
    CHECK(answers->answer(*lsp::read_envelope(R"({"id":"f","method":"workspace/workspaceFolders"})")) ==
          lsp::result_body("\"f\"", c.folders));
  }
}

}  // namespace
}  // namespace symbols::session
