#include "proxy/query/source_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "table/one_line.h"

namespace symbols::query {
namespace {

constexpr std::size_t max_message = 200;

// clang's name for a header that was not found. It is told once: of later headers clang says nothing.
constexpr std::string_view missing_header = "pp_file_not_found";
constexpr std::string_view too_many_errors = "fatal_too_many_errors";

constexpr std::string_view for_clangd =
    "clangd takes the project's flags from a compile_commands.json: cmake -B build "
    "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or bear -- make";
constexpr std::string_view for_typescript =
    "install the project's packages: npm install (or pnpm, yarn, bun)";
constexpr std::string_view for_pyright =
    "install what the project requires, and name the environment that has it in pyrightconfig.json "
    "(venvPath, "
    "venv)";
constexpr std::string_view for_gopls = "fetch the project's modules: go mod download";
constexpr std::string_view for_intelephense = "install the project's packages: composer install";

// An error after which types are missing or wrong, and what to do.
struct Cause {
  std::string_view source;
  std::string_view code;  // its start
  std::string_view remedy;
};

// clang's are what follows from a missing header, -D or -std where it changes a declaration: a type, a
// template or a namespace that is unknown, and `#error`. Of the others' those of imports. Other errors are
// the author's, or lie in bodies and values, as an undeclared variable does: the declarations stay as they
// are written.
constexpr auto causes = std::to_array<Cause>({
    {"clang", missing_header, for_clangd},
    {"clang", "pp_hash_error", for_clangd},
    {"clang", "unknown_", for_clangd},
    {"clang", "no_template", for_clangd},
    {"clang", "undeclared_use", for_clangd},
    {"clang", "typename_nested_not_found", for_clangd},
    {"ts", "2307", for_typescript},  // TypeScript 7
    {"ts", "2580", for_typescript},  // Do you need to install type definitions for node?
    {"ts", "2591", for_typescript},
    {"typescript", "2307", for_typescript},
    {"typescript", "2580", for_typescript},
    {"typescript", "2591", for_typescript},
    {"Pyright", "reportMissingImports", for_pyright},
    {"basedpyright", "reportMissingImports", for_pyright},
    {"compiler", "BrokenImport", for_gopls},
    {"intelephense", "P1009", for_intelephense},  // Undefined type
});

const Cause* cause_of(const lsp::Diagnostic& error) {
  // Of the project itself, which no package brings.
  const bool is_relative = std::ranges::any_of(std::array{"'./", "'../", "\"."}, [&](const char* start) {
    return error.message.find(start) != std::string::npos;
  });
  const auto found = std::ranges::find_if(causes, [&](const Cause& cause) {
    return error.source == cause.source && error.code.starts_with(cause.code) &&
           (cause.remedy == for_clangd || !is_relative);
  });
  return found == causes.end() ? nullptr : found;
}

}  // namespace

std::vector<lsp::Diagnostic> published_errors(const lsp::RecentDiagnostics* published, std::string_view uri) {
  if (published == nullptr) return {};
  const lsp::RecentDiagnostics::Last last = published->last(uri);
  if (!last.list || last.awaited) return {};
  Result<lsp::DiagnosticList> decoded = lsp::decode_diagnostics(*last.list);
  if (!decoded) return {};
  std::erase_if(decoded->first, [](const lsp::Diagnostic& diagnostic) { return diagnostic.severity != 1; });
  return std::move(decoded->first);
}

std::optional<SourceErrors> source_errors(const std::vector<lsp::Diagnostic>& diagnostics) {
  SourceErrors errors;
  std::size_t of_clang = 0;
  const lsp::Diagnostic* first = nullptr;
  for (const lsp::Diagnostic& error : diagnostics) {
    if (error.severity != 1) continue;
    if (error.source == "clang") ++of_clang;
    errors.are_more = errors.are_more || error.code == too_many_errors;
    const Cause* const cause = cause_of(error);
    if (cause == nullptr) continue;
    ++errors.count;
    if (first != nullptr && (error.code != missing_header || first->code == missing_header)) continue;
    first = &error;
    errors.remedy = cause->remedy;
  }
  if (first == nullptr) return {};
  errors.are_clangs = first->source == "clang";
  if (errors.are_clangs) errors.count = of_clang - (errors.are_more ? 1 : 0);
  const std::string_view line = std::string_view(first->message).substr(0, first->message.find('\n'));
  errors.line = std::int64_t{first->range.start.line} + 1;
  errors.message = table::cut_text(line, max_message);
  return errors;
}

std::string text_of(const SourceErrors& errors) {
  return fmt::format("{}{} error{}, so types and symbols may be wrong; the first, in line {}: {}; {}",
                     errors.are_more ? "more than " : "", errors.count, errors.count == 1 ? "" : "s",
                     errors.line, errors.message, errors.remedy);
}

std::string errors_note(std::size_t count, std::size_t files, std::string_view first) {
  return count == 1 ? std::string(first)
                    : fmt::format("{} of {} files have errors, such as {}", count, files, first);
}

}  // namespace symbols::query
