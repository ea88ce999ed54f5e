#include <algorithm>
#include <array>

#include "base/text.h"
#include "proxy/query/query_services.h"
#include "proxy/query/source_errors.h"
#include "table/one_line.h"

namespace symbols::query {
namespace {

using std::string_view;

using lsp::SymbolKind;

constexpr std::array<std::int64_t, 3> functions{SymbolKind::method, SymbolKind::constructor,
                                                SymbolKind::function};
constexpr std::array<std::int64_t, 4> variables{SymbolKind::property, SymbolKind::field, SymbolKind::variable,
                                                SymbolKind::constant};
constexpr std::array<std::int64_t, 3> types{SymbolKind::class_, SymbolKind::enum_, SymbolKind::struct_};

bool is_one_of(const auto& kinds, std::int64_t kind) {
  return std::ranges::find(kinds, kind) != kinds.end();
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

// What says nothing of a type.
void drop_storage(string_view& type) {
  constexpr std::array<string_view, 8> words{"virtual ",   "static ", "inline ", "explicit ",
                                             "constexpr ", "extern ", "friend ", "mutable "};
  const auto starts = [&](string_view word) { return type.starts_with(word); };
  for (auto word = std::ranges::find_if(words, starts); word != words.end();
       word = std::ranges::find_if(words, starts))
    type.remove_prefix(word->size());
}

// `Status (Slice key)` of `static Status Free(Slice key)`. As it is where the name is not outside of
// brackets, or is one of several: `int (*call)(Slice)`, `Slice a, b`.
std::string detail_of(string_view declaration, string_view name, bool is_function) {
  const std::size_t at = table::find_outside_brackets(declaration, name, " *&");
  if (at == declaration.npos) return std::string(declaration);
  string_view type = declaration.substr(0, at);
  drop_storage(type);
  type = trim(type);
  if (type.ends_with(',')) return std::string(declaration);
  string_view rest = declaration.substr(at + name.size());
  if (!is_function) rest = trim(rest.substr(0, rest.find('=')));
  return std::string(type) + (is_function && !type.empty() ? " " : "") + std::string(rest);
}

}  // namespace

WrittenDeclarations::WrittenDeclarations(const QueryServices& services, string_view uri) {
  constexpr string_view too_many = "fatal_too_many_errors";
  for (const lsp::Diagnostic& error : published_errors(services.published, uri)) {
    if (error.source != "clang") continue;
    if (error.code == too_many) {
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
  Declaration found = declaration_in(document_->text(range), is_one_of(functions, symbol.kind));
  const std::size_t end = document_->offset(range.start) + found.length;
  if (!is_unread && document_->offset(*error) >= end) return {};
  if (is_one_of(types, symbol.kind) && text_->compare(end, 1, "{") == 0) found.text += " {}";  // as clangd
  return std::move(found.text);
}

void WrittenDeclarations::replace_signature(table::HoverText& hover,
                                            const lsp::DocumentSymbol& symbol) const {
  if (hover.signature.empty()) return;
  if (std::string written = of(symbol); !written.empty()) hover.signature = std::move(written);
}

void WrittenDeclarations::replace_detail(lsp::DocumentSymbol& symbol) const {
  const bool is_function = is_one_of(functions, symbol.kind);
  if (!is_function && !is_one_of(variables, symbol.kind)) return;
  if (const std::string written = of(symbol); !written.empty())
    symbol.detail = detail_of(written, symbol.name, is_function);
}

}  // namespace symbols::query
