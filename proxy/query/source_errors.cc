#include "proxy/query/source_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "proxy/query/query_services.h"
#include "table/one_line.h"
#include "table/rows.h"

namespace symbols::query {
namespace {

using lsp::SymbolKind;
using std::string_view;

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
    "(venvPath, venv)";
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

bool is_function_kind(std::int64_t kind) {
  return table::is_one_of(kind, {SymbolKind::method, SymbolKind::constructor, SymbolKind::function});
}

struct Declaration {
  std::string text;        // without comments
  std::size_t length = 0;  // of it in the source
};

// The length of what `source` starts with, if that is a comment or a literal, else 0.
std::size_t passage_length(string_view source, char before) {
  if (source.starts_with("//")) return std::min(source.find('\n'), source.size());
  if (source.starts_with("/*")) return std::min(source.find("*/", 2), source.size() - 2) + 2;
  const char quote = source.front();
  if (quote != '"' && (quote != '\'' || is_word(before))) return 0;  // 1'000 has no literal
  std::size_t end = 1;
  while (end < source.size() && source[end] != quote) end += source[end] == '\\' ? 2 : 1;
  return std::min(end + 1, source.size());
}

// The declaration at the start of `source`.
Declaration declaration_in(string_view source, bool is_function) {
  Declaration found;
  int depth = 0;
  char before = ' ';
  for (std::size_t& at = found.length; at < source.size(); before = source[at - 1]) {
    const string_view rest = source.substr(at);
    const char c = rest.front();
    if (const std::size_t length = passage_length(rest, before); length > 0) {
      found.text += c == '/' ? " " : rest.substr(0, length);
      at += length;
      continue;
    }
    const bool is_lone_colon = c == ':' && before != ':' && !rest.starts_with("::");
    if (depth == 0 && (c == '{' || c == ';' || (is_function && is_lone_colon))) break;
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    found.text += c;
    ++at;
  }
  found.text = table::fold_whitespace(found.text);
  if (found.text.ends_with(" =")) found.text.resize(found.text.size() - 2);  // before a list in braces
  return found;
}

// Words before a type that say nothing of it.
constexpr string_view storage = "virtual static inline explicit constexpr extern friend mutable";

// `Status (Slice key)` of `static Status Free(Slice key)`. As it is where the name is not outside of
// brackets, or is one of several: `int (*call)(Slice)`, `Slice a, b`.
std::string detail_of(string_view declaration, string_view name, bool is_function) {
  const std::size_t at = table::find_outside_brackets(declaration, name, " *&");
  if (at == declaration.npos) return std::string(declaration);
  string_view type = declaration.substr(0, at);
  while (is_among(type.substr(0, type.find(' ')), storage)) take_part(type, ' ');
  type = trim(type);
  if (type.ends_with(',')) return std::string(declaration);
  string_view rest = declaration.substr(at + name.size());
  if (!is_function) rest = trim(rest.substr(0, rest.find('=')));
  return std::string(type) + (is_function && !type.empty() ? " " : "") + std::string(rest);
}

}  // namespace

std::vector<lsp::Diagnostic> published_errors(const lsp::RecentDiagnostics& published, std::string_view uri) {
  const lsp::RecentDiagnostics::Last last = published.last(uri);
  if (!last.list || last.awaited) return {};
  Result<lsp::DiagnosticList> decoded = lsp::decode_diagnostics(*last.list);
  if (!decoded) return {};
  std::erase_if(decoded->first, [](const lsp::Diagnostic& diagnostic) { return diagnostic.severity != 1; });
  return std::move(decoded->first);
}

std::optional<SourceErrors> source_errors(const std::vector<lsp::Diagnostic>& diagnostics) {
  std::size_t of_clang = 0;
  std::size_t count = 0;  // of errors that have a cause
  bool are_more = false;  // clang stopped after these
  const lsp::Diagnostic* first = nullptr;
  for (const lsp::Diagnostic& error : diagnostics) {
    if (error.severity != 1) continue;
    if (error.source == "clang") ++of_clang;
    are_more = are_more || error.code == too_many_errors;
    if (cause_of(error) == nullptr) continue;
    ++count;
    if (first == nullptr || (error.code == missing_header && first->code != missing_header)) first = &error;
  }
  if (first == nullptr) return {};
  const bool are_clangs = first->source == "clang";
  if (are_clangs) count = of_clang - (are_more ? 1 : 0);  // of all errors in the document
  const string_view line = string_view(first->message).substr(0, first->message.find('\n'));
  return SourceErrors{fmt::format("{}{}, so types and symbols may be wrong; the first, in line {}: {}; {}",
                                  are_more ? "more than " : "", counted(count, "error"),
                                  std::int64_t{first->range.start.line} + 1,
                                  table::cut_text(line, max_message), cause_of(*first)->remedy),
                      are_clangs};
}

std::string errors_note(std::size_t count, std::size_t files, std::string_view first) {
  return count == 1 ? std::string(first)
                    : fmt::format("{} of {} files have errors, such as {}", count, files, first);
}

WrittenDeclarations::WrittenDeclarations(const QueryServices& services, string_view uri) {
  for (const lsp::Diagnostic& error : published_errors(services.published, uri)) {
    if (error.source != "clang") continue;
    if (error.code == too_many_errors) {
      are_cut_ = true;  // it has no place of its own
    } else {
      errors_.push_back(error.range.start);
    }
  }
  if (!errors_.empty()) text_ = services.text(uri);
  if (!text_) return;
  std::ranges::sort(errors_);
  document_.emplace(*text_, services.capabilities.position_encoding);
}

std::string WrittenDeclarations::of(const lsp::DocumentSymbol& symbol) const {
  if (!document_) return {};
  const lsp::Range& range = symbol.range;
  const auto error = std::ranges::lower_bound(errors_, range.start);
  const bool is_unread = are_cut_ && error == errors_.end();
  if (!is_unread && (error == errors_.end() || *error >= range.end)) return {};
  Declaration found = declaration_in(document_->text(range), is_function_kind(symbol.kind));
  const std::size_t end = document_->offset(range.start) + found.length;
  if (!is_unread && document_->offset(*error) >= end) return {};
  const bool is_type =
      table::is_one_of(symbol.kind, {SymbolKind::class_, SymbolKind::enum_, SymbolKind::struct_});
  if (is_type && text_->compare(end, 1, "{") == 0) found.text += " {}";  // as clangd
  return std::move(found.text);
}

void WrittenDeclarations::replace_signature(table::HoverText& hover,
                                            const lsp::DocumentSymbol& symbol) const {
  if (hover.signature.empty()) return;
  if (std::string written = of(symbol); !written.empty()) hover.signature = std::move(written);
}

void WrittenDeclarations::replace_detail(lsp::DocumentSymbol& symbol) const {
  const bool is_function = is_function_kind(symbol.kind);
  const bool is_variable = table::is_one_of(
      symbol.kind, {SymbolKind::property, SymbolKind::field, SymbolKind::variable, SymbolKind::constant});
  if (!is_function && !is_variable) return;
  if (const std::string written = of(symbol); !written.empty())
    symbol.detail = detail_of(written, symbol.name, is_function);
}

}  // namespace symbols::query
