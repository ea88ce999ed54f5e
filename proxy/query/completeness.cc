#include "proxy/query/completeness.h"

#include <fmt/format.h>

#include "table/context_text.h"
#include "table/formats/table_format.h"

namespace symbols::query {
namespace {

std::string loading_word(const Loading& loading) {
  if (loading.percentage) {
    const bool is_index = loading.text.find("ndex") != std::string::npos;  // as servers call it
    return fmt::format("{} {} %", is_index ? "index" : "loading", *loading.percentage);
  }
  std::string word = "still loading";
  if (!loading.text.empty()) table::table_cell_escape.append(word += ": ", loading.text);
  return word;
}

}  // namespace

std::string completeness(const SearchScope& scope, const std::optional<Loading>& loading,
                         const std::optional<std::string>& folder) {
  // More than these will not be known when it has loaded.
  if (scope.open_files_only) return "open files only";
  std::string word = loading ? loading_word(*loading) : std::string();
  if (const std::string& part = scope.part_of_project; !part.empty()) {
    const std::string path = folder ? table::path_from(*folder, part) : part;
    word += word.empty() ? "in " : ", in ";
    table::table_cell_escape.append(word, path == "." ? "this folder" : path);
    word += " only";
  }
  if (!word.empty()) return word;
  return "loaded files only";
}

}  // namespace symbols::query
