#include "proxy/servers/program_search.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <utility>

#include "base/text.h"
#include "tests/proxy/program_files.h"

namespace symbols::servers {
namespace program_search_test {

using Paths = std::vector<std::filesystem::path>;

const ProjectBoundary no_project({}, false);

TEST_CASE("a program is looked up in the absolute entries of the PATH, in order") {
  const TemporaryFolder folder;
  const std::string first = write_program(folder, "one/tool");
  const std::string second = write_program(folder, "two/tool");
  folder.write("three/tool", "not executable");
  folder.make_folder("four/tool");
  const std::string path = "::relative:./one:" + folder.path("missing") + ":" + folder.path("three") + ":" +
                           folder.path("four") + ":" + folder.path("one") + ":" + folder.path("two") + ":";

  const ProgramSearch search = find_programs("tool", path, no_project);
  CHECK(search.found == Paths{first, second});
  CHECK(search.forbidden.empty());

  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path("one"));  // where an empty or relative entry would find it
  CHECK(find_programs("tool", ":.:../two:", no_project).found.empty());
  std::filesystem::current_path(before);
  for (const std::string_view no_name : {"", "./tool", "one/tool"})
    CHECK(find_programs(no_name, path, no_project).found.empty());
}

TEST_CASE("what is in the project is not run, however one gets there") {
  const TemporaryFolder folder;
  write_program(folder, "project/bin/tool");
  write_program(folder, "elsewhere/tool");
  write_program(folder, "project-not/tool");
  folder.make_folder("links");
  folder.link("links/folder", folder.path("project/bin"));  // a PATH entry that is a link into it
  folder.make_folder("links/into");
  folder.link("links/into/tool", folder.path("project/bin/tool"));  // a program that is one
  folder.make_folder("project/out");
  folder.link("project/out/tool", folder.path("elsewhere/tool"));  // one in the project that leads out
  folder.make_folder("links/through");
  folder.link("links/through/tool", folder.path("project/out/tool"));  // out, but the project says where to
  folder.make_folder("links/away");
  folder.link("links/away/tool", "../../elsewhere/tool");
  folder.make_folder("links/loop");
  folder.link("links/loop/tool", "tool");
  folder.link("alias", folder.path("project"));  // the root itself by another name

  struct Case {
    const char* entry;
    bool found, forbidden;
  };
  const Case cases[] = {
      {"project/bin", false, true},
      {"project/bin/../bin", false, true},
      {"elsewhere/../project/bin", false, true},
      {"alias/bin", false, true},
      {"links/folder", false, true},
      {"links/into", false, true},
      {"project/out", false, true},
      {"links/through", false, true},
      {"links/away", true, false},
      {"links/loop", false, false},
      {"elsewhere", true, false},
      {"project-not", true, false},
  };
  for (const std::string root : {"project", "project/", "alias", "project/bin/.."}) {
    const ProjectBoundary untrusted(folder.path(root), false);
    const ProjectBoundary trusted(folder.path(root), true);
    for (const Case& c : cases) {
      CAPTURE(root);
      CAPTURE(c.entry);
      const ProgramSearch search = find_programs("tool", folder.path(c.entry), untrusted);
      CHECK(search.found.size() == (c.found ? 1 : 0));
      CHECK(search.forbidden.size() == (c.forbidden ? 1 : 0));
      CHECK(find_programs("tool", folder.path(c.entry), trusted).found.size() ==
            (c.found || c.forbidden ? 1 : 0));
    }
  }
  const ProjectBoundary two(folder.path("elsewhere"), false, folder.path("project"));
  for (const char* const entry : {"project/bin", "links/into", "links/away", "elsewhere"})
    CHECK(find_programs("tool", folder.path(entry), two).forbidden.size() == 1);
  CHECK(find_programs("tool", folder.path("project-not"), two).found.size() == 1);
  // Everything is in `/`, which is no project.
  CHECK(find_programs("tool", folder.path("elsewhere"), ProjectBoundary("/", false)).found.size() == 1);
}

TEST_CASE("the interpreter of a script") {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"#!/usr/bin/env node\nx", "node"},
      {"#!/usr/bin/env node\r\nx", "node"},
      {"#! /usr/bin/env -S node --flag", "node"},
      {"#!/usr/bin/env -S A=b node", "node"},
      {"#!/usr/bin/python3 -I\n", "/usr/bin/python3"},
      {"#!/bin/sh", "/bin/sh"},
      {"#!", ""},
      {"#!\n/bin/sh", ""},
      {"#!/usr/bin/env\n", ""},
      {"#!/usr/bin/env -\t \n", ""},
      {" #!/bin/sh", ""},
      {"\x7f"
       "ELF",
       ""},
      {"", ""},
  };
  const TemporaryFolder folder;
  for (const auto& [content, interpreter] : cases) {
    CAPTURE(content);
    CHECK(interpreter_of(folder.write("script", content)) == interpreter);
  }
  CHECK(interpreter_of(folder.path("missing")).empty());
}

TEST_CASE("our own installs: where they are, in order") {
  const TemporaryFolder folder;
  for (const char* install :
       {"named", "home/.local/lib/symbols/servers", "prefix/lib/symbols/servers", "prefix/scripts/servers"})
    folder.make_folder(std::string(install) + "/node_modules");
  const OwnInstalls all = find_own_installs(folder.path("named"), folder.path("home"),
                                            folder.path("prefix/bin/symbols"), no_project);
  CHECK(all.folders == Paths{folder.path("named"), folder.path("home/.local/lib/symbols/servers"),
                             folder.path("prefix/lib/symbols/servers"),
                             folder.path("prefix/scripts/servers")});
  CHECK(all.refused.empty());

  // Relative paths would lead into the project.
  std::filesystem::create_directories("named/node_modules");
  CHECK(find_own_installs("named", "home", "", no_project).folders.empty());
  std::filesystem::remove_all("named");
  CHECK(find_own_installs("", "", "", no_project).folders.empty());
  CHECK(find_own_installs(folder.path("none"), folder.path("none"), folder.path("none/x"), no_project)
            .folders.empty());
}

TEST_CASE("our own installs: those that others can write to are refused, but for the one that is named") {
  const TemporaryFolder folder;
  const std::string install = "prefix/lib/symbols/servers";
  folder.make_folder(install + "/node_modules");
  REQUIRE(::chmod(folder.path("prefix/lib").c_str(), 0777) == 0);
  const OwnInstalls beside = find_own_installs("", "", folder.path("prefix/bin/symbols"), no_project);
  CHECK(beside.folders.empty());
  CHECK(beside.refused == std::vector<std::string>{"the servers in " + folder.path(install) +
                                                   " are not used: " + folder.path("prefix/lib") +
                                                   " may be changed by other users"});
  const OwnInstalls named = find_own_installs(folder.path(install), "", "", no_project);
  CHECK(named.folders == Paths{folder.path(install)});
  CHECK(named.refused.empty());
}

TEST_CASE(
    "our own installs: that of the home folder is refused in the project, the others are ours there too") {
  const TemporaryFolder folder;
  const std::string home = folder.path(".local/lib/symbols/servers");
  for (const char* install : {".local/lib/symbols/servers", "named", "scripts/servers"})
    folder.make_folder(std::string(install) + "/node_modules");
  const auto find = [&](const ProjectBoundary& boundary) {
    return find_own_installs(folder.path("named"), folder.path(), folder.path("build/symbols"), boundary);
  };
  const OwnInstalls inside = find(ProjectBoundary(folder.path(), false));
  CHECK(inside.folders == Paths{folder.path("named"), folder.path("scripts/servers")});
  CHECK(inside.refused == std::vector<std::string>{"the servers in " + home +
                                                   " are not used: they are in the project, which is not "
                                                   "trusted"});
  CHECK(find(ProjectBoundary(folder.path(), true)).folders.size() == 3);
}

TEST_CASE("clangds, the newest first, by their names, links and headers") {
  const TemporaryFolder folder;
  struct Case {
    const char* program;
    const char* links_to = nullptr;  // none: it is the program itself
    const char* headers = nullptr;   // a folder
  };
  const Case cases[] = {
      // The newest first; that of unknown version was installed by hand.
      {"unknown/bin/clangd"},
      {"two/bin/clangd", nullptr, "two/lib/clang/18 two/lib/clang/19"},
      {"brew/bin/clangd", "../Cellar/llvm/20.1.0/bin/clangd", "brew/Cellar/llvm/20.1.0/lib/clang/20"},
      {"debian/bin/clangd-19", "../lib/llvm-19/bin/clangd"},
      {"fedora/bin/clangd", nullptr, "fedora/lib/clang/19 fedora/lib/clang/19.1.7"},
      {"released/clangd_18.1.3/bin/clangd", nullptr, "released/clangd_18.1.3/lib/clang/18"},
      {"debian/bin/clangd", "clangd-14"},
      {"debian/bin/clangd-14", "../lib/llvm-14/bin/clangd", "debian/lib/llvm-14/lib/clang/14.0.6"},
      {"other/bin/clangd", "clangd-13"},
      {"other/bin/clangd-13"},
      {"other/bin/clangd-9"},
  };
  std::string path;
  Paths expected;
  for (const Case& c : cases) {
    const std::filesystem::path parent = std::filesystem::path(c.program).parent_path();
    for (const std::string_view headers : split(c.headers == nullptr ? "" : c.headers, ' '))
      folder.make_folder(std::string(headers));
    folder.make_folder(parent.string());
    if (c.links_to == nullptr) {
      write_program(folder, c.program);
    } else {
      if (std::string_view(c.links_to).starts_with(".."))
        write_program(folder, (parent / c.links_to).lexically_normal().string());
      folder.link(c.program, c.links_to);
    }
    expected.push_back(folder.path(c.program));
    if (path.find(folder.path(parent.string()) + ":") == path.npos)
      path += folder.path(parent.string()) + ":";
  }
  for (const char* const name : {"clang", "clangd-", "clangd-x", "clangd-19.1", "clangd-19-old",
                                 "clangd.real", "xclangd", "clangd-99999999999999999999", "clangd--1"})
    write_program(folder, std::string("other/bin/") + name);
  CHECK(find_clangds(path, no_project).found == expected);
  CHECK(find_clangds(".:" + path, ProjectBoundary(folder.path(), false)).forbidden.size() == expected.size());
}

}  // namespace program_search_test
}  // namespace symbols::servers
