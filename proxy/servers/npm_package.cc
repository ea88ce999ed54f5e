#include "proxy/servers/npm_package.h"

#include <fmt/format.h>

#include "base/text.h"
#include "lsp/json/json_document.h"
#include "proxy/files/project_root.h"
#include "proxy/files/regular_file.h"

namespace symbols::servers {
namespace {

constexpr std::size_t max_package_json = std::size_t{1} << 20;
// From a program up to its package: none known keeps its programs deeper.
constexpr int max_depth = 6;

constexpr int first_native_version = 7;

// This machine as Node calls it (process.arch), of those that TypeScript 7 is built for.
#if defined(__aarch64__)
constexpr std::string_view architecture = "arm64";
#elif defined(__arm__)
constexpr std::string_view architecture = "arm";
#else
constexpr std::string_view architecture = "x64";
#endif

bool is_native_typescript(const NpmPackage& package) {
  return package.name == "typescript" && leading_number(package.version) >= first_native_version;
}

fs::path tsserver_in(const fs::path& package_folder) {
  const std::optional<NpmPackage> package = read_npm_package(package_folder);
  if (!package || package->name != "typescript") return {};
  fs::path script = package->folder / "lib" / "tsserver.js";
  return files::is_file(script) ? script : fs::path();
}

}  // namespace

std::optional<NpmPackage> read_npm_package(const fs::path& folder) {
  std::error_code error;
  const fs::path canonical = fs::canonical(folder, error);
  if (error) return {};
  const Result<std::string> text =
      files::read_regular_file((canonical / "package.json").string(), max_package_json);
  if (!text) return {};
  const Result<rapidjson::Document> document = lsp::parse_json(*text);
  if (!document) return {};
  NpmPackage package{canonical, lsp::text_member(*document, "name"), lsp::text_member(*document, "version")};
  if (package.name.empty() || package.version.empty()) return {};
  return package;
}

std::optional<NpmPackage> npm_package_of(const fs::path& program) {
  std::error_code error;
  fs::path folder = fs::canonical(program, error);
  if (error) return {};
  for (int depth = 0; depth < max_depth; ++depth) {
    if (folder == folder.parent_path()) break;
    folder = folder.parent_path();
    if (folder.filename() == "node_modules") break;
    // A package.json without a name only tells Node how to read the folder's modules.
    if (std::optional<NpmPackage> package = read_npm_package(folder)) return package;
  }
  return {};
}

fs::path resolve_npm_package(const NpmPackage& package, std::string_view name) {
  for (fs::path folder = package.folder;; folder = folder.parent_path()) {
    if (folder.filename() != "node_modules") {
      const fs::path packages = folder / "node_modules";
      fs::path candidate = packages / name;
      // The packages above those that it was installed with may be anybody's: /tmp/node_modules.
      const bool is_beside = folder == package.folder || files::contains(packages, package.folder);
      if (files::is_folder(candidate) && (is_beside || !writable_by_others(candidate))) return candidate;
    }
    if (folder == folder.parent_path()) return {};
  }
}

NativeTypescript find_native_typescript(const std::string& path, const std::vector<fs::path>& own_installs,
                                        const ProjectBoundary& boundary) {
  NativeTypescript result;
  std::vector<NpmPackage> packages;
  const auto add = [&packages](const std::optional<NpmPackage>& package) {
    if (package && is_native_typescript(*package)) packages.push_back(*package);
  };
  const ProgramSearch search = find_programs("tsc", path, boundary);
  for (const fs::path& program : search.found) add(npm_package_of(program));
  const std::size_t on_path = packages.size();  // ours follow
  for (const fs::path& install : own_installs) {
    for (const std::string_view name : {"typescript7", "typescript"})
      add(read_npm_package(install / "node_modules" / name));
  }
  for (std::size_t i = 0; i < packages.size(); ++i) {
    // The package's own program is a script that needs Node to find and start the native one.
    const std::string native = fmt::format("@typescript/typescript-linux-{}", architecture);
    const fs::path folder = resolve_npm_package(packages[i], native);
    const fs::path program = folder / "lib" / "tsc";
    if (folder.empty() || !is_program(program)) {
      result.broken = fmt::format("TypeScript {} in {} lacks its package {}", packages[i].version,
                                  packages[i].folder.string(), native);
    } else if (i < on_path && boundary.forbids(program)) {
      result.forbidden.push_back(program);
    } else {
      result.program = program;
      return result;
    }
  }
  for (const fs::path& program : search.forbidden) {
    const std::optional<NpmPackage> package = npm_package_of(program);
    if (!package || is_native_typescript(*package)) result.forbidden.push_back(program);
  }
  return result;
}

fs::path find_tsserver(const std::string& path, const std::vector<fs::path>& own_installs,
                       const fs::path& language_server, const ProjectBoundary& boundary) {
  for (const fs::path& install : own_installs) {
    if (fs::path script = tsserver_in(install / "node_modules" / "typescript"); !script.empty())
      return script;
  }
  std::vector<fs::path> packages;
  for (const std::string_view name : {"tsserver", "tsc"}) {
    for (const fs::path& program : find_programs(name, path, boundary).found) {
      if (const auto package = npm_package_of(program)) packages.push_back(package->folder);
    }
  }
  if (const auto server = npm_package_of(language_server))
    packages.push_back(resolve_npm_package(*server, "typescript"));
  for (const fs::path& package : packages) {
    fs::path script = tsserver_in(package);
    if (!script.empty() && !boundary.forbids(script)) return script;
  }
  return {};
}

}  // namespace symbols::servers
