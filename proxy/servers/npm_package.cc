#include "proxy/servers/npm_package.h"

#include "base/text.h"
#include "lsp/json/json_document.h"
#include "proxy/files/project_root.h"
#include "proxy/files/regular_file.h"
#include "proxy/files/writable_by_others.h"

namespace symbols::servers {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_package_json = std::size_t{1} << 20;
// From a program up to its package: none known keeps its programs deeper.
constexpr int max_depth = 6;

}  // namespace

int NpmPackage::major_version() const {
  return leading_number(version).value_or(0);
}

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
  std::error_code error;
  for (fs::path folder = package.folder;; folder = folder.parent_path()) {
    if (folder.filename() != "node_modules") {
      const fs::path packages = folder / "node_modules";
      fs::path candidate = packages / name;
      // The packages above those that it was installed with may be anybody's: /tmp/node_modules.
      const bool is_beside = folder == package.folder || files::contains(packages, package.folder);
      if (fs::is_directory(candidate, error) && (is_beside || !files::writable_by_others(candidate)))
        return candidate;
    }
    if (folder == folder.parent_path()) return {};
  }
}

}  // namespace symbols::servers
