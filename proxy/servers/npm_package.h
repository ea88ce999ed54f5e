// Programs that come as npm packages: a package.json tells their version without running anything, and what
// they need is in a node_modules folder beside or above them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace symbols::servers {

struct NpmPackage {
  std::filesystem::path folder;  // canonical
  std::string name;              // "typescript", "@scope/name"
  std::string version;           // "7.0.2"

  // The first number of the version; 0 if there is none.
  int major_version() const;
};

// The package whose package.json is in `folder`; none if there is no such file with a name and a version.
std::optional<NpmPackage> read_npm_package(const std::filesystem::path& folder);

// The package that `program` belongs to, its symbolic links followed (npm puts links into a `bin` folder);
// none for a program that is not in one.
std::optional<NpmPackage> npm_package_of(const std::filesystem::path& program);

// The folder of the package `name` as Node would find it from `package`: in a node_modules folder in it,
// beside it or above it. One above the packages that `package` was installed with, such as /tmp/node_modules,
// counts only if other users cannot write to it (files/writable_by_others.h). Empty if there is none.
std::filesystem::path resolve_npm_package(const NpmPackage& package, std::string_view name);

}  // namespace symbols::servers
