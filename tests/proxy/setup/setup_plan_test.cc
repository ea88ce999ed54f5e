#include "proxy/setup/setup_plan.h"

#include <doctest/doctest.h>

#include <set>
#include <utility>

#include "lsp/json/json_document.h"
#include "tests/proxy/program_files.h"

namespace symbols::setup {
namespace setup_plan_test {

class Home : public TemporaryFolder {
 public:
  Home() {
    make_folder("bin");
    write_program(*this, "bin/clangd-19");
    options.path = path("bin");
    folders.home = path("");
    folders.config = path(".config");
    folders.data = path(".local/share");
    folders.working = path("project");
  }

  SetupPlan plan(const SetupTarget& target, const std::filesystem::path& to = {}, bool table = false) {
    const Result<SetupPaths> paths = setup_paths(target, folders, to);
    REQUIRE(paths.has_value());
    LocalCommands commands{"/opt/symbols", paths->own_folder.string(), registry, options,
                           target.other_servers};
    return plan_setup(target, *paths, commands, table);
  }

  servers::ServerRegistry registry = servers::ServerRegistry::built_in();
  servers::LookupOptions options;
  files::UserFolders folders;
};

TEST_CASE("every file that setup writes is built in, and every file that is built in is written") {
  std::set<std::string_view> used;
  std::set<std::string> names;
  for (const SetupTarget& target : setup_targets()) {
    CAPTURE(target.name);
    CHECK(names.insert(setup_words(target)).second);
    CHECK(setup_target(target.name, target.is_mcp) == &target);
    for (const SetupPiece& piece : target.pieces) {
      CAPTURE(piece.source);
      if (piece.kind == SetupPiece::Kind::folder) {
        bool any = false;
        for (const EditorFile& file : editor_files()) {
          if (!file.name.starts_with(piece.source)) continue;
          any = true;
          used.insert(file.name);
        }
        CHECK(any);
      } else {
        CHECK(editor_file(piece.source) != nullptr);
        used.insert(piece.source);
        if (!target.has_table) continue;
        const std::size_t slash = piece.source.rfind('/');
        const EditorFile* const table = editor_file(std::string(piece.source.substr(0, slash)) + "/table" +
                                                    std::string(piece.source.substr(slash)));
        REQUIRE(table != nullptr);
        used.insert(table->name);
      }
    }
  }
  for (const EditorFile& file : editor_files()) {
    CAPTURE(file.name);
    CHECK(used.contains(file.name));
  }
}

TEST_CASE("of a target with two configurations either takes the place of the other") {
  for (const SetupTarget& target : setup_targets()) {
    if (!target.has_table) continue;
    CAPTURE(target.name);
    Home home;
    const auto write = [&](bool table) {
      const SetupPlan plan = home.plan(target, home.path("file"), table);
      CHECK(!plan.refusal);
      REQUIRE(plan.files.size() == 1);
      CHECK((plan.files[0].after.find("--carrier") != std::string::npos) == table);
      REQUIRE(replace_file(plan.files[0].before, plan.files[0].after).has_value());
      return plan.files[0].after;
    };
    const std::string standard = write(false);
    CHECK(write(true) != standard);
    CHECK((*lsp::parse_json(write(false)) == *lsp::parse_json(standard)));
  }
}

TEST_CASE("of the places where a file may be, the first that is there is taken") {
  Home home;
  const SetupTarget& emacs = *setup_target("emacs");
  CHECK(setup_paths(emacs, home.folders, {})->configuration == home.path(".emacs.d/init.el"));
  home.make_folder(".config/emacs");
  CHECK(setup_paths(emacs, home.folders, {})->configuration == home.path(".config/emacs/init.el"));
  home.write(".config/emacs/init.el", "");
  // Where this folder is Emacs looks nowhere else.
  home.make_folder(".emacs.d");
  CHECK(setup_paths(emacs, home.folders, {})->configuration == home.path(".emacs.d/init.el"));
  home.write(".emacs", "");
  CHECK(setup_paths(emacs, home.folders, {})->configuration == home.path(".emacs"));
  CHECK(setup_paths(emacs, home.folders, "/x/init.el")->configuration == "/x/init.el");
  CHECK(setup_paths(*setup_target("nvim"), home.folders, "/x/nvim")->own_folder == "/x/nvim");

  const SetupTarget& vim = *setup_target("vim");
  const std::string pack = "pack/symbols/start/symbols";
  CHECK(setup_paths(vim, home.folders, {})->own_folder == home.path(".vim/" + pack));
  home.write(".config/vim/vimrc", "");
  CHECK(setup_paths(vim, home.folders, {})->own_folder == home.path(".config/vim/" + pack));
  home.write(".vimrc", "");
  CHECK(setup_paths(vim, home.folders, {})->own_folder == home.path(".vim/" + pack));

  home.folders.home.clear();
  home.folders.config.clear();
  CHECK(!setup_paths(*setup_target("copilot-cli"), home.folders, {}));
  CHECK(setup_paths(*setup_target("copilot-cli"), home.folders, "/x/y.json")->configuration == "/x/y.json");
}

TEST_CASE("no reader of a configuration is given what it would replace") {
  const auto refused = [](std::string_view target, std::string program) {
    Home home;
    const Result<SetupPaths> paths = setup_paths(*setup_target(target), home.folders, home.path("to"));
    REQUIRE(paths.has_value());
    LocalCommands commands{std::move(program), home.path("data"), home.registry, home.options, true};
    return plan_setup(*setup_target(target), *paths, commands).refusal.has_value();
  };
  CHECK(refused("claude-code", "/${HOME}/symbols"));
  CHECK(refused("mcp-language-server", "/${HOME}/symbols"));
  CHECK(refused("opencode", "/{env:HOME}/symbols"));
  CHECK(refused("opencode", "/{file:x}/symbols"));
  CHECK(refused("sublime", "/$home/symbols"));
  CHECK(refused("gemini-cli", "/$HOME/symbols"));
  CHECK(refused("cursor", "/${env:HOME}/symbols"));
  CHECK(!refused("kakoune", "/${HOME}/{env:HOME}/symbols"));
  CHECK(!refused("helix", "/${HOME}/{env:HOME}/symbols"));
}

TEST_CASE("what cannot be added to is refused, with the lines to put in by hand") {
  struct Case {
    std::string_view target;
    std::string text, message;
  };
  const Case cases[] = {
      {"opencode", "{\n  \"lsp\": {,}\n}", "cannot add to FILE: 2:11: Missing a name for object member."},
      {"opencode", "{\"lsp\": false}", "cannot add to FILE: 1:9: lsp is not an object"},
      {"cclsp", "{\"servers\": [{\"extensions\": [\"ts\"]}]}",
       "cannot add to FILE: 1:14: an element of servers already handles \"ts\""},
      {"helix", "[language-server.clangd]\n",
       "cannot add to FILE: line 1: [language-server.clangd] sets a table that our lines set, too"},
      {"serena", "web: true\n", "cannot add to FILE: setup does not edit it"},
      {"emacs", ";; >>> symbols\n",
       "cannot add to FILE: its marks \";; >>> symbols\" and \";; <<< symbols\" are not one pair"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.target);
    CAPTURE(c.text);
    Home home;
    home.write("file", c.text);
    const SetupPlan plan = home.plan(*setup_target(c.target), home.path("file"));
    REQUIRE(plan.refusal.has_value());
    std::string message = plan.refusal->error.message;
    const std::size_t at = message.find(home.path("file"));
    if (at != message.npos) message.replace(at, home.path("file").size(), "FILE");
    CHECK(message == c.message);
    CHECK(plan.refusal->lines.find("/opt/symbols") != std::string::npos);
  }
}

constexpr std::string_view begin =
    "# >>> symbols (written by symbols setup; it replaces all up to the next mark)\n";

std::string marked(std::string_view text, std::string_view lines = "x = 1\n") {
  const Result<std::string> result = with_marked_block(text, "#", lines);
  return result ? *result : "error: " + result.error().message;
}

TEST_CASE("our lines are between marks, and are replaced there") {
  const std::string block = std::string(begin) + "x = 1\n# <<< symbols\n";
  CHECK(marked("") == block);
  CHECK(marked("a = 1\n") == "a = 1\n\n" + block);
  CHECK(marked("a = 1") == "a = 1\n\n" + block);
  CHECK(marked(block) == block);
  CHECK(marked("a\n" + block + "b\n", "y\n") == "a\n" + std::string(begin) + "y\n# <<< symbols\nb\n");
  CHECK(marked("a\n# >>> symbols\nold\n# <<< symbols") == "a\n" + block);
  // A file's own line ends.
  CHECK(marked("a\r\n").ends_with("x = 1\r\n# <<< symbols\r\n"));
  // Other words that begin like a mark are not one.
  CHECK(marked("# >>> symbolset\n").ends_with("\n\n" + block));
  for (const char* const users : {"a\r\n", "a\r", "\r", "a\rb\r", "a\nb\r", "a\nb\r\nc"}) {
    CAPTURE(users);
    const std::string once = marked(users);
    CHECK(once.starts_with(users));
    CHECK(marked(once) == once);
  }
}

TEST_CASE("marks that are not one pair are refused") {
  for (const char* const text : {"# >>> symbols\n", "a\n# <<< symbols\n", "# <<< symbols\n# >>> symbols\n",
                                 "# >>> symbols\n# >>> symbols\n# <<< symbols\n",
                                 "# >>> symbols\n# <<< symbols\n# >>> symbols\n# <<< symbols\n"}) {
    CAPTURE(text);
    CHECK(marked(text) == "error: its marks \"# >>> symbols\" and \"# <<< symbols\" are not one pair");
  }
}

TEST_CASE("a TOML table that the file has already is refused") {
  const std::string lines = "[servers.c]\nx = 1\n";
  const std::pair<std::string, bool> cases[] = {
      {"[servers.c]\n", true},
      {"a = 1\n\t[ servers.c.config ]\n", true},
      {"servers.c.x = 1\n", true},
      {"[servers]\nc = { x = 2 }\n", true},
      {"servers = { c = {} }\n", true},
      {"[servers.d]\n# [servers.c]\n", false},
      {"# >>> symbols\n[servers.c]\n# <<< symbols\n", false},
  };
  for (const auto& [text, is_refused] : cases) {
    CAPTURE(text);
    CHECK(marked(text, lines).starts_with("error: line ") == is_refused);
  }
}

}  // namespace setup_plan_test
}  // namespace symbols::setup
