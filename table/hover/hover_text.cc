#include "table/hover/hover_text.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/text.h"
#include "lsp/unicode.h"
#include "table/hover/prose.h"
#include "table/one_line.h"

namespace symbols::table {
namespace {

using Form = lsp::HoverPart::Form;
using Kind = MarkdownBlock::Kind;

// A title that only repeats the row's NAME: `__name__` of some Lua servers, `__Space\Class::name__` of
// intelephense.
std::span<const MarkdownBlock> without_title(std::span<const MarkdownBlock> blocks,
                                             std::string_view symbol_name) {
  if (blocks.size() < 2 || symbol_name.empty()) return blocks;
  if (blocks[0].kind != Kind::paragraph && blocks[0].kind != Kind::heading) return blocks;
  const std::string title = fold_whitespace(prose_text(blocks.first(1)));
  if (!title.ends_with(symbol_name)) return blocks;
  const std::string_view scope = std::string_view(title).substr(0, title.size() - symbol_name.size());
  const bool is_scope = scope.ends_with("::") || scope.ends_with('\\');
  return scope.empty() || (is_scope && scope.find(' ') == scope.npos) ? blocks.subspan(1) : blocks;
}

// Paragraphs at the end of a hover that only link to more documentation: gopls's [`strings.Builder` on
// pkg.go.dev](https://…), and yaml-language-server's Source: [schema.json](https://…).
bool is_link_to_documentation(const MarkdownBlock& block) {
  constexpr std::string_view scheme = "https://";
  if (block.kind != Kind::paragraph || block.link.empty()) return false;
  if (std::string_view(block.text).substr(0, block.link_start) == "Source: ") return true;
  if (block.link_start != 0 || !block.link.starts_with(scheme)) return false;
  const std::string_view place = std::string_view(block.link).substr(scheme.size());
  return trim(block.text).ends_with(" on " + std::string(place.substr(0, place.find('/'))));
}

// gopls lists a type's methods behind its definition; each of them has a row.
std::string_view without_methods(std::string_view code, std::string_view language) {
  if (language != "go" || !code.starts_with("type ")) return code;
  return code.substr(0, code.find("\n\nfunc ("));
}

constexpr std::string_view php_start = "<?php\n";

// intelephense writes the declaration as a program, behind the documentation.
bool is_php_declaration(const MarkdownBlock& block) {
  return block.kind == Kind::code && block.text.starts_with(php_start);
}

// The declaration without its empty body.
std::string_view php_signature(std::string_view code) {
  code = trim(code.substr(php_start.size()));
  if (code.ends_with("{ }")) code = trim(code.substr(0, code.size() - 3));
  return code.ends_with(';') ? code.substr(0, code.size() - 1) : code;
}

// `code`, which has a line for each overload (pyright, TypeScript 7), with the first of them and the number
// of the others, as typescript-language-server has it: `f(a: string): void (+1 overload)`.
std::string with_overloads_counted(std::string_view code) {
  const std::size_t start = code.starts_with("(variable)\n") ? code.find('\n') + 1 : 0;
  const std::size_t name_end = code.find_first_of("(<", code.find(' ', start));
  if (name_end >= code.size()) return std::string(code);
  const std::string_view declared = code.substr(start, name_end - start);
  if (declared.find('\n') != declared.npos) return std::string(code);
  std::size_t first_end = code.size();
  std::size_t others = 0;
  for (std::size_t at = code.find('\n', start); at < code.size(); at = code.find('\n', at + 1)) {
    const std::string_view line = code.substr(at + 1);
    const bool is_overload = line.size() > declared.size() && line.starts_with(declared) &&
                             (line[declared.size()] == '(' || line[declared.size()] == '<');
    if (!is_overload) continue;
    if (others++ == 0) first_end = at;
  }
  if (others == 0) return std::string(code);
  std::string_view first = trim(code.substr(0, first_end));
  if (first.ends_with(": ...")) first = first.substr(0, first.size() - 5);
  return fmt::format("{} (+{})", first, counted(others, "overload"));
}

// pyright's signature without the types that it does not know, unless they are a part of another. One that
// directly follows another goes in the next round.
void drop_unknown_types(std::string& signature) {
  static const re2::RE2 unknown(R"((?:: | -> )Unknown($|[^\w ]| $| [^|])|\[Unknown\])", re2::RE2::Latin1);
  constexpr int max_rounds = 3;
  for (int i = 0; i < max_rounds && re2::RE2::GlobalReplace(&signature, unknown, R"(\1)") > 0;) ++i;
}

// The code at the start of a hover is its signature. More code of the same language directly after it belongs
// to it (rust-analyzer's module path); code of another language, or after a ruler, is an example.
HoverText split_markdown(std::string_view text, std::string_view symbol_name) {
  const std::vector<MarkdownBlock> document = parse_markdown(text);
  if (std::optional<HoverText> clangd = split_clangd_hover(document)) return std::move(*clangd);
  std::span<const MarkdownBlock> blocks = without_title(document, symbol_name);
  if (const auto php = std::ranges::find_if(blocks, is_php_declaration); php != blocks.end()) {
    const auto at = static_cast<std::size_t>(php - blocks.begin());
    return {code_line(php_signature(php->text)),
            prose_line(prose_text(blocks.first(at)) + prose_text(blocks.subspan(at + 1)))};
  }
  std::string signature;
  while (!blocks.empty() && blocks[0].kind == Kind::ruler) blocks = blocks.subspan(1);
  const std::string_view language =
      blocks.empty() ? std::string_view{} : std::string_view(blocks[0].language);
  while (!blocks.empty() && blocks[0].kind == Kind::code && blocks[0].language == language) {
    signature += code_line(with_overloads_counted(without_methods(blocks[0].text, language)));
    signature += ' ';
    blocks = blocks.subspan(1);
  }
  if (language == "python") drop_unknown_types(signature);
  if (!blocks.empty() && is_link_to_documentation(blocks.back())) blocks = blocks.first(blocks.size() - 1);
  return {fold_whitespace(signature), prose_line(prose_text(blocks))};
}

// A part besides the signature, in full.
std::string part_prose(const lsp::HoverPart& part) {
  if (part.form == Form::code) return fold_whitespace(part.value);
  if (part.form == Form::plaintext) return fold_whitespace(tidy_tags(part.value));
  return fold_whitespace(prose_text(parse_markdown(part.value)));
}

// Nothing in plain text marks the signature's end: its first line is taken for the signature, but for
// clangd's layout, which clients without Markdown get (ALE).
HoverText split_plain(std::string_view text) {
  if (std::optional<HoverText> hover = split_clangd_plain_hover(text)) return *std::move(hover);
  text = trim(text);
  const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
  return {code_line(text.substr(0, end)), prose_line(tidy_tags(text.substr(end)))};
}

// Of MarkedString[] the code parts are the signature, wherever they are (ccls puts the comment first).
HoverText split_parts(std::span<const lsp::HoverPart> parts, std::string_view symbol_name) {
  HoverText hover;
  const bool has_code = std::ranges::any_of(parts, [](const auto& part) { return part.form == Form::code; });
  bool signature_over = false;
  for (const lsp::HoverPart& part : parts) {
    if (part.form == Form::code && !signature_over) {
      hover.signature += code_line(part.value) + ' ';
    } else if (&part == parts.data() && !has_code) {
      hover =
          part.form == Form::plaintext ? split_plain(part.value) : split_markdown(part.value, symbol_name);
    } else {
      signature_over = !hover.signature.empty();
      hover.prose += ' ' + part_prose(part);
    }
  }
  return {fold_whitespace(hover.signature), prose_line(hover.prose)};
}

// Whether the hover is pyright's of a symbol whose type it does not know: `(parameter) x`, without that type.
bool says_nothing(std::string_view signature, std::string_view symbol_name) {
  if (symbol_name.empty() || !signature.starts_with('(')) return false;
  const std::size_t end = signature.find(") ");
  return end != std::string_view::npos && signature.substr(end + 2) == symbol_name;
}

// Whether the hover is about something else that starts where the symbol does: the parameter of a callback
// (TypeScript's `files.forEach() callback`), or the macro that expands to the symbol (clangd).
bool is_of_another(std::string_view signature, std::string_view symbol_name) {
  if (symbol_name.empty()) return false;
  for (const std::string_view start : {"(parameter) ", "#define "}) {
    if (!signature.starts_with(start)) continue;
    const std::string_view rest = signature.substr(start.size());
    return !rest.starts_with(symbol_name) ||
           (rest.size() > symbol_name.size() && is_word(rest[symbol_name.size()]));
  }
  return false;
}

// Whether the hover is the css server's of a rule: the selector, which is the name, written as HTML, and its
// specificity. That of a nested rule shows what `&` stands for.
bool repeats_selector(std::string_view prose, std::string_view symbol_name) {
  return !symbol_name.empty() && symbol_name.find('&') == std::string_view::npos &&
         prose.starts_with("Selector Specificity: (") && prose.ends_with(')');
}

// Drops what a hover repeats of its row, server by server (docs/spec.md, section 3). Both parts are one line
// each; if the name is empty, little is recognised.
void drop_repetitions(HoverText& hover, std::string_view symbol_name) {
  auto& [signature, prose] = hover;
  // Code over several lines has become one line: `f( a, b )`.
  static const re2::RE2 space_inside(R"((\() | (\)))", re2::RE2::Latin1);
  re2::RE2::GlobalReplace(&signature, space_inside, R"(\1\2)");
  if (prose == signature || prose == symbol_name) prose.clear();
  // pyright repeats a parameter's name before its documentation.
  if (!symbol_name.empty() && prose.starts_with(std::string(symbol_name) + ": "))
    prose.erase(0, symbol_name.size() + 2);
  // clangd's of a namespace.
  if (signature == "namespace " + std::string(symbol_name) + " {}") signature.clear();
  if (says_nothing(signature, symbol_name)) signature.clear();
  if (is_of_another(signature, symbol_name) || repeats_selector(prose, symbol_name)) hover = {};
}

}  // namespace

HoverText row_hover(const lsp::DocumentSymbol& symbol, HoverText text) {
  // clangd has no rows for definitions of macros.
  const bool is_definition = symbol.kind == lsp::SymbolKind::null && text.signature.starts_with("#define ");
  return is_definition || text.signature.starts_with("(alias) ") ? HoverText{} : std::move(text);
}

HoverText split_hover(const lsp::Hover& hover, std::string_view symbol_name) {
  if (hover.parts.empty()) return {};
  HoverText text = split_parts(hover.parts, symbol_name);
  drop_repetitions(text, symbol_name);
  for (std::string* part : {&text.signature, &text.prose}) {
    if (lsp::find_invalid_utf8(*part) != std::string_view::npos) *part = lsp::to_valid_utf8(*part);
  }
  return text;
}

std::string join_hover(const HoverText& hover, std::size_t max_characters) {
  if (hover.signature.empty()) return cut_text(hover.prose, max_characters);
  const std::string signature = cut_signature(hover.signature, max_characters);
  return hover.prose.empty() ? signature : cut_text(signature + " - " + hover.prose, max_characters);
}

}  // namespace symbols::table
