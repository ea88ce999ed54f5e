#include "table/hover/hover_text.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "lsp/unicode.h"
#include "table/hover/clangd_hover.h"
#include "table/hover/cut_text.h"
#include "table/hover/markdown.h"
#include "table/hover/plain_hover.h"
#include "table/hover/prose.h"
#include "table/whitespace.h"

namespace symbols::table {
namespace {

using Form = lsp::HoverPart::Form;
using Kind = MarkdownBlock::Kind;

// A title that only repeats the row's NAME: `__name__` of some PHP and Lua servers.
std::span<const MarkdownBlock> without_title(std::span<const MarkdownBlock> blocks,
                                             std::string_view symbol_name) {
  if (blocks.size() < 2 || symbol_name.empty()) return blocks;
  if (blocks[0].kind != Kind::paragraph && blocks[0].kind != Kind::heading) return blocks;
  const bool repeats = fold_whitespace(prose_text(blocks.first(1))) == symbol_name;
  return repeats ? blocks.subspan(1) : blocks;
}

// Paragraphs at the end of a hover that only say where more is to be read: gopls's [`strings.Builder` on
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

// The code at the start of a hover is its signature. More code of the same language directly after it belongs
// to it (rust-analyzer's module path); code of another language, or after a ruler, is an example.
HoverText split_markdown(std::string_view text, std::string_view symbol_name) {
  const std::vector<MarkdownBlock> document = parse_markdown(text);
  if (std::optional<HoverText> clangd = split_clangd_hover(document)) return std::move(*clangd);
  std::span<const MarkdownBlock> blocks = without_title(document, symbol_name);
  std::string signature;
  while (!blocks.empty() && blocks[0].kind == Kind::ruler) blocks = blocks.subspan(1);
  const std::string_view language =
      blocks.empty() ? std::string_view{} : std::string_view(blocks[0].language);
  while (!blocks.empty() && blocks[0].kind == Kind::code && blocks[0].language == language) {
    signature += code_line(without_methods(blocks[0].text, language));
    signature += ' ';
    blocks = blocks.subspan(1);
  }
  if (!blocks.empty() && is_link_to_documentation(blocks.back())) blocks = blocks.first(blocks.size() - 1);
  return {fold_whitespace(signature), prose_line(prose_text(blocks))};
}

// A part besides the signature, in full.
std::string part_prose(const lsp::HoverPart& part) {
  if (part.form == Form::code) return fold_whitespace(part.value);
  if (part.form == Form::plaintext) return fold_whitespace(tidy_tags(part.value));
  return fold_whitespace(prose_text(parse_markdown(part.value)));
}

HoverText split_part(const lsp::HoverPart& part, std::string_view symbol_name) {
  switch (part.form) {
    case Form::code:
      return {code_line(part.value), {}};
    case Form::plaintext:
      return split_plain_hover(part.value, symbol_name);
    case Form::markdown:
      break;
  }
  return split_markdown(part.value, symbol_name);
}

// MarkedString[]: the code parts are the signature, wherever they are (ccls puts the comment first). Without
// code parts it is the first part, if it reads like code (the css server for clients without Markdown).
HoverText split_parts(std::span<const lsp::HoverPart> parts, std::string_view symbol_name) {
  HoverText hover;
  const bool has_code = std::ranges::any_of(parts, [](const auto& part) { return part.form == Form::code; });
  bool signature_begun = false;
  bool signature_over = false;
  for (const lsp::HoverPart& part : parts) {
    if (has_code) {
      if (part.form == Form::code && !signature_over) {
        hover.signature += code_line(part.value);
        hover.signature += ' ';
        signature_begun = true;
        continue;
      }
      signature_over = signature_begun;
    } else if (&part == parts.data()) {
      HoverText first = split_part(part, symbol_name);
      if (first.signature.empty() && looks_like_code(first.prose, symbol_name))
        first.signature.swap(first.prose);
      hover = std::move(first);
      continue;
    }
    hover.prose += ' ';
    hover.prose += part_prose(part);
  }
  return {fold_whitespace(hover.signature), prose_line(hover.prose)};
}

// Code over several lines has become one line: `f( a, b )`.
void close_up_parentheses(std::string& code) {
  const auto is_space_inside = [&code](const char& c) {
    if (c != ' ' || &c == &code.front() || &c == &code.back()) return false;
    return *(&c - 1) == '(' || *(&c + 1) == ')';
  };
  std::string closed;
  closed.reserve(code.size());
  std::ranges::copy_if(code, std::back_inserter(closed), [&](const char& c) { return !is_space_inside(c); });
  code = std::move(closed);
}

// Whether it is pyright's of a symbol whose type it does not know: `(parameter) x: Unknown`.
bool says_nothing(std::string_view signature, std::string_view symbol_name) {
  if (symbol_name.empty() || !signature.starts_with('(')) return false;
  const std::size_t end = signature.find(") ");
  return end != std::string_view::npos && signature.substr(end + 2) == std::string(symbol_name) + ": Unknown";
}

// Whether it is the css server's of a rule: the selector, which is the name, written as HTML, and its
// specificity. That of a nested rule shows what `&` stands for.
bool repeats_selector(std::string_view prose, std::string_view symbol_name) {
  return !symbol_name.empty() && symbol_name.find('&') == std::string_view::npos &&
         prose.starts_with("Selector Specificity: (") && prose.ends_with(')');
}

// What a hover repeats of its row, server by server, which nobody needs to read twice (docs/spec.md, section
// 3). Both parts are one line each; if the name is empty, little is recognised.
void drop_repetitions(HoverText& hover, std::string_view symbol_name) {
  auto& [signature, prose] = hover;
  close_up_parentheses(signature);
  if (prose == signature || prose == symbol_name) prose.clear();
  // pyright repeats a parameter's name before what its docstring says.
  if (!symbol_name.empty() && prose.starts_with(std::string(symbol_name) + ": ")) {
    prose.erase(0, symbol_name.size() + 2);
  }
  // clangd's of a namespace.
  if (signature == "namespace " + std::string(symbol_name) + " {}") signature.clear();
  if (says_nothing(signature, symbol_name)) signature.clear();
  if (repeats_selector(prose, symbol_name)) hover = {};
}

}  // namespace

HoverText split_hover(const lsp::Hover& hover, std::string_view symbol_name) {
  if (hover.parts.empty()) return {};
  HoverText text = hover.parts.size() == 1 ? split_part(hover.parts.front(), symbol_name)
                                           : split_parts(hover.parts, symbol_name);
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

std::string flatten_hover(const lsp::Hover& hover, std::size_t max_characters, std::string_view symbol_name) {
  return join_hover(split_hover(hover, symbol_name), max_characters);
}

}  // namespace symbols::table
