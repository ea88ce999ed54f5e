// Programs that come as npm packages: a package.json tells their version without running anything, and what
// they need is in a node_modules folder beside or above them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/filesystem.h"
#include "proxy/servers/program_search.h"

namespace symbols::servers {

struct NpmPackage {
  fs::path folder;      // canonical
  std::string name;     // "typescript", "@scope/name"
  std::string version;  // "7.0.2"
};

// The package whose package.json is in `folder`; none if there is no such file with a name and a version.
std::optional<NpmPackage> read_npm_package(const fs::path& folder);

// The package that `program` belongs to, its symbolic links followed (npm puts links into a `bin` folder);
// none for a program that is not in one.
std::optional<NpmPackage> npm_package_of(const fs::path& program);

// The folder of the package `name` as Node would find it from `package`: in a node_modules folder in it,
// beside it or above it. One above the packages that `package` was installed with, such as /tmp/node_modules,
// counts only if other users cannot write to it (writable_by_others()). Empty if there is none.
fs::path resolve_npm_package(const NpmPackage& package, std::string_view name);

// Two generations of TypeScript: 7 is a native program inside an npm package and a language server itself; 5
// and 6 are JavaScript that typescript-language-server runs, by default the copy in the project.
struct NativeTypescript {
  fs::path program;                 // empty if there is none
  std::vector<fs::path> forbidden;  // those inside the untrusted project
  std::string broken;               // why a TypeScript 7 that is there cannot be run; empty otherwise
};

// TypeScript 7's native program: that of a `tsc` on the PATH whose package has version 7 or later, else of
// our own installs (called typescript7 there, since typescript is version 5).
NativeTypescript find_native_typescript(const std::string& path, const std::vector<fs::path>& own_installs,
                                        const ProjectBoundary& boundary);

// lib/tsserver.js of a TypeScript before 7: of our own installs, else of a `tsserver` or `tsc` on the PATH,
// else the one that `language_server` (typescript-language-server's program) was installed beside, or empty.
fs::path find_tsserver(const std::string& path, const std::vector<fs::path>& own_installs,
                       const fs::path& language_server, const ProjectBoundary& boundary);

}  // namespace symbols::servers
