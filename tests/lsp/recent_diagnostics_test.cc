// What the server has published recently.
#include "lsp/recent_diagnostics.h"

#include <doctest/doctest.h>

#include <string>

using namespace symbols;
using namespace symbols::lsp;

namespace {

std::string published(const std::string& uri, const std::string& list) {
  return R"({"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"diagnostics":)" + list +
         R"(,"uri":")" + uri + R"("}})";
}

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

TEST_CASE("a document is the same however the server spells it") {
  RecentDiagnostics recent;
  recent.keep(published("file:\\/\\/\\/c%3A/x%20y", "[1]"));
  CHECK(recent.last("file:///c:/x%20y").list.value() == "[1]");
}

TEST_CASE("what is no longer known is not reported") {
  RecentDiagnostics recent;
  recent.keep(published("file:///a", "[1]"));
  SUBCASE("one that was too long may have been about any document") {
    SUBCASE("seen in parts") {
      recent.keep_none();
    }
    SUBCASE("seen whole") {
      recent.keep(published("file:///b", '[' + std::string(RecentDiagnostics::longest, ' ') + ']'));
    }
    CHECK(recent.last("file:///a").list.error().message.find("too long") != std::string::npos);
    recent.keep(published("file:///a", "[2]"));
    CHECK(recent.last("file:///a").list.value() == "[2]");
  }
  SUBCASE("many others came since") {
    for (int i = 0; i < 5000; ++i) recent.keep(published("file:///b", "[]"));
    CHECK(recent.last("file:///a").list.error().message.find("recently") != std::string::npos);
  }
  SUBCASE("others of many bytes came since") {
    for (int i = 0; i < 30; ++i) recent.keep(published("file:///b", '[' + std::string(100'000, ' ') + ']'));
    CHECK(recent.last("file:///a").list.error().message.find("recently") != std::string::npos);
  }
}

TEST_CASE("what the server published before a document was opened or changed") {
  RecentDiagnostics recent;
  const auto list = [&recent] {
    return std::string(recent.last("file:///a").list.has_value() ? recent.last("file:///a").list.value()
                                                                 : "none");
  };
  const auto awaited = [&recent] { return recent.last("file:///a").awaited; };
  CHECK(awaited());  // not known yet
  recent.opened("file:///a");
  recent.keep(published("file:///a", "[1]"));
  CHECK(list() == "[1]");
  CHECK(!awaited());

  SUBCASE("of another text is out of date and better than nothing") {
    recent.changed("file:///b");
    CHECK(!awaited());
    recent.changed("file:///a");
    CHECK(list() == "[1]");
    CHECK(awaited());
    SUBCASE("until it publishes") {
      recent.keep(published("file:///a", "[2]"));
      CHECK(list() == "[2]");
    }
    SUBCASE("until a wait has timed out") {
      recent.waited_in_vain("file:///a");
      CHECK(list() == "[1]");
      CHECK(!awaited());
      recent.changed("file:///a");
      CHECK(awaited());
    }
  }
  SUBCASE("of a file that is opened only now is out of date and better than nothing") {
    recent.opened("file:///a");
    CHECK(list() == "[1]");
    CHECK(awaited());
  }
  SUBCASE("of the document closed before is of another") {
    recent.keep(published("file:///a", "[]"));
    recent.opened("file:///a");
    CHECK(list() == "none");
    CHECK(awaited());
    recent.waited_in_vain("file:///a");
    CHECK(!awaited());
    recent.keep(published("file:///a", "[3]"));
    CHECK(list() == "[3]");
    CHECK(!awaited());
  }
  SUBCASE("a document that is being typed into costs one entry") {
    for (int i = 0; i < 5000; ++i) recent.changed("file:///a");
    CHECK(list() == "[1]");
  }
}

TEST_CASE("a document that is opened after something was dropped is awaited like any other") {
  RecentDiagnostics recent;
  recent.opened("file:///a");
  recent.keep(published("file:///a", "[1]"));
  SUBCASE("a list that was too long") {
    recent.keep_none();
  }
  SUBCASE("many lists") {
    for (int i = 0; i < 5000; ++i) recent.keep(published("file:///b", "[]"));
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
