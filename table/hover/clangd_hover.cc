#include "table/hover/clangd_hover.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "base/text.h"
#include "table/hover/clangd_facts.h"
#include "table/hover/prose.h"
#include "table/whitespace.h"

namespace symbols::table {
namespace {

using Kind = MarkdownBlock::Kind;

// The words that start a heading (index::getSymbolKindString in clang).
constexpr auto kinds = std::to_array<std::string_view>({"module",
                                                        "namespace",
                                                        "namespace-alias",
                                                        "macro",
                                                        "enum",
                                                        "struct",
                                                        "class",
                                                        "protocol",
                                                        "extension",
                                                        "union",
                                                        "type-alias",
                                                        "function",
                                                        "variable",
                                                        "field",
                                                        "enumerator",
                                                        "instance-method",
                                                        "class-method",
                                                        "static-method",
                                                        "instance-property",
                                                        "class-property",
                                                        "static-property",
                                                        "constructor",
                                                        "destructor",
                                                        "conversion-func",
                                                        "param",
                                                        "using",
                                                        "concept",
                                                        "template-type-param"});

struct Heading {
  std::string_view kind;
  std::string_view name;
};

std::optional<Heading> read_heading(std::string_view line) {
  line = trim(line);
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const Heading heading{line.substr(0, space), trim(line.substr(space))};
  if (heading.name.empty() || std::ranges::find(kinds, heading.kind) == kinds.end()) return std::nullopt;
  return heading;
}

// The definition without `// In Foo`, which the row's PARENT shows, and without what a macro expands to.
std::string_view definition_in(std::string_view code) {
  std::string_view definition = trim(code);
  if (definition.starts_with("// In ")) {
    const std::size_t end = definition.find_first_of("\r\n");
    if (end != std::string_view::npos) definition = trim(definition.substr(end));
  }
  if (definition.starts_with("#define"))
    return trim(definition.substr(0, definition.find("\n// Expands to")));
  return definition;
}

HoverText compose(std::string signature, std::string_view documentation, const ClangdFacts& facts) {
  std::string prose(documentation);
  prose += '\n';
  prose += facts.kept();
  return {std::move(signature), prose_line(prose)};
}

// The index of the definition's block: clangd's last one, after a ruler, or the one directly under the
// heading. The number of blocks if there is none.
std::size_t find_definition(std::span<const MarkdownBlock> blocks) {
  const auto is_definition = [&](std::size_t i) {
    return blocks[i].kind == Kind::code && !blocks[i].language.empty() && blocks[i - 1].kind == Kind::ruler;
  };
  if (blocks.size() > 2 && is_definition(2)) return 2;
  for (std::size_t i = blocks.size(); i-- > 1;) {
    if (is_definition(i)) return i;
  }
  return blocks.size();
}

}  // namespace

std::optional<HoverText> split_clangd_hover(std::span<const MarkdownBlock> blocks) {
  if (blocks.empty() || blocks[0].kind != Kind::heading) return std::nullopt;
  const std::optional<Heading> heading = read_heading(blocks[0].text);
  if (!heading || trim(blocks[0].code) != heading->name) return std::nullopt;

  const std::size_t at = find_definition(blocks);
  const std::string_view definition =
      at < blocks.size() ? definition_in(blocks[at].text) : std::string_view{};
  const std::span<const MarkdownBlock> body = blocks.subspan(1, at - 1);
  ClangdFacts facts(heading->kind, heading->name, definition);
  std::string documentation;
  bool in_facts = true;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const MarkdownBlock& block = body[i];
    if (!in_facts || block.kind == Kind::code) {
      documentation += prose_text(body.subspan(i));
      break;
    }
    if (block.kind == Kind::ruler) continue;
    std::string_view rest = block.text;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
      if (!facts.take(rest.substr(0, end))) break;
      rest.remove_prefix(end);
    }
    if (rest.empty()) continue;
    in_facts = false;
    documentation = tidy_tags(rest) + '\n';
  }
  if (at < blocks.size()) documentation += prose_text(blocks.subspan(at + 1));
  // Without a definition, only the heading describes the symbol.
  if (definition.empty())
    return compose(fold_whitespace(std::string(heading->kind) + ' ' + std::string(heading->name)),
                   documentation, facts);
  return compose(code_line(definition), documentation, facts);
}

namespace {

// Whether `definition` can belong to `heading`: another server's hover may also start with a word such as
// `class`.
bool defines(std::string_view definition, const Heading& heading) {
  for (const std::string_view keyword : {"class", "struct", "enum", "union", "namespace"}) {
    if (heading.kind == keyword && definition.find(keyword) == std::string_view::npos) return false;
  }
  std::string_view name = heading.name;
  if (name.starts_with('(')) return true;  // (anonymous enum)
  if (name.find("operator") == std::string_view::npos) {
    name = name.substr(0, name.find('<'));
    const std::size_t scope = name.rfind("::");
    if (scope != std::string_view::npos) name.remove_prefix(scope + 2);
  }
  return definition.find(name) != std::string_view::npos;
}

}  // namespace

std::optional<HoverText> split_clangd_plain_hover(std::string_view text) {
  const std::vector<std::string_view> lines = split_lines(text);
  if (lines.size() < 3 || !trim(lines[1]).empty()) return std::nullopt;
  const std::optional<Heading> heading = read_heading(lines[0]);
  if (!heading) return std::nullopt;

  // The definition follows the last empty line; a macro's definition contains an empty line itself.
  std::size_t last = lines.size();
  while (last > 2 && trim(lines[last - 1]).empty()) --last;
  std::size_t start = last;
  while (start > 2 && !trim(lines[start - 1]).empty()) --start;
  if (lines[start].starts_with("// Expands to")) {
    while (start > 2 && !lines[start].starts_with("#define ")) --start;
  }
  const auto offset = [&](std::size_t line) {
    return static_cast<std::size_t>(lines[line].data() - text.data());
  };
  const std::string_view definition = definition_in(text.substr(offset(start)));
  if (start >= last || !defines(definition, *heading)) return std::nullopt;

  ClangdFacts facts(heading->kind, heading->name, definition);
  std::size_t i = 2;
  while (i < start && facts.take(lines[i])) ++i;
  std::string documentation;
  for (; i < start; ++i) {
    documentation += lines[i];
    documentation += '\n';
  }
  return compose(code_line(definition), tidy_tags(documentation), facts);
}

}  // namespace symbols::table
