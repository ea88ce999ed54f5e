#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdint>
#include <initializer_list>

#include "base/text.h"
#include "proxy/servers/trust_boundary.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::servers {
namespace writable_by_others_test {

constexpr uid_t nobody = 65534;

// /srv/tools/program and what is on the way to it, each this user's and not to be written by others.
struct Way : TemporaryFolder {
  Way() {
    write("srv/tools/program");
    for (const char* one : {"", "srv", "srv/tools", "srv/tools/program"}) set_mode(one, 0755);
  }
  void set_mode(const std::string& inside, mode_t mode) const {
    REQUIRE(::chmod(path(inside).c_str(), mode) == 0);
  }
  // Changes it: "0777:srv" sets a mode; "user:srv", "group:srv" and "stranger:srv" make it another user's or
  // group's, or one of a group that is in no file, for which one has to be root; "moved" puts a link to
  // /elsewhere in the place of /srv/tools; "gone" removes the program, and "loop" makes it a link to itself.
  void change(std::string_view step) const {
    const std::string what(step.substr(0, step.find(':')));
    const std::string inside(step.substr(std::min(what.size() + 1, step.size())));
    const auto own = [&](uid_t user, gid_t group) {
      REQUIRE(::lchown(path(inside).c_str(), user, group) == 0);
    };
    if (what == "moved") {
      std::filesystem::rename(path("srv/tools"), path("elsewhere"));
      link("srv/tools", "../elsewhere");
    } else if (what == "gone" || what == "loop") {
      std::filesystem::remove(path("srv/tools/program"));
      if (what == "loop") link("srv/tools/program", "program");
    } else if (what == "user") {
      own(nobody, 0);
    } else if (what == "group" || what == "stranger") {
      own(0, what == "group" ? nobody : 123456789);
    } else {
      set_mode(inside, static_cast<mode_t>(std::stoul(what, nullptr, 8)));
    }
  }
  std::string reason(const std::string& inside = "srv/tools/program") const {
    const std::string text = writable_by_others(path(inside)).value_or("");
    return text.starts_with(path()) ? text.substr(path().size()) : text;
  }
};

struct Case {
  const char* steps;   // separated by spaces
  const char* reason;  // empty: nobody else can write there
};

void check(std::initializer_list<Case> cases) {
  for (const Case& c : cases) {
    CAPTURE(c.steps);
    const Way way;
    for (const std::string_view step : split(c.steps, ' ')) way.change(step);
    CHECK(way.reason() == c.reason);
  }
}

TEST_CASE("who else may write: modes and links") {
  check({
      {"", ""},
      {"0757:srv/tools/program", "/srv/tools/program may be changed by other users"},
      {"0777:srv/tools", "/srv/tools may be changed by other users"},
      {"0777:srv", "/srv may be changed by other users"},
      {"01777:srv", ""},  // the entries are their owners'
      {"01777:srv/tools/program", "/srv/tools/program may be changed by other users"},
      {"moved", ""},
      {"moved 0777:elsewhere", "/elsewhere may be changed by other users"},
      {"moved 0777:srv", "/srv may be changed by other users"},
      {"loop", "/srv/tools/program is a link that leads nowhere"},
      {"gone", "/srv/tools/program: No such file or directory"},
  });
  const Way way;
  CHECK(way.reason("srv/../srv/./tools//program") == "");
  CHECK_FALSE(writable_by_others("/").has_value());
}

TEST_CASE("who else may write: owners and groups" * doctest::skip(::geteuid() != 0)) {
  check({
      {"user:srv/tools/program", "/srv/tools/program belongs to user 65534"},
      {"user:srv", "/srv belongs to user 65534"},
      {"01777:srv user:srv/tools", "/srv/tools belongs to user 65534"},
      // What it leads to is this user's: a project, perhaps.
      {"moved user:srv/tools", "/srv/tools belongs to user 65534"},
      {"0775:srv/tools", ""},  // root's, which has no other members
      {"stranger:srv/tools 0775:srv/tools", "/srv/tools may be changed by other users"},
      {"group:srv/tools 0775:srv/tools", "/srv/tools may be changed by other users"},
      {"group:srv/tools 0755:srv/tools", ""},
  });
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

}  // namespace writable_by_others_test
}  // namespace symbols::servers
