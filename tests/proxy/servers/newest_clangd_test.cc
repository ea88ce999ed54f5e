#include "proxy/servers/newest_clangd.h"

#include <doctest/doctest.h>

#include "tests/proxy/program_files.h"

namespace symbols::servers {
namespace {

TEST_CASE("the version of a clangd, without running it") {
  const TemporaryFolder folder;
  struct Case {
    const char* program;
    const char* links_to;  // null: it is the program itself
    const char* headers;   // a folder; null: none
    std::optional<int> version;
  };
  const Case cases[] = {
      {"debian/bin/clangd-19", "../lib/llvm-19/bin/clangd", nullptr, 19},
      {"debian/bin/clangd-14", "../lib/llvm-14/bin/clangd", "debian/lib/llvm-14/lib/clang/14.0.6", 14},
      {"debian/bin/clangd", "clangd-14", nullptr, 14},
      {"released/clangd_18.1.3/bin/clangd", nullptr, "released/clangd_18.1.3/lib/clang/18", 18},
      {"brew/bin/clangd", "../Cellar/llvm/20.1.0/bin/clangd", "brew/Cellar/llvm/20.1.0/lib/clang/20", 20},
      {"other/bin/clangd", "clangd-13", nullptr, 13},
      {"unknown/bin/clangd", nullptr, nullptr, {}},
      {"unknown/bin/clangd-x", nullptr, nullptr, {}},
      {"missing/clangd", "nowhere", nullptr, {}},
      {"fedora/bin/clangd", nullptr, "fedora/lib/clang/19", 19},
      {"fedora/bin/clangd", nullptr, "fedora/lib/clang/19.1.7", 19},
      {"fedora/bin/clangd", nullptr, "fedora/lib/clang/18", {}},
  };
  write_program(folder, "other/bin/clangd-13");
  for (const Case& c : cases) {
    CAPTURE(c.program);
    if (c.headers != nullptr) folder.make_folder(c.headers);
    if (c.links_to == nullptr) {
      write_program(folder, c.program);
    } else {
      const std::filesystem::path parent = std::filesystem::path(c.program).parent_path();
      folder.make_folder(parent.string());
      if (std::string_view(c.links_to).starts_with(".."))
        write_program(folder, (parent / c.links_to).lexically_normal().string());
      folder.link(c.program, c.links_to);
    }
    CHECK(clangd_version(folder.path(c.program)) == c.version);
  }
}

TEST_CASE("which file names are clangd's") {
  for (const char* name : {"clangd", "clangd-9", "clangd-19"}) CHECK_MESSAGE(is_clangd_name(name), name);
  for (const char* name : {"clang", "clangd-", "clangd-x", "clangd-19.1", "clangd-19-old", "clangd.real",
                           "xclangd", "clangd-99999999999999999999", "clangd--1"})
    CHECK_FALSE_MESSAGE(is_clangd_name(name), name);
}

TEST_CASE("the newest comes first, and one that was installed by hand before all") {
  using Paths = std::vector<std::filesystem::path>;
  const TemporaryFolder folder;
  const std::string by_hand = write_program(folder, "home/bin/clangd");
  Paths programs{"/a/clangd-9", "/a/clangd-19", by_hand, "/b/clangd-19", "/b/clangd-14"};
  newest_clangd_first(programs);
  CHECK(programs == Paths{by_hand, "/a/clangd-19", "/b/clangd-19", "/b/clangd-14", "/a/clangd-9"});
}

}  // namespace
}  // namespace symbols::servers
