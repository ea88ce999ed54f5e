// The command symbols.documentSymbols, for clients that can send nothing but standard requests.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/proxy/query/query_stage.h"
#include "tests/proxy/session/session_stage.h"

namespace symbols::session {
namespace {

using Strings = std::vector<std::string>;

std::string command(const std::string& id, const std::string& argument) {
  return request(id, "workspace/executeCommand",
                 R"({"command":"symbols.documentSymbols","arguments":[)" + argument + "]}");
}

TEST_CASE("interceptor: the command, for one document") {
  struct Case {
    const char* what;
    std::string argument;
    std::string at_server;  // empty where it is refused
    std::string server;     // the server's result, or error
    std::string at_client;
  };
  const std::string flat =
      R"([{"name":"f","kind":12,"location":{"uri":"file:///a","range":)" + query::range_json(0, 0, 9) + "}}]";
  const auto refused = [](const std::string& message) { return failure("\"c\"", -32602, message); };
  const Case cases[] = {
      {"a table", R"({"textDocument":{"uri":"file:///a"},"include_hover":false})", own_symbols(1),
       "[" + query::symbol_json("f", 0, 0, 9) + "]",
       reply("\"c\"", table_result(R"(\nf | 12 | 0:0-9 | 0:0-1 | )", ""))},
      {"json, for a client without hierarchy", R"({"textDocument":{"uri":"file:///a"},"format":"json"})",
       own_symbols(1), "[" + query::symbol_json("f", 0, 0, 9) + "]", reply("\"c\"", flat)},
      {"further arguments are not looked at", R"({"textDocument":{"uri":"untitled:\u0061"}},7)",
       own_symbols(1, "untitled:a"), "null", reply("\"c\"", table_result(""))},
      {"a file that is not there", R"({"textDocument":{"uri":"file:///not/there"}})",
       own_symbols(1, "file:///not/there"), "null",
       failure("\"c\"", -32803,
               "there is no such file, and the client has not opened it: file:///not/there")},
      {"no argument", "", "", "",
       refused(
           R"(symbols.documentSymbols: its argument is one object; give [{\"textDocument\":{\"uri\":\u2026}}])")},
      {"a text", R"("file:///a")", "", "",
       refused(
           R"(symbols.documentSymbols: its argument is one object; give [{\"textDocument\":{\"uri\":\u2026}}])")},
      {"no document", "{}", "", "",
       refused("symbols.documentSymbols: no document; give textDocument or textDocuments, with a uri each")},
      {"no list of documents", R"({"textDocuments":{"uri":"file:///a"}})", "", "",
       refused(R"(textDocuments: not a list of documents; give [{\"uri\":\"file:///\u2026\"},\u2026])")},
      {"a list of something else", R"({"textDocuments":["file:///a"]})", "", "",
       refused(R"(textDocuments: not a list of documents; give [{\"uri\":\"file:///\u2026\"},\u2026])")},
  };
  for (const char* const session : {"", R"("initializationOptions":{"symbols":{"format":"json"}})"}) {
    for (const Case& c : cases) {
      CAPTURE(c.what);
      SessionStage stage;
      stage.initialize(session);
      const bool standard_session = *session != '\0';
      if (standard_session && c.argument.find("format") == std::string::npos && !c.at_server.empty())
        continue;
      stage.client(command("\"c\"", c.argument));
      CHECK(stage.at_server == (c.at_server.empty() ? Strings{} : Strings{c.at_server}));
      if (!c.at_server.empty()) stage.server(reply(own(1), c.server));
      CHECK(stage.at_client == Strings{c.at_client});
      CHECK_FALSE(stage.interceptor->client_waits());
    }
  }
  SessionStage stage;
  stage.initialize();
  stage.client(command("1", R"({"textDocument":{"uri":"file:///a"}})"));
  stage.server(R"({"jsonrpc":"2.0","id":"own-1","error":{"code":-32603,"message":"m","data":[1.0]}})");
  CHECK(stage.at_client ==
        Strings{R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"m","data":[1.0]}})"});
}

TEST_CASE("interceptor: the command, for several documents") {
  const std::string list =
      R"("textDocuments":[{"uri":"file:///a"},{"uri":"file:///b"},{"uri":"file:///\u00e9"}])";
  const auto result = [](const std::string& uri, const std::string& name) {
    return R"({"uri":"file:///)" + uri + R"(","result":)" +
           table_result("\\n" + name + " | 12 | 0:0-9 | 0:0-1 | ", "") + "}";
  };
  SessionStage stage;
  stage.initialize();
  stage.client(command("1", "{" + list + ",\"include_hover\":false}"));
  CHECK(stage.take_at_server() ==
        Strings{own_symbols(1), own_symbols(2, "file:///b"), own_symbols(3, "file:///\\u00e9")});
  stage.server(reply(own(3), "[" + query::symbol_json("e", 0, 0, 9) + "]"));
  stage.server(failure(own(2), -32602, "not open"));
  CHECK(stage.at_client.empty());
  stage.server(reply(own(1), "[" + query::symbol_json("a", 0, 0, 9) + "]"));
  CHECK(stage.take_at_client() ==
        Strings{reply(
            "1", R"({"results":[)" + result("a", "a") + "," + result("\\u00e9", "e") +
                     R"(],"errors":[{"uri":"file:///b","error":{"code":-32602,"message":"not open"}}]})")});
  CHECK(stage.all_answered == 1);

  stage.client(command("2", R"({"textDocuments":[]})"));
  CHECK(stage.take_at_client() == Strings{reply("2", R"({"results":[],"errors":[]})")});

  // One that is cancelled cancels all.
  stage.client(command("3", "{" + list + "}"));
  stage.take_at_server();
  stage.server(reply(own(5), two));
  stage.take_at_server();
  stage.client(cancel("3"));
  CHECK(stage.take_at_client() == Strings{failure("3", -32800, "cancelled by the client")});
  Strings cancelled = stage.take_at_server();
  std::sort(cancelled.begin(), cancelled.end());
  CHECK(cancelled == Strings{cancel(own(4)), cancel(own(6)), cancel(own(7)), cancel(own(8))});
  for (int i = 4; i < 9; ++i) stage.server(reply(own(i), "null"));
  stage.delayed.run();
  CHECK(stage.at_client.empty());

  std::string many = R"({"textDocuments":[{"uri":"x"})";
  for (int i = 0; i < 1000; ++i) many += R"(,{"uri":"x"})";
  stage.client(command("4", many + "]}"));
  CHECK(stage.take_at_client() ==
        Strings{failure("4", -32602,
                        "textDocuments: 1001 documents are too many; ask for at most 1000 at a time")});
}

TEST_CASE("interceptor: the command asks about so many documents at a time") {
  constexpr int at_a_time = 16;
  constexpr int count = 40;
  const auto uri = [](int i) { return "untitled:" + std::to_string(i); };
  std::string list;
  for (int i = 0; i < count; ++i) {
    list += std::string(i > 0 ? "," : "") + R"({"uri":")" + uri(i) + "\"}";
  }
  SessionStage stage;
  stage.initialize();
  stage.client(command("1", R"({"textDocuments":[)" + list + R"(],"include_hover":false})"));
  CHECK(stage.at_server.size() == at_a_time);
  // The second one is answered last.
  for (int i = 0; i < count; ++i) {
    if (i != 1) stage.server(reply(own(i + 1), "null"));
    CHECK(stage.at_server.size() ==
          static_cast<std::size_t>(std::min(count, at_a_time + i + (i < 1 ? 1 : 0))));
  }
  for (int i = 0; i < count; ++i)
    CHECK(stage.at_server[static_cast<std::size_t>(i)] == own_symbols(i + 1, uri(i)));
  CHECK(stage.at_client.empty());
  stage.server(failure(own(2), 1, "m"));
  REQUIRE(stage.at_client.size() == 1);
  CHECK(
      stage.at_client[0].ends_with(R"("errors":[{"uri":"untitled:1","error":{"code":1,"message":"m"}}]}})"));

  // The client's exit asks for no more of them.
  stage.take_at_server();
  stage.take_at_client();
  stage.client(command("2", R"({"textDocuments":[)" + list + "]}"));
  stage.server(reply(own(count + 1), two));
  stage.client(R"({"jsonrpc":"2.0","method":"exit"})");
  CHECK(stage.at_client == Strings{failure("2", -32800, "the client has ended the session")});
}

}  // namespace
}  // namespace symbols::session
