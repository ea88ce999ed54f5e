#include "proxy/setup/setup_list.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <vector>

#include "lsp/unicode.h"
#include "proxy/setup/setup_plan.h"
#include "proxy/setup/setup_targets.h"
#include "table/escape.h"

namespace symbols::setup {
namespace {

namespace fs = std::filesystem;

// A path as people write it.
std::string shown(const fs::path& path, const files::UserFolders& folders) {
  std::string text = path.string();
  const std::string home = folders.home.string() + "/";
  if (home.size() > 1 && text.starts_with(home)) text = "~/" + text.substr(home.size());
  return table::terminal_text(text);
}

}  // namespace

std::string setup_list(const files::UserFolders& folders) {
  std::vector<std::array<std::string, 3>> rows{{"NAME", "FILE OR FOLDER", "EXISTS"}};
  for (const SetupTarget& target : setup_targets()) {
    const Result<SetupPaths> paths = setup_paths(target, folders, {});
    if (target.pieces.empty() || !paths) {
      rows.push_back({setup_words(target), "-", paths ? "nothing to write" : paths.error().message});
      continue;
    }
    const fs::path& path = paths->configuration.empty() ? paths->own_folder : paths->configuration;
    std::error_code unknown;
    rows.push_back({setup_words(target), shown(path, folders), fs::exists(path, unknown) ? "yes" : "no"});
  }
  std::array<std::size_t, 2> widths{};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i)
      widths[i] = std::max(widths[i], lsp::scalar_count(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      text += row[i];
      text.append(widths[i] + 2 - lsp::scalar_count(row[i]), ' ');
    }
    text += row[2] + "\n";
  }
  return text;
}

}  // namespace symbols::setup
