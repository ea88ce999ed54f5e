#include "proxy/index/file_outline.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "lsp/position.h"
#include "proxy/files/content_hash.h"
#include "proxy/files/source_text.h"
#include "proxy/index/name_match.h"

namespace symbols::index {
namespace {

using files::Language;

using Extent = std::pair<std::size_t, std::size_t>;  // from a byte to the one behind the last

std::size_t after_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t", at), text.size());
}

bool starts_import(std::string_view text, Language language) {
  const std::string_view word = word_at(text, 0);
  const std::string_view rest = text.substr(after_blanks(text, word.size()));
  if (language == Language::python) {
    const bool names_module = word == "from" && rest.substr(0, rest.find('\n')).find(" import") != rest.npos;
    return word == "import" || names_module;
  }
  if (word == "import") return !rest.starts_with('(') && !rest.starts_with('.');
  const std::string_view list = rest.starts_with("type ") ? trim(rest.substr(5)) : rest;
  return word == "export" && (list.starts_with('{') || list.starts_with('*'));
}

// The import statements of a file, and JavaScript's lists of exports, in order. Each starts a line or follows
// another one; names in brackets may continue on further lines.
std::vector<Extent> import_statements(std::string_view text, Language language) {
  const auto [open, close] = language == Language::python ? std::pair('(', ')') : std::pair('{', '}');
  std::vector<Extent> statements;
  for (std::size_t at = 0; at < text.size();) {
    at = after_blanks(text, at);
    if (!starts_import(text.substr(at), language)) {
      at = std::min(text.find('\n', at), text.size() - 1) + 1;
      continue;
    }
    const std::size_t start = at;
    at = std::min(text.find_first_of(";\n", at), text.size());
    const std::string_view line = text.substr(start, at - start);
    if (line.substr(0, line.find(language == Language::python ? "#" : "//")).find(open) != text.npos)
      at = std::min(text.find_first_of(";\n", text.find(close, start)), text.size());
    while (at < text.size() && text[at] == '\n' && text[at - 1] == '\\')
      at = std::min(text.find('\n', at + 1), text.size());
    statements.emplace_back(start, at);
    if (at < text.size()) ++at;
  }
  return statements;
}

// `const { a, b } = require("a");`, of what follows `a` on its line.
bool is_required(std::string_view rest) {
  const std::size_t call = rest.find("= require(");
  if (call == rest.npos || rest.find('=') != call) return false;
  const std::size_t end = rest.find(')', call);
  return end != rest.npos && trim(rest.substr(end + 1), "; \t\r").empty();
}

constexpr std::size_t max_name = 100;  // bytes; people do not write longer ones

// Names with whitespace, `<unknown>` and the like are made up by servers; braces hold members.
bool can_be_shown(std::string_view name) {
  const auto is_odd = [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '\x7F' || c == '{' || c == '}';
  };
  return name.size() <= max_name && !name.starts_with('<') && std::ranges::any_of(name, is_identifier) &&
         std::ranges::none_of(name, is_odd);
}

// Whether the children of such a symbol are as if it were not there.
bool is_transparent(const lsp::DocumentSymbol& symbol, Language language) {
  if (language == Language::script) return symbol.name.starts_with('"') || symbol.name.starts_with('\'');
  return symbol.kind == lsp::SymbolKind::namespace_ || symbol.kind == lsp::SymbolKind::package;
}

enum class Standing : char { top, member, private_top };

// Appends its standing, its kind, its length (a byte) and the name.
void append(std::string& names, const lsp::DocumentSymbol& symbol, std::string_view name, Standing standing) {
  names += static_cast<char>(standing);
  names += static_cast<char>(std::clamp<std::int64_t>(symbol.kind, 0, 255));
  names += static_cast<char>(name.size());
  names += name;
}

std::string shown_names(const lsp::SymbolTree& tree, const std::vector<RowForm>& forms, Language language,
                        std::string_view text) {
  constexpr auto none = static_cast<std::size_t>(-1);
  const std::vector<std::string_view> lines =
      language == Language::script ? split(text, '\n') : std::vector<std::string_view>();
  const auto is_export = [](std::string_view line) { return trim(line).starts_with("export "); };
  const bool is_module = std::ranges::any_of(lines, is_export);
  std::set<std::string_view> listed;  // imports, and the names in `export { a }`
  for (std::size_t row = 0; row < forms.size(); ++row) {
    if (forms[row] == RowForm::import) listed.insert(tree.symbols[row].name);
  }
  const auto is_private = [&](const lsp::DocumentSymbol& symbol) {
    const std::size_t line = symbol.selection_range.start.line;
    return is_module && line < lines.size() && !is_export(lines[line]) && !listed.contains(symbol.name);
  };
  std::vector<std::string> tops;  // each with its members, as they are kept
  std::map<std::string_view, std::size_t> by_name;
  std::vector<std::size_t> top_of(tree.symbols.size(), none);  // of rows whose children are its members
  std::vector<bool> is_level(tree.symbols.size(), true);
  const auto add_member = [&](std::size_t top, const lsp::DocumentSymbol& symbol, std::string_view name) {
    if (symbol.kind != lsp::SymbolKind::constructor && can_be_shown(name))
      append(tops[top], symbol, name, Standing::member);
  };
  for (std::size_t row = 0; row < tree.symbols.size(); ++row) {
    const lsp::DocumentSymbol& symbol = tree.symbols[row];
    const RowForm form = row < forms.size() ? forms[row] : RowForm::definition;
    const auto parent = static_cast<std::size_t>(symbol.parent);  // -1 becomes larger than any row
    if (form == RowForm::import || (form == RowForm::declaration && lsp::is_type_kind(symbol.kind))) continue;
    if (parent < row && is_level[parent]) {
      if (top_of[parent] != none) add_member(top_of[parent], symbol, symbol.name);
      continue;
    }
    is_level[row] = !is_transparent(symbol, language);
    if (!is_level[row]) continue;
    // `A::b` in C++ and `(*A).b` in Go are members of A; where A is not there in C++, a header declares them.
    const std::string scope = scope_of({}, symbol.name);
    const auto owner = by_name.find(scope);
    const bool is_elsewhere = language == Language::c_source && !scope.empty();
    if (owner != by_name.end()) {
      add_member(owner->second, symbol, split_name(symbol.name).name);
    } else if (!is_elsewhere && can_be_shown(symbol.name)) {
      const auto [top, is_new] = by_name.emplace(symbol.name, tops.size());
      if (is_new)
        append(tops.emplace_back(), symbol, symbol.name,
               is_private(symbol) ? Standing::private_top : Standing::top);
      // Symbols inside other kinds, such as functions and variables, are local.
      if (lsp::is_type_kind(symbol.kind) || symbol.kind == lsp::SymbolKind::namespace_ ||
          symbol.kind == lsp::SymbolKind::module) {
        top_of[row] = top->second;
      }
    }
  }
  std::string names;
  for (const std::string& top : tops) names += top;
  return names;
}

// Keywords of the languages: they are no mention of a symbol with the same name.
constexpr std::string_view keywords =
    "abstract and any as assert async await auto base bool boolean break case catch char class const "
    "continue declare def default delete do double elif else end enum except export extends extern false "
    "finally float for from func function get global goto if implements import in infer inline instanceof "
    "int interface is keyof lambda let long module mut namespace never new nil none null number object of "
    "operator or override package pass private protected pub public raise readonly ref require return self "
    "set short signed sizeof static strict string struct super switch template this throw trait true try "
    "type typedef typename typeof undefined union unknown unsigned use using val var virtual void volatile "
    "when where while with yield";

bool is_keyword(std::string_view word) {
  static const std::vector<std::string_view> words = split(keywords, ' ');
  static const std::unordered_set<std::string_view> all(words.begin(), words.end());
  return all.contains(word);
}

// Whether the line is a comment, judged by its start.
bool is_comment(std::string_view line, Language language) {
  line = trim(line);
  const bool is_hash = language != Language::c_header && language != Language::c_source;
  return line.starts_with("//") || line.starts_with('*') || line.starts_with("/*") ||
         (is_hash && line.starts_with('#'));
}

std::unordered_set<std::string_view> words_of_code(std::string_view text, Language language) {
  std::unordered_set<std::string_view> words;
  while (!text.empty()) {
    const std::string_view line = take_part(text, '\n');
    if (is_comment(line, language)) continue;
    for_each_word(line, [&words](std::string_view word) {
      if (!is_digit(word.front()) && !is_keyword(word)) words.insert(word);
    });
  }
  return words;
}

}  // namespace

std::vector<RowForm> row_forms(std::string_view path, const lsp::SymbolTree& tree, std::string_view text) {
  std::vector<RowForm> forms(tree.symbols.size(), RowForm::definition);
  const Language language = files::language_of(path);
  const bool is_c = files::is_c(language);
  const bool imports = language == Language::script || language == Language::python;
  if (!is_c && !imports) return forms;
  const std::vector<std::string_view> lines = split(text, '\n');
  const auto offset = [&](lsp::Position position) {
    if (position.line >= lines.size()) return text.size();
    const std::string_view line = lines[position.line];
    return static_cast<std::size_t>(line.data() - text.data()) +
           lsp::bytes_of_units(line, position.character, lsp::PositionEncoding::utf16);
  };
  const std::vector<Extent> statements = imports ? import_statements(text, language) : std::vector<Extent>();
  for (std::size_t row = 0; row < forms.size(); ++row) {
    const lsp::DocumentSymbol& symbol = tree.symbols[row];
    if (is_c) {
      const std::size_t start = offset(symbol.range.start);
      const std::string_view written = text.substr(start, std::max(offset(symbol.range.end), start) - start);
      const bool has_body = lsp::is_type_kind(symbol.kind) || lsp::is_function_kind(symbol.kind);
      const std::string_view word = word_at(written, 0);
      const bool is_alias = word == "using" || word == "typedef";
      const bool is_defined =
          is_alias || written.ends_with('}') || written.ends_with("default") || written.ends_with("delete");
      if (!written.empty() && (has_body ? !is_defined : word == "extern")) forms[row] = RowForm::declaration;
      continue;
    }
    const std::size_t at = offset(symbol.selection_range.start);
    const auto next = std::ranges::upper_bound(statements, at, {}, &Extent::first);
    const bool in_statement = next != statements.begin() && at < std::prev(next)->second;
    const std::string_view rest = text.substr(at);
    if (in_statement || (language == Language::script && !lsp::is_type_kind(symbol.kind) &&
                         !lsp::is_function_kind(symbol.kind) && is_required(rest.substr(0, rest.find('\n')))))
      forms[row] = RowForm::import;
  }
  return forms;
}

// Even: words_of() has the last bit for `is_declared`.
std::uint32_t word_number(std::string_view word) {
  return static_cast<std::uint32_t>(files::hash_of(word).low) & ~std::uint32_t{1};
}

FileOutline outline_of(std::string_view path, const lsp::SymbolTree& tree, const std::vector<RowForm>& forms,
                       std::string_view text) {
  const Language language = files::language_of(path);
  std::unordered_set<std::string_view> declared;
  for (std::size_t row = 0; row < tree.symbols.size(); ++row) {
    if (row >= forms.size() || forms[row] != RowForm::import)
      declared.insert(split_name(tree.symbols[row].name).name);
  }
  std::vector<std::uint32_t> words;
  for (const std::string_view word : words_of_code(text, language))
    words.push_back(word_number(word) | (declared.contains(word) ? 1U : 0U));
  std::ranges::sort(words);  // the same bytes each time
  return {.names = shown_names(tree, forms, language, text),
          .words = {reinterpret_cast<const char*>(words.data()), words.size() * sizeof words[0]}};
}

std::vector<OutlineName> names_of(const FileOutline& outline) {
  std::vector<OutlineName> names;
  for (std::string_view rest = outline.names; rest.size() > 3;) {
    const std::string_view name = rest.substr(3, static_cast<unsigned char>(rest[2]));
    const auto standing = static_cast<Standing>(rest.front());
    names.push_back({.name = name,
                     .kind = static_cast<std::uint8_t>(rest[1]),
                     .is_member = standing == Standing::member,
                     .is_private = standing == Standing::private_top});
    rest.remove_prefix(3 + name.size());
  }
  return names;
}

std::vector<OutlineWord> words_of(const FileOutline& outline) {
  std::vector<OutlineWord> words;
  for (std::string_view rest = outline.words; rest.size() >= sizeof(std::uint32_t);) {
    std::uint32_t kept = 0;
    rest.copy(reinterpret_cast<char*>(&kept), sizeof kept);
    words.push_back({kept & ~std::uint32_t{1}, kept % 2 == 1});
    rest.remove_prefix(sizeof kept);
  }
  return words;
}

}  // namespace symbols::index
