#include "proxy/process/confinement.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <functional>
#include <string>

#include "tests/proxy/process/confined_attempt.h"
#include "tests/proxy/process/kernel_facts.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::process {
namespace {

// Whether there is nothing to test; the program has to see the same.
bool skipped() {
  const bool whole = kernel_landlock() > 0 && kernel_has_filters();
  CHECK(confinement_error().has_value() == !whole);
  if (whole) return false;
  MESSAGE("skipped: this kernel has not both of Landlock and seccomp");
  return true;
}

TEST_CASE("a confinement has both parts") {
  if (skipped()) return;
  TemporaryFolder place;
  place.make_folder("made");
  place.write("keys", "mine");
  const Result<Confinement> confinement = Confinement::prepare({place.path("made")});
  REQUIRE(confinement.has_value());
  const std::string keys = place.path("keys");
  const auto opens = [&](const std::string& path) {
    return ::open(path.c_str(), O_WRONLY | O_CREAT, 0600) >= 0;
  };
  CHECK(confined_attempt(*confinement, [&] { return opens(keys); }) == EACCES);
  CHECK(confined_attempt(*confinement, [&] { return opens(place.path("made/new")); }) == 0);
  CHECK(confined_attempt(*confinement, [&] { return ::chmod(keys.c_str(), 0666) == 0; }) == EPERM);
  CHECK(confined_attempt(*confinement, [] { return ::socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }) == EACCES);
}

// One capability in one of the sets of this process.
bool raises(std::uint32_t capability, std::uint32_t __user_cap_data_struct::*set) {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {};
  if (::syscall(SYS_capget, &header, sets) != 0) return false;
  sets[0].*set |= 1U << capability;
  return ::syscall(SYS_capset, &header, sets) == 0;
}
bool lowers(std::uint32_t capability) {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {};
  if (::syscall(SYS_capget, &header, sets) != 0) return false;
  sets[0].permitted &= ~(1U << capability);
  sets[0].effective &= ~(1U << capability);
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
      {"without CAP_SETPCAP", [] { return lowers(CAP_SETPCAP); }},
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
  const Result<Confinement> confinement = Confinement::prepare({place.path("made")});
  REQUIRE(confinement.has_value());
  const auto opens = [](const std::string& path, int flags) {
    return ::open(path.c_str(), flags, 0600) >= 0;
  };
  CHECK(confined_attempt(*confinement, [&] { return opens(source, O_RDONLY); }) == 0);
  CHECK(confined_attempt(*confinement, [&] { return opens(home, O_RDONLY | O_DIRECTORY); }) == 0);
  CHECK(confined_attempt(*confinement, [&] { return opens(source, O_WRONLY); }) == EACCES);
  CHECK(confined_attempt(*confinement, [&] { return opens(place.path("made/new"), O_WRONLY | O_CREAT); }) ==
        0);
}

}  // namespace
}  // namespace symbols::process
