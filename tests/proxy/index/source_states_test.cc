#include "proxy/index/source_states.h"

#include <doctest/doctest.h>

#include "tests/proxy/temporary_folder.h"

namespace symbols::index {
namespace {

using Words = std::vector<std::string>;

TEST_CASE("index: what a file includes, through others too") {
  TemporaryFolder folder;
  folder.write("src/main.cc", "#include \"near.h\"\n#include <lib/far.h>\n#include <vector>\n");
  folder.write("src/near.h", "#include \"../deep.h\"\n");
  folder.write("deep.h", "#include \"src/near.h\"\n");  // a circle
  folder.write("inc/lib/far.h", "#include \"beside.h\"\n");
  folder.write("inc/lib/beside.h");
  folder.write("forced.h");
  SourceStates sources(folder.path(), {});
  const IncludeFolders folders{.quoted = {},
                               .folders = {folder.path("inc"), "/usr/include"},
                               .forced = {"forced.h"},
                               .directory = folder.path()};
  CHECK(sources.included_by("src/main.cc", folders) ==
        Words{"deep.h", "forced.h", "inc/lib/beside.h", "inc/lib/far.h", "src/near.h"});
  CHECK(sources.included_by("src/main.cc", {}) == Words{"deep.h", "src/near.h"});
  CHECK(sources.included_by("deep.h", {}) == Words{"src/near.h"});
  CHECK(sources.included_by("missing.cc", {}).empty());
  folder.write("src/angled.cc", "#include <near.h>\n#include <deep.h>\n");
  CHECK(sources.included_by("src/angled.cc", {}) == Words{"deep.h", "src/near.h"});
  folder.write("quoted/far.h");
  folder.write("src/recovers.cc", "#include <far.h>\n");
  CHECK(sources.included_by(
            "src/recovers.cc",
            {.quoted = {folder.path("quoted")}, .folders = {}, .forced = {}, .directory = {}}) ==
        Words{"quoted/far.h"});
}

TEST_CASE("index: a file outside of the project hides one inside, and is left out") {
  TemporaryFolder folder;
  folder.write("out/a.h");
  folder.write("root/a.h");
  folder.write("root/m.cc", "#include <a.h>\n");
  SourceStates sources(folder.path("root"), {});
  CHECK(
      sources
          .included_by("m.cc", {.quoted = {}, .folders = {folder.path("out")}, .forced = {}, .directory = {}})
          .empty());
  CHECK(sources.included_by("m.cc", {}) == Words{"a.h"});
  CHECK(sources
            .included_by("m.cc", {.quoted = {folder.path("root")},
                                  .folders = {folder.path("out")},
                                  .forced = {},
                                  .directory = {}})
            .empty());
}

TEST_CASE("index: where the folders are guessed, every file that a name may mean counts") {
  TemporaryFolder folder;
  for (const std::string file : {"one/a.h", "two/a.h", "src/a.h"}) folder.write(file);
  folder.write("src/h.h", "#include \"a.h\"\n");
  SourceStates sources(folder.path(), {});
  IncludeFolders folders{
      .quoted = {}, .folders = {folder.path("one"), folder.path("two")}, .forced = {}, .directory = {}};
  CHECK(sources.included_by("src/h.h", folders) == Words{"src/a.h"});
  folders.is_guess = true;
  CHECK(sources.included_by("src/h.h", folders) == Words{"one/a.h", "src/a.h", "two/a.h"});
}

TEST_CASE("index: a file is read only where its stamp is another one") {
  TemporaryFolder folder;
  folder.write("a.cc", "#include \"b.h\"\n");
  std::filesystem::last_write_time(folder.path("a.cc"),
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  SourceStates first(folder.path(), {});
  const SourceState* state = first.find("a.cc", SourceStates::Includes::find);
  REQUIRE(state != nullptr);
  // It was changed a moment ago, so its stamp proves nothing yet.
  CHECK_FALSE(state->stamp);
  CHECK(first.changed().size() == 1);
  CHECK(first.is_unchanged("a.cc"));
  SourceState wrong = *state;
  wrong.stamp = files::FileStamp::of(folder.path("a.cc"));
  wrong.content = files::hash_of("something else");
  SourceStates trusting(folder.path(), {{"a.cc", wrong}});
  CHECK(trusting.find("a.cc", SourceStates::Includes::find)->content == wrong.content);
  CHECK(trusting.changed().empty());
  folder.write("a.cc", "other");
  CHECK_FALSE(first.is_unchanged("a.cc"));
  CHECK(trusting.find("missing", SourceStates::Includes::leave) == nullptr);
}

}  // namespace
}  // namespace symbols::index
