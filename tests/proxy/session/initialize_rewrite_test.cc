// What the proxy reads of the client's initialize.
#include "proxy/session/initialize_rewrite.h"

#include <doctest/doctest.h>

namespace symbols::session {
namespace initialize_rewrite_test {

TEST_CASE("initialize: the folders of the workspace") {
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
    const Result<ClientInitialize> client = read_initialize(c.initialize, {});
    REQUIRE(client.has_value());
    CHECK(client->folders == c.folders);
  }
}

}  // namespace initialize_rewrite_test
}  // namespace symbols::session
