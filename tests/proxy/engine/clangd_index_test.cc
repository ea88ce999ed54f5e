#include "proxy/engine/clangd_index.h"

#include <doctest/doctest.h>

#include "tests/proxy/temporary_folder.h"

namespace symbols::engine {
namespace clangd_index_test {

TEST_CASE("clangd opens what has changed and what includes it, or is started anew") {
  const TemporaryFolder folder;
  for (const auto& [name, text] : std::initializer_list<std::pair<const char*, const char*>>{
           {"compile_commands.json", R"([{"file": "a.cc"}, {"file": "b.cc"}])"},
           {"a.h", ""},
           {"b.h", "#include \"a.h\"\n"},
           {"a.cc", "#include \"b.h\"\n"},
           {"b.cc", ""},
           {"new.cc", ""},
           {"list.txt", ""},
           {"notes.md", ""},
           {"c.h", "#include \"list.txt\"\n"}})
    folder.write(name, text);
  ServerLaunch clangd{.name = "clangd", .command = {}};
  clangd.command.arguments = {"--compile-commands-dir=" + folder.path()};
  using Files = std::optional<std::vector<std::string>>;
  const auto opened = [&](const std::string& name, bool is_new = false) {
    files::ProjectChanges changes{.paths = {folder.path(name)}};
    if (is_new) changes.new_or_gone = changes.paths;
    return files_to_index_anew({clangd, folder.path()}, changes);
  };
  CHECK(opened("b.cc") == Files({folder.path("b.cc")}));
  CHECK(opened("a.h") == Files({folder.path("a.h"), folder.path("b.h"), folder.path("a.cc")}));
  CHECK(opened("b.cc", true) == Files({folder.path("b.cc")}));  // saved by renaming another
  CHECK(opened("notes.md") == Files(std::in_place));
  for (const char* const name : {"compile_commands.json", ".clangd", "gone.cc", "gone.h", "list.txt"}) {
    CAPTURE(name);
    CHECK_FALSE(opened(name));
  }
  CHECK_FALSE(opened("new.cc", true));
  CHECK_FALSE(files_to_index_anew({clangd, folder.path()}, {.unknown = true}));
  for (int i = 0; i < 12; ++i) folder.write("user" + std::to_string(i) + ".cc", "#include \"a.h\"\n");
  CHECK_FALSE(opened("a.h"));
  folder.write("x-guessed/compile_commands.json", "[]");
  clangd.command.arguments = {"--compile-commands-dir=" + folder.path("x-guessed")};
  CHECK_FALSE(opened("b.cc"));
}

}  // namespace clangd_index_test
}  // namespace symbols::engine
