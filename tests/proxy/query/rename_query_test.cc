// A WorkspaceEdit as a patch of the files on disk. tests/e2e/rename.test.mjs has real servers.
#include "proxy/query/rename_query.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "lsp/uri.h"
#include "tests/proxy/query/query_stage.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::query {
namespace rename_query_test {

struct Project {
  TemporaryFolder folder;

  // `edits`: of one file each, `LINE:FIRST-LAST text`.
  std::string edit(const std::string& path, std::uint32_t line, std::uint32_t first, std::uint32_t last,
                   const std::string& text) const {
    return fmt::format(R"({{"textDocument":{{"uri":"{}"}},"edits":[{{"range":{},"newText":"{}"}}]}})",
                       lsp::file_uri(folder.path(path)), range_json(line, first, last), text);
  }
  Result<RenamePatch> patch(const std::vector<std::string>& edits) const {
    std::string all;
    for (const std::string& one : edits) all += (all.empty() ? "" : ",") + one;
    return rename_patch(R"({"documentChanges":[)" + all + "]}", {"a", "n"}, folder.path(),
                        lsp::PositionEncoding::utf16);
  }
  std::string error(const std::vector<std::string>& edits) const { return patch(edits).error().message; }
};

TEST_CASE("rename: a document that comes twice is one diff, and an edit that comes twice is one edit") {
  Project project;
  project.folder.write("a.x", "a a\nb\n");
  const Result<RenamePatch> patch =
      project.patch({project.edit("a.x", 0, 2, 3, "n"), project.edit("a.x", 0, 0, 1, "n"),
                     project.edit("a.x", 0, 2, 3, "n")});
  REQUIRE(patch.has_value());
  CHECK(patch->text == "--- a/a.x\n+++ b/a.x\n@@ -1,2 +1,2 @@\n-a a\n+n n\n b");
  CHECK(patch->files == std::set{project.folder.path("a.x")});
  CHECK(patch->edited == lsp::Range{{0, 0}, {0, 3}});
  CHECK(patch->with_new_name.empty());
  CHECK(patch->with_old_name.empty());
}

TEST_CASE("rename: a changed file that keeps the old name") {
  Project project;
  project.folder.write("a.x", "a // a\n");
  project.folder.write("b.x", "a an\n");
  const Result<RenamePatch> patch =
      project.patch({project.edit("a.x", 0, 0, 1, "n"), project.edit("b.x", 0, 0, 1, "n")});
  REQUIRE(patch.has_value());
  CHECK(patch->with_old_name == std::vector<std::string>{"a.x"});
  // As of `{a}`.
  const Result<RenamePatch> short_hand = project.patch({project.edit("b.x", 0, 0, 1, "a: n")});
  REQUIRE(short_hand.has_value());
  CHECK(short_hand->with_old_name == std::vector<std::string>{"b.x"});
}

TEST_CASE("rename: a byte order mark, CRLF, characters of two units, and a name that is there already") {
  Project project;
  project.folder.write("a.x", "\xEF\xBB\xBF\xF0\x9F\x98\x80 a\r\nn");
  const Result<RenamePatch> patch = project.patch({project.edit("a.x", 0, 3, 4, "n")});
  REQUIRE(patch.has_value());
  CHECK(patch->text ==
        "--- a/a.x\n+++ b/a.x\n@@ -1,2 +1,2 @@\n-\xEF\xBB\xBF\xF0\x9F\x98\x80 "
        "a\r\n+\xEF\xBB\xBF\xF0\x9F\x98\x80 n\r\n"
        " n\n\\ No newline at end of file");
  CHECK(patch->with_new_name == std::vector<std::string>{"a.x"});
}

TEST_CASE("rename: what would give a wrong patch is an error") {
  Project project;
  project.folder.write("a.x", "abc\n");
  project.folder.write("latin.x", "\xE9\n");
  std::filesystem::create_symlink("a.x", project.folder.path("link.x"));
  const auto edit = [&](const std::string& path, std::uint32_t line, std::uint32_t first,
                        std::uint32_t last) { return project.edit(path, line, first, last, "n"); };
  CHECK(project.error({edit("a.x", 0, 0, 2), edit("a.x", 0, 1, 3)}) == "the server's edits of a.x overlap");
  CHECK(project.error({edit("a.x", 0, 2, 9)}) == "the server's edits do not fit the text of a.x");
  CHECK(project.error({edit("a.x", 7, 0, 1)}) == "the server's edits do not fit the text of a.x");
  CHECK(project.error({edit("a.x", 0, 2, 1)}) == "the server's edits do not fit the text of a.x");
  CHECK(project.error({edit("latin.x", 0, 0, 1)}) == "latin.x would change too, and is not UTF-8");
  CHECK(project.error({edit("../b.x", 0, 0, 1)}).find("which is not in this folder") != std::string::npos);
  CHECK(project.error({edit("gone.x", 0, 0, 1)}).find("gone.x") != std::string::npos);
  CHECK(!project.patch({edit("link.x", 0, 0, 1)}).has_value());
  CHECK(project.error({}) == "the server renames nothing here");
  CHECK(project.error({project.edit("a.x", 0, 0, 3, "abc")}) == "the server renames nothing here");
}

TEST_CASE("rename: what a server does not offer, refuses or does not answer") {
  QueryStage stage;
  std::string told;
  const auto ask = [&] {
    return RenameQuery(stage.services(), "file:///a", {0, 0}, {"a", "n"}, "/", std::chrono::milliseconds(500),
                       [&told](const Result<RenamePatch>& patch) { told = patch.error().text(); });
  };
  {
    const RenameQuery query = ask();
    CHECK(told.empty());
    stage.server.delayed.run(std::chrono::milliseconds(0));
    CHECK(told == "renaming is not offered by the server");
  }
  stage.capabilities.rename = true;
  {
    const RenameQuery query = ask();
    CHECK(stage.server.sent.front().params ==
          R"({"textDocument":{"uri":"file:///a"},"position":{"line":0,"character":0},"newName":"n"})");
    stage.server.refuse(-32603);
    CHECK(told == "no (error -32603)");
  }
  {
    const RenameQuery query = ask();
    stage.server.delayed.run(std::chrono::milliseconds(500));
    CHECK(told == "not answered within 500 ms; raise --timeout");
  }
}

}  // namespace rename_query_test
}  // namespace symbols::query
