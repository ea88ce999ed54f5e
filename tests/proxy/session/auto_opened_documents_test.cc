// What is sent for documents that no client opened, on real files that change, go and come back.
#include "proxy/session/auto_opened_documents.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "lsp/json/json_document.h"
#include "lsp/messages.h"
#include "lsp/uri.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::session {
namespace auto_opened_documents_test {

using namespace std::string_literals;
namespace fs = std::filesystem;

const servers::ServerRegistry& registry() {
  static const servers::ServerRegistry built_in = servers::ServerRegistry::built_in();
  return built_in;
}

// A notification in few words: "open a.ts typescript 1: text", "change a.ts 2: text", "close a.ts".
std::string shown(const std::string& body) {
  for (const char c : body) REQUIRE((c >= 0x20 && c < 0x7F));
  const Result<rapidjson::Document> json = lsp::parse_json(body);
  REQUIRE(json.has_value());
  CHECK((*json)["jsonrpc"] == "2.0");
  CHECK_FALSE(json->HasMember("id"));
  const std::string method = (*json)["method"].GetString();
  const rapidjson::Value& params = (*json)["params"];
  const rapidjson::Value& document = params["textDocument"];
  const std::string name =
      fs::path(lsp::file_path(document["uri"].GetString()).value_or("?")).filename().string();
  const auto text_of = [](const rapidjson::Value& value) {
    return std::string(value["text"].GetString(), value["text"].GetStringLength());
  };
  if (method == "textDocument/didOpen") {
    return "open " + name + " " + document["languageId"].GetString() + " " +
           std::to_string(document["version"].GetInt()) + ": " + text_of(document);
  }
  if (method == "textDocument/didChange") {
    REQUIRE(params["contentChanges"].Size() == 1);
    CHECK_FALSE(params["contentChanges"][0].HasMember("range"));
    return "change " + name + " " + std::to_string(document["version"].GetInt()) + ": " +
           text_of(params["contentChanges"][0]);
  }
  CHECK(method == "textDocument/didClose");
  return "close " + name;
}

std::vector<std::string> shown(const std::vector<std::string>& bodies) {
  std::vector<std::string> words;
  for (const std::string& body : bodies) words.push_back(shown(body));
  return words;
}

using Words = std::vector<std::string>;

TEST_CASE("auto-open: which files are opened, in which language") {
  struct Case {
    const char* name;
    std::string content;
    const char* server;    // whose words are used; nullptr where it is not known
    std::string expected;  // empty where nothing is sent
  };
  const Case cases[] = {
      {"a.ts", "let a;\n", nullptr, "open a.ts typescript 1: let a;\n"},
      {"a.h", "int a;", "clangd", "open a.h cpp 1: int a;"},
      {"empty.py", "", nullptr, "open empty.py python 1: "},
      {"a b%é.go", "package é // 😀", nullptr, "open a b%é.go go 1: package é // 😀"},
      {"Dockerfile", "FROM x", nullptr, "open Dockerfile dockerfile 1: FROM x"},
      {"script", "#!/usr/bin/env python3\nx = 1\n", nullptr,
       "open script python 1: #!/usr/bin/env python3\nx = 1\n"},
      {"mark.c", "\xEF\xBB\xBFint a;", nullptr, "open mark.c c 1: int a;"},
      {"latin.c", "// caf\xE9", nullptr, "open latin.c c 1: // caf\uFFFD"},
      {"largest.c", std::string(100, 'x'), nullptr, "open largest.c c 1: " + std::string(100, 'x')},
      {"large.c", std::string(101, 'x'), nullptr, ""},
      {"binary.c", "a\0b"s, nullptr, ""},
      {"wide.c", "\xFF\xFE"s + "a\0"s, nullptr, ""},
      {"notes.unknown", "text", nullptr, ""},
      {"README", "text", nullptr, ""},
  };
  const TemporaryFolder folder;
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const servers::ServerSpec* const server = c.server ? registry().by_name(c.server) : nullptr;
    AutoOpenedDocuments documents(registry(), server, {.file_bytes = 100});
    const std::string uri = lsp::file_uri(folder.write(c.name, c.content));
    const Words expected = c.expected.empty() ? Words{} : Words{c.expected};
    CHECK(shown(documents.prepare(uri)) == expected);
    CHECK(documents.is_open(uri) == !c.expected.empty());
  }
}

TEST_CASE("auto-open: URIs and paths of which nothing is opened, and no wait for any") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.ts", "let a;");
  folder.link("loop.ts", "loop.ts");
  const std::string uris[] = {
      "",
      "a.ts",
      file,
      "untitled:Untitled-1",
      "untitled:" + file,
      "https://example.org" + file,
      "file://host" + file,
      "file:////" + file,
      "file:a.ts",
      "file:///c%3A/a.ts",
      "file://" + file + "%00",
      "file://" + file + "%",
      lsp::file_uri(folder.path("nothing.ts")),
      lsp::file_uri(folder.make_folder("folder.ts")),
      lsp::file_uri(folder.make_fifo("fifo.ts")),
      lsp::file_uri(folder.path("loop.ts")),
      lsp::file_uri(folder.path(std::string(300, 'x') + ".ts")),
      "file:///dev/null",
      "file:///dev/zero",
  };
  AutoOpenedDocuments documents(registry(), nullptr);
  for (const std::string& uri : uris) {
    CAPTURE(uri);
    CHECK(documents.prepare(uri).empty());
    CHECK_FALSE(documents.is_open(uri));
    CHECK(documents.release(uri).empty());
    documents.forget(uri);
    CHECK(documents.text(uri) == nullptr);
  }
}

TEST_CASE("auto-open: the server gets what becomes of the file") {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.ts", "one");
  const std::string uri = lsp::file_uri(path);
  AutoOpenedDocuments documents(registry(), nullptr, {.file_bytes = 100});
  struct Step {
    std::string what;
    std::function<void()> change;
    Words sent;
  };
  const Step steps[] = {
      {"first seen", [] {}, {"open a.ts typescript 1: one"}},
      {"nothing happened", [] {}, {}},
      {"written", [&] { folder.write("a.ts", "three"); }, {"change a.ts 2: three"}},
      {"written with what it had", [&] { folder.write("a.ts", "three"); }, {}},
      {"written with as many bytes", [&] { folder.write("a.ts", "tree!"); }, {"change a.ts 3: tree!"}},
      {"replaced", [&] { fs::rename(folder.write("b.ts", "other"), path); }, {"change a.ts 4: other"}},
      {"emptied", [&] { folder.write("a.ts", ""); }, {"change a.ts 5: "}},
      {"binary", [&] { folder.write("a.ts", "\0"s); }, {"close a.ts"}},
      {"still binary", [] {}, {}},
      {"text again", [&] { folder.write("a.ts", "x"); }, {"open a.ts typescript 1: x"}},
      {"too large", [&] { fs::resize_file(path, 101); }, {"close a.ts"}},
      {"gone", [&] { fs::remove(path); }, {}},
      {"a link", [&] { folder.link("a.ts", folder.write("c.py", "z")); }, {"open a.ts typescript 1: z"}},
      {"the link's target written", [&] { folder.write("c.py", "zz"); }, {"change a.ts 2: zz"}},
      {"a pipe",
       [&] {
         fs::remove(path);
         folder.make_fifo("a.ts");
       },
       {"close a.ts"}},
  };
  for (const Step& step : steps) {
    CAPTURE(step.what);
    step.change();
    CHECK(shown(documents.prepare(uri)) == step.sent);
  }
}

TEST_CASE("auto-open: over the limit the least recently prepared are closed first, but none that is held") {
  const TemporaryFolder folder;
  const auto uri = [&](const std::string& name) { return lsp::file_uri(folder.path(name)); };
  for (const char* const name : {"a.ts", "b.ts", "c.ts", "d.ts", "e.ts"}) folder.write(name, "x");
  AutoOpenedDocuments documents(registry(), nullptr, {.documents = 2});
  const auto sent = [&](const std::string& name) { return shown(documents.prepare(uri(name))); };
  CHECK(sent("a.ts") == Words{"open a.ts typescript 1: x"});
  CHECK(sent("b.ts") == Words{"open b.ts typescript 1: x"});
  CHECK(sent("a.ts").empty());
  CHECK(sent("c.ts") == Words{"close b.ts", "open c.ts typescript 1: x"});
  CHECK(documents.hold(uri("b.ts")) == nullptr);
  std::shared_ptr<void> held = documents.hold(uri("a.ts")), again = documents.hold(uri("a.ts"));
  const std::shared_ptr<void> other = documents.hold(uri("c.ts"));
  CHECK(sent("d.ts") == Words{"open d.ts typescript 1: x"});
  held.reset();
  CHECK(sent("e.ts") == Words{"close d.ts", "open e.ts typescript 1: x"});
  again.reset();
  CHECK(sent("d.ts") == Words{"close a.ts", "close e.ts", "open d.ts typescript 1: x"});
}

TEST_CASE("auto-open: the client opens or closes the document itself") {
  const TemporaryFolder folder;
  const std::string uri = lsp::file_uri(folder.write("a.ts", "one"));
  AutoOpenedDocuments documents(registry(), nullptr);
  CHECK(documents.release(uri).empty());

  documents.prepare(uri);
  CHECK(shown(documents.release(uri)) == Words{"close a.ts"});
  CHECK_FALSE(documents.is_open(uri));
  CHECK(documents.release(uri).empty());

  documents.prepare(uri);
  documents.forget(uri);
  CHECK(shown(documents.prepare(uri)) == Words{"open a.ts typescript 1: one"});
}

TEST_CASE("auto-open: one document of a file, in the spelling of the last request") {
  const TemporaryFolder folder;
  const std::string path = folder.write("a b.ts", "one");
  const std::string encoded = lsp::file_uri(path);
  const std::string plain = "file://" + path;
  const std::string host = "file://localhost" + path;
  REQUIRE(encoded != plain);
  AutoOpenedDocuments documents(registry(), nullptr);
  const Words reopened{"close a b.ts", "open a b.ts typescript 1: one"};
  CHECK(documents.prepare(encoded) ==
        std::vector{lsp::did_open_notification(encoded, "typescript", 1, "one")});
  CHECK(documents.prepare(plain) == std::vector{lsp::did_close_notification(encoded),
                                                lsp::did_open_notification(plain, "typescript", 1, "one")});
  CHECK_FALSE(documents.is_open(encoded));
  CHECK(documents.is_open(plain));
  CHECK(shown(documents.prepare(host)) == reopened);
  CHECK(documents.release(encoded) == std::vector{lsp::did_close_notification(host)});
}

TEST_CASE("auto-open: the text is the one that the server got, or none") {
  const TemporaryFolder folder;
  const std::string uri = lsp::file_uri(folder.write("a.ts", "\xEF\xBB\xBFone \xE9"));
  AutoOpenedDocuments documents(registry(), nullptr);
  CHECK(documents.text(uri) == nullptr);
  documents.prepare(uri);
  REQUIRE(documents.text(uri) != nullptr);
  CHECK(*documents.text(uri) == "one \uFFFD");
  folder.write("a.ts", "two");
  CHECK(documents.text(uri) == nullptr);
  documents.prepare(uri);
  REQUIRE(documents.text(uri) != nullptr);
  CHECK(*documents.text(uri) == "two");
  fs::remove(folder.path("a.ts"));
  CHECK(documents.text(uri) == nullptr);
  documents.release(uri);
  folder.write("a.ts", "two");
  CHECK(documents.text(uri) == nullptr);
}

}  // namespace auto_opened_documents_test
}  // namespace symbols::session
