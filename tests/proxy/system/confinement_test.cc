#include "proxy/system/confinement.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>

#include "tests/proxy/system/confined_attempt.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::system {
namespace confinement_test {

// Whether there is nothing to test; the program has to see the same.
bool skipped() {
  const bool whole = kernel_landlock() > 0 && kernel_has_filters();
  CHECK(landlock_version() == kernel_landlock());
  CHECK(confinement_error().has_value() == !whole);
  if (whole) return false;
  MESSAGE("skipped: this kernel has not both of Landlock and seccomp");
  return true;
}

// What `attempt` comes to in a process that may write only to `folders`: 0, or errno.
int confined(const std::vector<std::string>& folders, const std::function<bool()>& attempt) {
  const Result<Confinement> confinement = Confinement::prepare(folders);
  REQUIRE(confinement.has_value());
  return confined_attempt(*confinement, attempt);
}

bool opens(const std::string& path, int flags) {
  return ::open(path.c_str(), flags, 0600) >= 0;
}

TEST_CASE("a confined process changes nothing outside of its folder") {
  if (skipped()) return;
  TemporaryFolder place;
  place.write("home/keys", "mine");
  place.make_folder("home/empty");
  place.make_folder("home/sub");
  place.make_folder("made/sub");
  place.write("made/file", "theirs");
  place.link("made/link", place.path("home/keys"));
  const std::string home = place.path("home/");
  const std::string made = place.path("made/");

  struct Case {
    const char* what;
    std::function<bool()> attempt;
    int error;
  };
  const Case cases[] = {
      {"read", [&] { return opens(home + "keys", O_RDONLY); }, 0},
      {"write", [&] { return opens(home + "keys", O_WRONLY); }, EACCES},
      {"write by a link", [&] { return opens(made + "link", O_WRONLY); }, EACCES},
      {"write by ..", [&] { return opens(made + "../home/keys", O_WRONLY); }, EACCES},
      {"create", [&] { return opens(home + "new", O_WRONLY | O_CREAT); }, EACCES},
      {"truncate", [&] { return ::truncate((home + "keys").c_str(), 4) == 0; }, EACCES},
      {"read and truncate", [&] { return opens(home + "keys", O_RDONLY | O_TRUNC); }, EACCES},
      // The fourth mode of access, besides reading, writing and both, gives neither and truncates.
      {"truncate without either", [&] { return opens(home + "keys", 3 | O_TRUNC); }, EACCES},
      {"remove", [&] { return ::unlink((home + "keys").c_str()) == 0; }, EACCES},
      {"remove a folder", [&] { return ::rmdir((home + "empty").c_str()) == 0; }, EACCES},
      {"make a folder", [&] { return ::mkdir((home + "new").c_str(), 0700) == 0; }, EACCES},
      {"make a symbolic link", [&] { return ::symlink("/", (home + "new").c_str()) == 0; }, EACCES},
      {"make a pipe", [&] { return ::mkfifo((home + "new").c_str(), 0600) == 0; }, EACCES},
      {"rename", [&] { return ::rename((home + "keys").c_str(), (home + "new").c_str()) == 0; }, EACCES},
      {"rename over", [&] { return ::rename((made + "file").c_str(), (home + "keys").c_str()) == 0; },
       EACCES},
      // Would give it a name within the folder, and with that make it writable.
      {"link in", [&] { return ::link((home + "keys").c_str(), (made + "new").c_str()) == 0; }, EXDEV},
      {"move in", [&] { return ::rename((home + "keys").c_str(), (made + "new").c_str()) == 0; }, EACCES},

      {"create within", [&] { return opens(made + "new", O_WRONLY | O_CREAT); }, 0},
      {"truncate within", [&] { return ::truncate((made + "file").c_str(), 0) == 0; }, 0},
      {"rename within", [&] { return ::rename((made + "file").c_str(), (made + "sub/file").c_str()) == 0; },
       0},
      {"change its mode", [&] { return ::chmod((home + "keys").c_str(), 0666) == 0; }, EPERM},
      {"link within", [&] { return ::link((made + "new").c_str(), (made + "sub/new").c_str()) == 0; }, 0},
      {"remove within", [&] { return ::unlink((made + "new").c_str()) == 0; }, 0},
      {"write to /dev/null", [&] { return opens("/dev/null", O_RDWR); }, 0},
  };
  for (const Case& each : cases) {
    CAPTURE(each.what);
    CHECK(confined({place.path("made")}, each.attempt) == each.error);
  }
  if (::geteuid() == 0) {
    CHECK(confined({place.path("made")}, [&] {
            return ::mknod((made + "disk").c_str(), S_IFBLK | 0600, makedev(1, 0)) == 0;
          }) == EACCES);
  }
}

// Whoever reads a terminal takes what its user types.
TEST_CASE("a confined process reads files and sources of bytes, but no other device") {
  if (skipped()) return;
  const Descriptor terminal(::posix_openpt(O_RDWR | O_NOCTTY));
  REQUIRE(terminal);
  REQUIRE(::grantpt(terminal.get()) == 0);
  REQUIRE(::unlockpt(terminal.get()) == 0);
  const std::string name = ::ptsname(terminal.get());
  REQUIRE(Descriptor(::open(name.c_str(), O_RDONLY | O_NOCTTY)));
  for (const auto& [path, error] : {std::pair{name.c_str(), EACCES},
                                    {"/dev/ptmx", EACCES},
                                    {"/dev/null", 0},
                                    {"/dev/urandom", 0},
                                    {"/etc/passwd", 0},
                                    {"/proc/self/status", 0}}) {
    CAPTURE(path);
    CHECK(confined({}, [&, path = path] { return opens(path, O_RDONLY | O_NOCTTY); }) == error);
  }
}

TEST_CASE("neither a confined process nor its children can undo the confinement") {
  if (skipped()) return;
  TemporaryFolder place;
  place.write("home/keys", "mine");
  const std::string keys = place.path("home/keys");
  place.make_folder("made");
  const Result<Confinement> wider = Confinement::prepare({place.path()});
  REQUIRE(wider.has_value());
  CHECK(confined({place.path("made")}, [&] { return wider->apply() == 0 && opens(keys, O_WRONLY); }) ==
        EACCES);
  CHECK(confined({place.path("made")}, [&] {
          ::execl("/bin/sh", "sh", "-c", "! echo hostile 2>/dev/null >\"$0\"", keys.c_str(), nullptr);
          return false;
        }) == 0);
}

TEST_CASE("a missing folder is an error") {
  if (skipped()) return;
  const Result<Confinement> confinement = Confinement::prepare({"/nonexistent/\n"});
  REQUIRE_FALSE(confinement.has_value());
  CHECK(confinement.error().message ==
        R"(cannot let it write to "/nonexistent/\n": No such file or directory)");
}

// One capability in one of the sets of this process.
bool raises(std::uint32_t capability, std::uint32_t __user_cap_data_struct::*set) {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {};
  if (::syscall(SYS_capget, &header, sets) != 0) return false;
  sets[0].*set |= 1U << capability;
  return ::syscall(SYS_capset, &header, sets) == 0;
}
TEST_CASE("a confined program has no capabilities but that of reading every file") {
  if (skipped()) return;
  const Result<Confinement> confinement = Confinement::prepare({});
  REQUIRE(confinement.has_value());
  constexpr auto inheritable = &__user_cap_data_struct::inheritable;
  constexpr auto effective = &__user_cap_data_struct::effective;
  const auto ambient = [] {
    return raises(CAP_NET_RAW, inheritable) &&
           ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_NET_RAW, 0, 0) == 0;
  };
  struct Case {
    const char* what;
    std::function<bool()> prepare;
  };
  const Case cases[] = {
      {"as we are", [] { return true; }},
      {"inheritable", [] { return raises(CAP_SYS_ADMIN, inheritable); }},
      {"ambient", ambient},
      {"ambient of another user",
       [&] {
         return ::prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0 && ::setresuid(65534, 65534, 65534) == 0 &&
                raises(CAP_NET_RAW, effective) && ambient();
       }},
  };
  const std::function<bool()> has_none = [] {
    // Four sets in which only CAP_DAC_READ_SEARCH (2) may be.
    ::execl("/bin/sh", "sh", "-c",
            "test \"$(grep -Ec '^Cap(Inh|Prm|Eff|Amb):[[:space:]]*0{15}[04]$' /proc/self/status)\" = 4",
            nullptr);
    return false;
  };
  for (const Case& each : cases) {
    CAPTURE(each.what);
    if (confined_attempt(Prepared<Unconfined>{each.prepare, {}}, has_none) != 1) {
      MESSAGE("not shown: without the confinement there are no capabilities either, or they may not be set");
      continue;
    }
    CHECK(confined_attempt(Prepared<Confinement>{each.prepare, *confinement}, has_none) == 0);
  }
}

TEST_CASE("a confined server of root reads the folders of others, and writes to its own") {
  if (skipped()) return;
  if (::geteuid() != 0) {
    MESSAGE("skipped: not root");
    return;
  }
  TemporaryFolder place;
  place.write("home/source", "theirs");
  place.make_folder("made");
  const std::string home = place.path("home"), source = place.path("home/source");
  if (::chown(source.c_str(), 65534, 65534) != 0 || ::chown(home.c_str(), 65534, 65534) != 0 ||
      ::chmod(source.c_str(), 0600) != 0 || ::chmod(home.c_str(), 0700) != 0) {
    MESSAGE("skipped: root may not give files away here");
    return;
  }
  const auto attempt = [&](const std::string& path, int flags) {
    return confined({place.path("made")}, [&] { return opens(path, flags); });
  };
  CHECK(attempt(source, O_RDONLY) == 0);
  CHECK(attempt(home, O_RDONLY | O_DIRECTORY) == 0);
  CHECK(attempt(source, O_WRONLY) == EACCES);
  CHECK(attempt(place.path("made/new"), O_WRONLY | O_CREAT) == 0);
}

}  // namespace confinement_test
}  // namespace symbols::system
