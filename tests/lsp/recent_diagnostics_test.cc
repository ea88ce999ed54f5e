// What the server has published recently.
#include "lsp/recent_diagnostics.h"

#include <doctest/doctest.h>

#include <string>

namespace recent_diagnostics_test {
using namespace symbols;
using namespace symbols::lsp;

std::string published(const std::string& uri, const std::string& list) {
  return R"({"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"diagnostics":)" + list +
         R"(,"uri":")" + uri + R"("}})";
}

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

TEST_CASE("where documents have versions, a list without one is of the file") {
  const std::string of_text = R"({"params":{"uri":"file:///a","version":1,"diagnostics":[2]}})";
  RecentDiagnostics recent(true);
  recent.opened("file:///a");
  recent.keep(published("file:///a", "[1]"));
  CHECK(recent.last("file:///a").list.value() == "[1]");
  CHECK(!recent.last("file:///a").awaited);
  CHECK(!recent.last("file:///a", false).list.has_value());
  CHECK(recent.last("file:///a", false).awaited);
  recent.keep(of_text);
  CHECK(recent.last("file:///a", false).list.value() == "[2]");
  RecentDiagnostics without;
  without.keep(published("file:///a", "[1]"));
  CHECK(without.last("file:///a", false).list.value() == "[1]");
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

TEST_CASE("what was published before a document was opened or changed is out of date") {
  RecentDiagnostics recent;
  recent.keep(published("file:///other", "[]"));  // it publishes
  const auto check = [&](std::string_view list, bool awaited) {
    const RecentDiagnostics::Last last = recent.last("file:///c%3A/b");
    CHECK((last.list ? *last.list : "none") == list);
    CHECK(last.awaited == awaited);
  };
  check("none", true);
  recent.keep(published("file:///c:/b", "[1]"));
  check("[1]", false);
  recent.changed("file:///c:/b");
  check("[1]", true);
  recent.waited_in_vain("file:///c%3a/b");
  check("[1]", false);
  recent.opened("file:///c:/b");
  check("[1]", true);
  recent.keep(published("file:///c:/b", "[]"));
  check("[]", false);
  recent.changed("file:///c:/b");
  check("[]", true);
  recent.opened("file:///c:/b");  // servers publish [] when a document is closed
  check("none", true);
}

}  // namespace recent_diagnostics_test
