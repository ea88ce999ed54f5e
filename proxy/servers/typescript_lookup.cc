#include "proxy/servers/typescript_lookup.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "proxy/servers/npm_package.h"

namespace symbols::servers {
namespace {

namespace fs = std::filesystem;

constexpr int first_native_version = 7;

// This machine as Node calls it (process.platform, process.arch), of those that TypeScript 7 is built for.
#if defined(__APPLE__)
constexpr std::string_view platform = "darwin";
#else
constexpr std::string_view platform = "linux";
#endif
#if defined(__aarch64__)
constexpr std::string_view architecture = "arm64";
#elif defined(__arm__)
constexpr std::string_view architecture = "arm";
#else
constexpr std::string_view architecture = "x64";
#endif

bool is_native_typescript(const NpmPackage& package) {
  return (package.name == "typescript" && package.major_version() >= first_native_version) ||
         package.name == "@typescript/native-preview";
}

std::string native_package_name(const NpmPackage& package) {
  const std::string_view base = package.name == "typescript" ? "typescript" : "native-preview";
  return fmt::format("@typescript/{}-{}-{}", base, platform, architecture);
}

// The package's own program is a script that needs Node to find and start the native one, so it is found
// here.
fs::path native_program(const NpmPackage& package) {
  const fs::path folder = resolve_npm_package(package, native_package_name(package));
  if (folder.empty()) return {};
  fs::path program = folder / "lib" / (package.name == "typescript" ? "tsc" : "tsgo");
  return is_program(program) ? program : fs::path();
}

// Whether `package` settles the search.
bool take(NativeTypescript& result, const NpmPackage& package, const ProjectBoundary* boundary) {
  if (!is_native_typescript(package)) return false;
  const fs::path program = native_program(package);
  if (program.empty()) {
    result.broken = fmt::format("TypeScript {} in {} lacks its package {}", package.version,
                                package.folder.string(), native_package_name(package));
    return false;
  }
  if (boundary != nullptr && boundary->forbids(program)) {
    result.forbidden.push_back(program);
    return false;
  }
  result.program = program;
  return true;
}

bool take_from_path(NativeTypescript& result, std::string_view name, const std::string& path,
                    const ProjectBoundary& boundary) {
  const ProgramSearch search = find_programs(name, path, boundary);
  for (const fs::path& program : search.found) {
    const std::optional<NpmPackage> package = npm_package_of(program);
    if (package && take(result, *package, &boundary)) return true;
    if (!package && name == "tsgo" && interpreter_of(program).empty()) {  // built from source: native itself
      result.program = program;
      return true;
    }
  }
  for (const fs::path& program : search.forbidden) {
    const std::optional<NpmPackage> package = npm_package_of(program);
    if (!package || is_native_typescript(*package)) result.forbidden.push_back(program);
  }
  return false;
}

fs::path tsserver_in(const fs::path& package_folder) {
  std::error_code error;
  const std::optional<NpmPackage> package = read_npm_package(package_folder);
  if (!package || package->name != "typescript") return {};
  fs::path script = package->folder / "lib" / "tsserver.js";
  return fs::is_regular_file(script, error) ? script : fs::path();
}

}  // namespace

NativeTypescript find_native_typescript(const std::string& path, const std::vector<fs::path>& own_installs,
                                        const ProjectBoundary& boundary) {
  NativeTypescript result;
  if (take_from_path(result, "tsc", path, boundary)) return result;
  for (const fs::path& install : own_installs) {
    for (const std::string_view name : {"typescript7", "typescript"}) {
      const std::optional<NpmPackage> package = read_npm_package(install / "node_modules" / name);
      if (package && take(result, *package, nullptr)) return result;
    }
  }
  take_from_path(result, "tsgo", path, boundary);
  return result;
}

fs::path find_tsserver(const std::string& path, const std::vector<fs::path>& own_installs,
                       const fs::path& language_server, const ProjectBoundary& boundary) {
  for (const fs::path& install : own_installs) {
    if (fs::path script = tsserver_in(install / "node_modules" / "typescript"); !script.empty())
      return script;
  }
  for (const std::string_view name : {"tsserver", "tsc"}) {
    for (const fs::path& program : find_programs(name, path, boundary).found) {
      const std::optional<NpmPackage> package = npm_package_of(program);
      if (!package) continue;
      fs::path script = tsserver_in(package->folder);
      if (!script.empty() && !boundary.forbids(script)) return script;
    }
  }
  if (const std::optional<NpmPackage> server = npm_package_of(language_server)) {
    const fs::path folder = resolve_npm_package(*server, "typescript");
    fs::path script = folder.empty() ? fs::path() : tsserver_in(folder);
    if (!script.empty() && !boundary.forbids(script)) return script;
  }
  return {};
}

}  // namespace symbols::servers
