#include "table/hover/hover_text.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "lsp/unicode.h"
#include "table/hover/clangd_hover.h"
#include "table/hover/doc_tags.h"
#include "table/hover/markdown.h"
#include "table/hover/markdown_prose.h"
#include "table/hover/plain_hover.h"
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

// The css server's hover of a rule: the selector, which is the row's name, written as HTML, and its
// specificity. A nested rule's shows what `&` stands for.
bool repeats_selector(const HoverText& text, std::string_view symbol_name) {
  return !symbol_name.empty() && symbol_name.find('&') == std::string_view::npos &&
         text.prose.starts_with("Selector Specificity: (") && text.prose.ends_with(')');
}

}  // namespace

HoverText split_hover(const lsp::Hover& hover, std::string_view symbol_name) {
  if (hover.parts.empty()) return {};
  HoverText text = hover.parts.size() == 1 ? split_part(hover.parts.front(), symbol_name)
                                           : split_parts(hover.parts, symbol_name);
  if (text.prose == text.signature || text.prose == symbol_name) text.prose.clear();
  // pyright repeats a parameter's name before what its docstring says.
  if (!symbol_name.empty() && text.prose.starts_with(std::string(symbol_name) + ": ")) {
    text.prose.erase(0, symbol_name.size() + 2);
  }
  // clangd's of a namespace, whose row has its kind and name.
  if (text.signature == "namespace " + std::string(symbol_name) + " {}") text.signature.clear();
  if (repeats_selector(text, symbol_name)) return {};
  for (std::string* part : {&text.signature, &text.prose}) {
    if (lsp::find_invalid_utf8(*part) != std::string_view::npos) *part = lsp::to_valid_utf8(*part);
  }
  return text;
}

namespace {

// In Unicode scalar values.
std::size_t length(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return !lsp::is_utf8_continuation(c); }));
}

// A signature's list of parameters.
struct ParameterList {
  std::size_t start;                        // behind the opening parenthesis
  std::size_t end;                          // of the closing one
  std::vector<std::size_t> parameter_ends;  // behind the comma of each but the last
};

// The outermost list in parentheses that something stands before, other than a word in parentheses such as
// `(method)` and a method's receiver in Go; none where brackets are not in pairs.
std::optional<ParameterList> find_parameters(std::string_view signature) {
  std::optional<ParameterList> list;
  std::string open;
  for (std::size_t i = 0; i < signature.size(); ++i) {
    const char c = signature[i];
    const char before = i > 0 ? signature[i - 1] : ' ';
    if (c == '<') {
      if (is_word(before)) open += c;  // type arguments; elsewhere an operator, or `template <`
    } else if (c == '>') {
      const bool is_arrow = before == '-' || before == '=';
      if (!is_arrow && open.ends_with('<')) open.pop_back();
    } else if (c == '(' || c == '[' || c == '{') {
      const bool follows_name = is_word(before) || before == '>';
      if (c == '(' && open.empty() && follows_name) list = {.start = i + 1, .end = 0, .parameter_ends = {}};
      open += c;
    } else if (c == ')' || c == ']' || c == '}') {
      const char opening = c == ')' ? '(' : c == ']' ? '[' : '{';
      while (open.ends_with('<')) open.pop_back();
      if (!open.ends_with(opening)) return std::nullopt;
      open.pop_back();
      if (list && open.empty()) {
        list->end = i;
        return list;
      }
    } else if (c == ',' && list && open.size() == 1) {
      list->parameter_ends.push_back(i + 1);
    }
  }
  return std::nullopt;
}

}  // namespace

std::string cut_text(std::string_view text, std::size_t max_characters) {
  if (max_characters == 0 || text.size() <= max_characters) return std::string(text);
  std::size_t end = max_characters - 1;
  if (lsp::find_non_ascii(text.substr(0, max_characters)) != std::string_view::npos) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < text.size() && count <= max_characters; ++i) {
      if (lsp::is_utf8_continuation(text[i])) continue;
      if (++count == max_characters) end = i;
    }
    if (count <= max_characters) return std::string(text);
  }
  constexpr std::string_view ellipsis = "\u2026";
  std::string cut;
  cut.reserve(end + ellipsis.size());
  return cut.append(text.substr(0, end)).append(ellipsis);
}

std::string cut_signature(std::string_view signature, std::size_t max_characters) {
  if (max_characters == 0 || length(signature) <= max_characters) return std::string(signature);
  const std::optional<ParameterList> list = find_parameters(signature);
  constexpr std::string_view rest_of_list = "\u2026)";
  const std::size_t around =
      list ? length(signature.substr(0, list->start)) + 2 + length(signature.substr(list->end + 1))
           : max_characters;
  // A longer result would leave nothing of the parameters.
  if (around >= max_characters || list->end + 1 == signature.size())
    return cut_text(signature, max_characters);
  std::size_t kept = list->start;
  for (const std::size_t end : list->parameter_ends) {
    if (around + length(signature.substr(list->start, end - list->start)) + 1 >= max_characters) break;
    kept = end;
  }
  std::string cut(signature.substr(0, kept));
  if (kept != list->start) cut += ' ';
  return cut.append(rest_of_list).append(signature.substr(list->end + 1));
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
