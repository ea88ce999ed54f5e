#include "proxy/session/server_succession.h"

#include <doctest/doctest.h>

#include <string>

using namespace symbols::session;

TEST_CASE("session replay: what a new server is told, of each kind as often as it counts") {
  SessionReplay replay;
  CHECK(replay.initialize_body().empty());
  replay.initialize("1", "begin");
  replay.notified("workspace/didChangeWorkspaceFolders", "folders 1");
  replay.notified("workspace/didChangeConfiguration", "configuration 1");
  replay.notified("initialized", "initialized");
  replay.notified("$/setTrace", "trace");
  replay.notified("workspace/didChangeConfiguration", "configuration 2");
  replay.notified("workspace/didChangeWorkspaceFolders", "folders 2");
  replay.notified("textDocument/didOpen", "another");
  CHECK(replay.initialize_id() == "1");
  CHECK(replay.notifications() ==
        std::vector<std::string_view>{"initialized", "trace", "configuration 2", "folders 1", "folders 2"});
}

TEST_CASE("session replay: of changes of folders the last ones, up to a megabyte") {
  SessionReplay replay;
  const std::string large(SessionReplay::most_folder_bytes / 2, 'x');
  for (const char* first : {"1", "2", "3"}) {
    replay.notified("workspace/didChangeWorkspaceFolders", first + large.substr(1));
  }
  REQUIRE(replay.notifications().size() == 2);
  CHECK(replay.notifications()[0].front() == '2');
  replay.notified("workspace/didChangeWorkspaceFolders", large + large + large);
  CHECK(replay.notifications().empty());
}
