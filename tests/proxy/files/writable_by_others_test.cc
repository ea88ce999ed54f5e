#include "proxy/files/writable_by_others.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdint>
#include <functional>

#include "tests/proxy/temporary_folder.h"

namespace symbols::files {
namespace {

// /srv/tools/program and what is on the way to it, each this user's and not to be written by others.
struct Way : TemporaryFolder {
  Way() {
    write("srv/tools/program");
    for (const char* one : {"", "srv", "srv/tools", "srv/tools/program"}) set_mode(one, 0755);
  }
  void set_mode(const std::string& inside, mode_t mode) const {
    REQUIRE(::chmod(path(inside).c_str(), mode) == 0);
  }
  // Needs root.
  void give(const std::string& inside, uid_t user, gid_t group = 0) const {
    REQUIRE(::lchown(path(inside).c_str(), user, group) == 0);
  }
  std::string reason(const std::string& inside = "srv/tools/program") const {
    const std::string text = writable_by_others(path(inside)).value_or("");
    return text.starts_with(path()) ? text.substr(path().size()) : text;
  }
};

constexpr uid_t nobody = 65534;

struct Case {
  const char* what;
  std::function<void(const Way&)> change;
  const char* reason;  // empty: nobody else can write there
};

void check(const Case& c) {
  CAPTURE(c.what);
  const Way way;
  c.change(way);
  CHECK(way.reason() == c.reason);
}

TEST_CASE("who else may write: modes and links") {
  const Case cases[] = {
      {"nobody", [](const Way&) {}, ""},
      {"all, to the file", [](const Way& way) { way.set_mode("srv/tools/program", 0757); },
       "/srv/tools/program may be changed by other users"},
      {"all, to its directory", [](const Way& way) { way.set_mode("srv/tools", 0777); },
       "/srv/tools may be changed by other users"},
      {"all, to one above", [](const Way& way) { way.set_mode("srv", 0777); },
       "/srv may be changed by other users"},
      {"all, but the entries are their owners'", [](const Way& way) { way.set_mode("srv", 01777); }, ""},
      {"the sticky bit of a file means nothing",
       [](const Way& way) { way.set_mode("srv/tools/program", 01777); },
       "/srv/tools/program may be changed by other users"},
      {"a link on the way",
       [](const Way& way) {
         std::filesystem::rename(way.path("srv/tools"), way.path("elsewhere"));
         way.link("srv/tools", "../elsewhere");
       },
       ""},
      {"all, to what a link leads to",
       [](const Way& way) {
         std::filesystem::rename(way.path("srv/tools"), way.path("elsewhere"));
         way.link("srv/tools", "../elsewhere");
         way.set_mode("elsewhere", 0777);
       },
       "/elsewhere may be changed by other users"},
      {"all, to where a link is",
       [](const Way& way) {
         std::filesystem::rename(way.path("srv/tools"), way.path("elsewhere"));
         way.link("srv/tools", way.path("elsewhere"));
         way.set_mode("srv", 0777);
       },
       "/srv may be changed by other users"},
      {"a link to itself",
       [](const Way& way) {
         std::filesystem::remove(way.path("srv/tools/program"));
         way.link("srv/tools/program", "program");
       },
       "/srv/tools/program is a link that leads nowhere"},
      {"nothing is there", [](const Way& way) { std::filesystem::remove(way.path("srv/tools/program")); },
       "/srv/tools/program: No such file or directory"},
  };
  for (const Case& c : cases) check(c);
  const Way way;
  CHECK(way.reason("srv/../srv/./tools//program") == "");
  CHECK_FALSE(writable_by_others("/").has_value());
}

TEST_CASE("who else may write: owners" * doctest::skip(::geteuid() != 0)) {
  const Case cases[] = {
      {"another's file", [](const Way& way) { way.give("srv/tools/program", nobody); },
       "/srv/tools/program belongs to user 65534"},
      {"another's directory", [](const Way& way) { way.give("srv", nobody); }, "/srv belongs to user 65534"},
      {"another's in a directory for all",
       [](const Way& way) {
         way.set_mode("srv", 01777);
         way.give("srv/tools", nobody);
       },
       "/srv/tools belongs to user 65534"},
      // What it leads to is this user's: a project, perhaps.
      {"another's link",
       [](const Way& way) {
         std::filesystem::rename(way.path("srv/tools"), way.path("elsewhere"));
         way.link("srv/tools", "../elsewhere");
         way.give("srv/tools", nobody);
       },
       "/srv/tools belongs to user 65534"},
  };
  for (const Case& c : cases) check(c);
}

TEST_CASE("who else may write: groups" * doctest::skip(::geteuid() != 0)) {
  const Case cases[] = {
      {"root's, which has no other members", [](const Way& way) { way.set_mode("srv/tools", 0775); }, ""},
      {"one that is in no file",
       [](const Way& way) {
         way.give("srv/tools", 0, 123456789);
         way.set_mode("srv/tools", 0775);
       },
       "/srv/tools may be changed by other users"},
      {"one that is somebody's first (nobody's own)",
       [](const Way& way) {
         way.give("srv/tools", 0, nobody);
         way.set_mode("srv/tools", 0775);
       },
       "/srv/tools may be changed by other users"},
      {"one that may only read",
       [](const Way& way) {
         way.give("srv/tools", 0, nobody);
         way.set_mode("srv/tools", 0755);
       },
       ""},
  };
  for (const Case& c : cases) check(c);
}

TEST_CASE("who else may write: an access control list") {
  const Way way;
  way.set_mode("srv/tools", 0775);
  // Version 2, and its entries of 8 bytes: tag, permissions, id. User 1001 may write.
  const auto entry = [](std::uint16_t tag, std::uint16_t permissions, std::uint32_t id) {
    std::string bytes(8, '\0');
    for (int i = 0; i < 2; ++i) {
      bytes[i] = static_cast<char>(tag >> (8 * i));
      bytes[2 + i] = static_cast<char>(permissions >> (8 * i));
    }
    for (int i = 0; i < 4; ++i) bytes[4 + i] = static_cast<char>(id >> (8 * i));
    return bytes;
  };
  constexpr std::uint32_t no_id = ~0U;
  const std::string list = std::string("\2\0\0\0", 4) + entry(1, 7, no_id) + entry(2, 7, 1001) +
                           entry(4, 5, no_id) + entry(16, 7, no_id) + entry(32, 5, no_id);
  if (::setxattr(way.path("srv/tools").c_str(), "system.posix_acl_access", list.data(), list.size(), 0) !=
      0) {
    MESSAGE("this file system has no access control lists");
    return;
  }
  CHECK(way.reason() == "/srv/tools may be changed by other users");
}

}  // namespace
}  // namespace symbols::files
