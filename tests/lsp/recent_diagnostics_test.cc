// What the server has published recently.
#include "lsp/recent_diagnostics.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "tests/dice.h"

using namespace symbols;
using namespace symbols::lsp;

namespace {

std::string published(const std::string& uri, const std::string& list) {
  return R"({"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"diagnostics":)" + list +
         R"(,"uri":")" + uri + R"("}})";
}

// What is known of a document, from the first message to the last.
struct Known {
  std::string list;  // empty: none was published
  bool opened = false;
  bool changed = false;
  bool in_vain = false;
};

}  // namespace

TEST_CASE("the last diagnostics of each document") {
  RecentDiagnostics recent;
  CHECK(!recent.last("file:///a").list.has_value());
  recent.keep(published("file:///a", "[1]"));
  recent.keep(published("file:///b", "[2]"));
  recent.keep(published("file:///a", "[3]"));
  recent.keep("{}");
  recent.keep(R"({"params":{"uri":5}})");
  recent.keep("not JSON");
  CHECK(recent.last("file:///a").list.value() == "[3]");
  CHECK(recent.last("file:///b").list.value() == "[2]");
  CHECK(!recent.last("file:///c").list.has_value());
}

TEST_CASE("what is no longer known is not reported") {
  RecentDiagnostics recent;
  recent.keep(published("file:///a", "[1]"));
  SUBCASE("many others came since") {
    for (int i = 0; i < 5000; ++i) recent.keep(published("file:///b" + std::to_string(i), "[]"));
    CHECK(recent.last("file:///a").list.error().message.find("recently") != std::string::npos);
  }
  SUBCASE("others of many bytes came since") {
    for (int i = 0; i < 30; ++i)
      recent.keep(published("file:///b" + std::to_string(i), '[' + std::string(100'000, ' ') + ']'));
    CHECK(recent.last("file:///a").list.error().message.find("recently") != std::string::npos);
  }
}

TEST_CASE("a document that is opened after something was dropped is awaited like any other") {
  RecentDiagnostics recent;
  recent.opened("file:///a");
  recent.keep(published("file:///a", "[1]"));
  SUBCASE("a list longer than all that is kept") {
    recent.keep(published("file:///b", '[' + std::string(std::size_t{2} << 20, ' ') + ']'));
  }
  SUBCASE("many lists") {
    for (int i = 0; i < 5000; ++i) recent.keep(published("file:///b" + std::to_string(i), "[]"));
  }
  CHECK(!recent.last("file:///a").awaited);  // that may have been about it, and nothing has changed since
  recent.opened("file:///c");
  CHECK(recent.last("file:///c").awaited);
  recent.changed("file:///a");
  CHECK(recent.last("file:///a").awaited);
  recent.waited_in_vain("file:///c");
  CHECK(!recent.last("file:///c").awaited);
  CHECK(recent.last("file:///a").awaited);
}

TEST_CASE("a server that never publishes is waited for once") {
  RecentDiagnostics recent;
  recent.opened("file:///a");
  recent.opened("file:///b");
  CHECK(recent.last("file:///b").awaited);
  recent.waited_in_vain("file:///a");
  CHECK(!recent.last("file:///b").awaited);
  recent.opened("file:///c");
  CHECK(!recent.last("file:///c").awaited);
  recent.keep(published("file:///d", "[]"));  // it does publish
  CHECK(recent.last("file:///c").awaited);
  recent.opened("file:///e");
  CHECK(recent.last("file:///e").awaited);
  recent.waited_in_vain("file:///e");
  recent.opened("file:///f");
  CHECK(recent.last("file:///f").awaited);
}

TEST_CASE("what later messages supersede is dropped, and nothing that tells something") {
  const std::string spellings[][2] = {{"file:///a", "file:///a"},
                                      {"file:///c:/b", "file:///c%3A/b"},
                                      {"file:///c", "file:///%63"},
                                      {"x:d", "x:d"}};
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    Dice dice(seed);
    RecentDiagnostics recent;
    recent.keep(published("file:///other", "[]"));  // it publishes
    Known known[4];
    for (int i = 0; i < 2000; ++i) {
      CAPTURE(i);
      const std::size_t document = dice.below(4);
      const std::string& uri = spellings[document][dice.below(2)];
      Known& it = known[document];
      switch (dice.below(4)) {
        case 0: {
          const std::string list =
              dice.one_in(3) ? "[]" : '[' + std::to_string(i) + std::string(dice.below(900), ' ') + ']';
          recent.keep(published(uri, list));
          it = {.list = list};
          break;
        }
        case 1:
          recent.opened(uri);
          it.opened = it.changed = true;
          it.in_vain = false;
          break;
        case 2:
          recent.changed(uri);
          it.changed = true;
          it.in_vain = false;
          break;
        default:
          recent.waited_in_vain(uri);
          it.in_vain = true;
          break;
      }
      const Known& asked = known[dice.below(4)];
      const auto last = recent.last(spellings[&asked - known][dice.below(2)]);
      if (asked.list.empty() || (asked.opened && asked.list == "[]")) {
        CHECK(!last.list.has_value());
        CHECK(last.awaited == !asked.in_vain);
      } else {
        REQUIRE(last.list.has_value());
        CHECK(*last.list == asked.list);
        CHECK(last.awaited == (asked.changed && !asked.in_vain));
      }
    }
  }
}
