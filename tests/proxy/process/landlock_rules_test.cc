#include "proxy/process/landlock_rules.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>

#include "tests/proxy/process/confined_attempt.h"
#include "tests/proxy/process/kernel_facts.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::process {
namespace {

// What `attempt` comes to in a process that may write only to `folders`: 0, or errno.
int confined(const std::vector<std::string>& folders, const std::function<bool()>& attempt) {
  const Result<LandlockRules> rules = LandlockRules::prepare(folders);
  REQUIRE(rules.has_value());
  return confined_attempt(*rules, attempt);
}

bool opens(const std::string& path, int flags) {
  return ::open(path.c_str(), flags, 0600) >= 0;
}

// Whether there is nothing to test; the program has to see the same.
bool skipped() {
  CHECK(landlock_version() == kernel_landlock());
  if (kernel_landlock() > 0) return false;
  MESSAGE("skipped: this kernel has no Landlock");
  return true;
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
      {"append", [&] { return opens(home + "keys", O_WRONLY | O_APPEND); }, EACCES},
      {"write by a link", [&] { return opens(made + "link", O_WRONLY); }, EACCES},
      {"write by ..", [&] { return opens(made + "../home/keys", O_WRONLY); }, EACCES},
      {"create", [&] { return opens(home + "new", O_WRONLY | O_CREAT); }, EACCES},
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
      {"link within", [&] { return ::link((made + "new").c_str(), (made + "sub/new").c_str()) == 0; }, 0},
      {"remove within", [&] { return ::unlink((made + "new").c_str()) == 0; }, 0},
      {"write to /dev/null", [&] { return opens("/dev/null", O_RDWR); }, 0},
  };
  for (const Case& each : cases) {
    CAPTURE(each.what);
    CHECK(confined({place.path("made")}, each.attempt) == each.error);
  }
  // Since Landlock's third version (Linux 6.2). The fourth mode of access, besides reading, writing and both,
  // gives neither and truncates.
  const int truncated = kernel_landlock() >= 3 ? EACCES : 0;
  const std::function<bool()> truncations[] = {
      [&] { return ::truncate((home + "keys").c_str(), 4) == 0; },
      [&] { return opens(home + "keys", O_RDONLY | O_TRUNC); },
      [&] { return opens(home + "keys", 3 | O_TRUNC); },
  };
  for (const std::function<bool()>& attempt : truncations)
    CHECK(confined({place.path("made")}, attempt) == truncated);
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
  const Result<LandlockRules> wider = LandlockRules::prepare({place.path()});
  REQUIRE(wider.has_value());
  CHECK(confined({place.path("made")}, [&] { return wider->apply() == 0 && opens(keys, O_WRONLY); }) ==
        EACCES);
  CHECK(confined({place.path("made")}, [&] {
          ::execl("/bin/sh", "sh", "-c", "! echo hostile 2>/dev/null >\"$0\"", keys.c_str(), nullptr);
          return false;
        }) == 0);
}

TEST_CASE("a confined process reaches no process outside, but those that it starts") {
  if (skipped()) return;
  if (kernel_landlock() < 6) {
    MESSAGE("skipped: before Linux 6.12 signals are not refused");
    return;
  }
  const pid_t other = ::fork();
  if (other == 0) {
    ::pause();
    ::_exit(0);
  }
  const std::string memory = "/proc/" + std::to_string(other) + "/mem";
  CHECK(confined({}, [&] { return ::kill(other, SIGTERM) == 0; }) == EPERM);
  CHECK(confined({}, [&] { return ::kill(other, 0) == 0; }) == EPERM);
  CHECK(confined({}, [&] { return opens(memory, O_RDONLY); }) == EACCES);
  CHECK(confined({}, [&] {
          const pid_t own = ::fork();
          if (own == 0) {
            ::pause();
            ::_exit(0);
          }
          return ::kill(own, SIGKILL) == 0 && ::waitpid(own, nullptr, 0) == own;
        }) == 0);
  ::kill(other, SIGKILL);
  ::waitpid(other, nullptr, 0);
}

TEST_CASE("a missing folder is an error") {
  if (skipped()) return;
  const Result<LandlockRules> confinement = LandlockRules::prepare({"/nonexistent/\n"});
  REQUIRE_FALSE(confinement.has_value());
  CHECK(confinement.error().message ==
        R"(cannot let it write to "/nonexistent/\n": No such file or directory)");
}

}  // namespace
}  // namespace symbols::process
