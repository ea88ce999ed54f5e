#include "proxy/query/source_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "lsp/diagnostic.h"
#include "table/hover/cut_text.h"

namespace symbols::query {
namespace {

constexpr std::size_t longest_message = 200;

// clang's name for a header that was not found. It is told once: of later headers clang says nothing.
constexpr std::string_view missing_header = "pp_file_not_found";

// clang's names, or their starts, for what follows from a missing header, -D or -std where it changes a
// declaration: a type, a template or a namespace that is unknown, and `#error`. Other errors are the
// author's, or lie in bodies and values, as an undeclared variable does: the declarations stay as they are
// written.
constexpr std::array<std::string_view, 6> starts{missing_header,   "pp_hash_error",
                                                 "unknown_",       "no_template",
                                                 "undeclared_use", "typename_nested_not_found"};

bool makes_answers_wrong(const lsp::Diagnostic& diagnostic) {
  return diagnostic.source == "clang" && std::ranges::any_of(starts, [&](std::string_view start) {
           return diagnostic.code.starts_with(start);
         });
}

bool is_error(const lsp::Diagnostic& diagnostic) {
  return diagnostic.severity == 1;
}

}  // namespace

std::optional<SourceErrors> source_errors(const lsp::RecentDiagnostics* published, std::string_view uri) {
  if (published == nullptr) return {};
  const lsp::RecentDiagnostics::Last last = published->last(uri);
  if (!last.list || last.awaited) return {};
  Result<lsp::DiagnosticList> decoded = lsp::decode_diagnostics(*last.list);
  if (!decoded) return {};
  std::vector<lsp::Diagnostic>& all = decoded->first;
  std::erase_if(all, [](const lsp::Diagnostic& diagnostic) { return !is_error(diagnostic); });
  auto first = std::ranges::find(all, missing_header, &lsp::Diagnostic::code);
  if (first == all.end()) first = std::ranges::find_if(all, makes_answers_wrong);
  if (first == all.end()) return {};
  const std::string_view line = std::string_view(first->message).substr(0, first->message.find('\n'));
  return SourceErrors{.count = all.size(),
                      .line = std::int64_t{first->range.start.line} + 1,
                      .message = table::cut_text(line, longest_message)};
}

std::string text_of(const SourceErrors& errors) {
  return fmt::format(
      "{} error{}, so types and symbols may be wrong; the first, in line {}: {}; clangd takes the project's "
      "flags "
      "from a compile_commands.json: cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or bear -- make",
      errors.count, errors.count == 1 ? "" : "s", errors.line, errors.message);
}

}  // namespace symbols::query
