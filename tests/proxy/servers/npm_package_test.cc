#include "proxy/servers/npm_package.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "tests/proxy/program_files.h"

namespace symbols::servers {
namespace npm_package_test {

TEST_CASE("the package that a program belongs to") {
  const TemporaryFolder folder;
  folder.write("package.json", R"({"name":"outer","version":"1.0.0"})");
  folder.write("node_modules/tool/package.json", R"({"name":"tool","version":"2.3.4"})");
  folder.write("node_modules/tool/dist/package.json", R"({"type":"module"})");
  write_program(folder, "node_modules/tool/dist/bin/cli.js");
  folder.write("node_modules/@scope/tool/package.json",
               R"({"name":"@scope/tool","version":"10.0.0-beta.1"})");
  write_program(folder, "node_modules/@scope/tool/cli.js");
  folder.write("node_modules/broken/package.json", R"({"name":"broken")");
  write_program(folder, "node_modules/broken/cli.js");
  folder.write("node_modules/odd/package.json", R"({"name":1,"version":{}})");
  write_program(folder, "node_modules/odd/cli.js");
  folder.make_folder("node_modules/.bin");
  folder.link("node_modules/.bin/tool", "../tool/dist/bin/cli.js");
  write_program(folder, "node_modules/.bin/plain");
  write_program(folder, "a/b/c/d/e/f/g/deep");

  struct Case {
    const char* program;
    const char* name;  // null: none
    const char* version;
  };
  const Case cases[] = {
      {"node_modules/tool/dist/bin/cli.js", "tool", "2.3.4"},
      {"node_modules/.bin/tool", "tool", "2.3.4"},
      {"node_modules/@scope/tool/cli.js", "@scope/tool", "10.0.0-beta.1"},
      {"node_modules/broken/cli.js", nullptr, ""},
      {"node_modules/odd/cli.js", nullptr, ""},
      {"node_modules/.bin/plain", nullptr, ""},  // not the outer package's, though it is in its node_modules
      {"a/b/c/d/e/f/g/deep", nullptr, ""},
      {"missing", nullptr, ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.program);
    const std::optional<NpmPackage> package = npm_package_of(folder.path(c.program));
    REQUIRE(package.has_value() == (c.name != nullptr));
    if (!package) continue;
    CHECK(package->name == c.name);
    CHECK(package->version == c.version);
  }
}

TEST_CASE("packages above those of an install count only if no other user may write there") {
  const TemporaryFolder folder;
  const auto package = [&folder](const std::string& inside) {
    folder.write(inside + "/package.json", R"({"name":"tool","version":"1.0.0"})");
    return read_npm_package(folder.path(inside)).value();
  };
  const NpmPackage installed = package("srv/node_modules/tool");
  const NpmPackage source = package("srv/packages/source");
  const std::string beside = folder.make_folder("srv/node_modules/@scope/beside");
  const std::string above = folder.make_folder("node_modules/above");
  const std::string own = folder.make_folder("srv/node_modules/tool/node_modules/own");
  CHECK(resolve_npm_package(installed, "own") == own);
  CHECK(resolve_npm_package(installed, "@scope/beside") == beside);
  CHECK(resolve_npm_package(installed, "above") == above);
  CHECK(resolve_npm_package(source, "@scope/beside") == beside);
  REQUIRE(::chmod(folder.path("node_modules").c_str(), 0777) == 0);
  REQUIRE(::chmod(folder.path("srv/node_modules").c_str(), 0777) == 0);
  CHECK(resolve_npm_package(installed, "own") == own);
  CHECK(resolve_npm_package(installed, "@scope/beside") == beside);
  CHECK(resolve_npm_package(installed, "above").empty());
  CHECK(resolve_npm_package(source, "@scope/beside").empty());
}

}  // namespace npm_package_test
}  // namespace symbols::servers
