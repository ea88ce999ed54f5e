#include <fmt/format.h>

#include "lsp/json/json.h"
#include "proxy/index/answer_lines.h"
#include "proxy/index/check.h"
#include "table/diagnostics_text.h"
#include "table/escape.h"

namespace symbols::index {
namespace {

// "# 2 new errors, 1 new warning since HEAD; looked at 1 file and 4 that may depend on it"
std::string heading(const Check& check) {
  std::size_t warnings = 0;
  std::size_t errors = 0;
  for (const auto& [path, list] : check.found) {
    for (const lsp::Diagnostic& diagnostic : list) ++(diagnostic.severity == 2 ? warnings : errors);
  }
  const std::size_t asked = check.looked_at.size() - check.dependents;
  return fmt::format("# {}, {} since {}{}; looked at {} and {} that may depend on {}",
                     counted(errors, "new error"), counted(warnings, "new warning"),
                     table::escaped(check.since), check.notes.empty() ? "" : ", not known to be all",
                     counted(asked, "file"), check.dependents, asked == 1 ? "it" : "them");
}

}  // namespace

std::string check_text(const Check& check, const std::string& folder,
                       const std::optional<table::TokenLimit>& limit) {
  std::vector<std::string> lines{heading(check)};
  for (const auto& [path, list] : check.found) {
    lines.push_back(table::escaped(table::path_from(folder, path)));
    for (const lsp::Diagnostic& diagnostic : list) {
      std::string line =
          fmt::format(" {}:{} {}", diagnostic.range.start.line + 1, diagnostic.range.start.character + 1,
                      table::severity_word(diagnostic.severity));
      for (const std::string& word : {diagnostic.source, diagnostic.code}) {
        if (!word.empty()) line += ' ' + table::escaped(word);
      }
      lines.push_back(line + ": " + table::escaped(diagnostic.message));
    }
  }
  return lines_within(lines, limit);
}

std::string check_json(const Check& check, const std::string& folder, bool in_lines) {
  const auto shown = [&folder](const std::string& path) {
    return lsp::json_string(table::path_from(folder, path));
  };
  std::vector<std::string> found;
  for (const auto& [path, list] : check.found) {
    for (const lsp::Diagnostic& diagnostic : list)
      found.push_back(fmt::format(
          R"({{"path":{},"line":{},"column":{},"severity":"{}","source":{},"code":{},"message":{}}})",
          shown(path), diagnostic.range.start.line + 1, diagnostic.range.start.character + 1,
          table::severity_word(diagnostic.severity), lsp::json_string(diagnostic.source),
          lsp::json_string(diagnostic.code), lsp::json_string(diagnostic.message)));
  }
  std::vector<std::string> looked_at;
  for (const std::string& path : check.looked_at) looked_at.push_back(table::path_from(folder, path));
  return json_of_lists({{"new", found}},
                       fmt::format(R"("since":{},"known":{},"looked_at":{},"notes":{},"is_whole":{})",
                                   lsp::json_string(check.since), check.known, json_strings(looked_at),
                                   json_strings(check.notes), check.notes.empty()),
                       in_lines);
}

}  // namespace symbols::index
