#include "proxy/process/confinement.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "tests/proxy/process/confined_attempt.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::process {
namespace {

TEST_CASE("a confinement has both parts") {
  if (!missing_for_confinement().empty()) {
    MESSAGE("skipped: " << confinement_error()->text());
    return;
  }
  CHECK_FALSE(confinement_error().has_value());
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
  // As root it would have CAP_SYS_ADMIN (21) and all others.
  CHECK(confined_attempt(*confinement, [] {
          ::execl("/bin/sh", "sh", "-c", "grep -Eq '^CapEff:\\s0{15}[0246]$' /proc/self/status", nullptr);
          return false;
        }) == 0);
}

}  // namespace
}  // namespace symbols::process
