#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "base/text.h"
#include "lsp/position.h"
#include "table/hover/prose.h"
#include "table/one_line.h"

namespace symbols::table {
namespace {

using namespace std::string_view_literals;

using Kind = MarkdownBlock::Kind;

// The words that start a heading (index::getSymbolKindString in clang).
constexpr std::string_view kinds =
    "module namespace namespace-alias macro enum struct class protocol extension union type-alias function "
    "variable field enumerator instance-method class-method static-method instance-property class-property "
    "static-property constructor destructor conversion-func param using concept template-type-param";

struct Heading {
  std::string_view kind;
  std::string_view name;
};

std::optional<Heading> read_heading(std::string_view line) {
  line = trim(line);
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const Heading heading{line.substr(0, space), trim(line.substr(space))};
  if (heading.name.empty() || !is_among(heading.kind, kinds)) return std::nullopt;
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

// The lines between heading and documentation. clangd writes each at most once, in this order
// (HoverInfo::present in its Hover.cpp).
enum class Fact { provider, return_type, parameters, type, value, offset, size, passed, none };
constexpr std::array fact_starts = {"provided by "sv, "\u2192 "sv,  "Parameters:"sv, "Type: "sv,
                                    "Value = "sv,     "Offset: "sv, "Size: "sv,      "Passed "sv};

Fact fact_of(std::string_view line) {
  const auto* const start =
      std::ranges::find_if(fact_starts, [&](std::string_view one) { return line.starts_with(one); });
  const auto fact = static_cast<Fact>(start - fact_starts.begin());
  return fact == Fact::parameters && line.size() > start->size() ? Fact::none : fact;
}

// Names and numbers in `code`, without qualifiers (`std::`) and the words that say nothing by themselves:
// clangd adds or drops them between a type and its definition.
std::set<std::string_view> words_of(std::string_view code) {
  constexpr std::string_view empty_words = "aka class const enum struct typename union volatile unnamed";
  std::set<std::string_view> words;
  for (std::size_t i = 0; i < code.size();) {
    std::size_t end = i;
    while (end < code.size() && is_word(code[end])) ++end;
    const std::string_view word = code.substr(i, end - i);
    i = std::max(end, i + 1);
    if (!word.empty() && !code.substr(end).starts_with("::") && !is_among(word, empty_words))
      words.insert(word);
  }
  return words;
}

// Reads the facts line by line, and keeps those that add to the definition. How an object lies in memory and
// which header a name is from are left out: readers of an outline do not ask, and pay for it on every row.
class ClangdFacts {
 public:
  // `definition`: the code without its scope comment. All must outlive the object.
  ClangdFacts(Heading heading, std::string_view definition)
      : heading_(heading), definition_(trim(definition)), definition_words_(words_of(definition)) {}

  // Whether `line` (plain text, without Markdown marks except a list item's `- `) is one of these; false once
  // the documentation has begun.
  bool consume(std::string_view line) {
    line = trim(line);
    if (line.empty()) return true;
    if (in_parameters_ && line.starts_with("- ") && consume_parameter(line)) return true;
    in_parameters_ = false;
    const Fact fact = fact_of(line);
    if (fact == Fact::none || fact < next_) return false;
    next_ = static_cast<Fact>(static_cast<int>(fact) + 1);
    in_parameters_ = fact == Fact::parameters;
    if (!in_parameters_ && !says_nothing(fact, line.substr(line.find(' ') + 1))) keep(line);
    return true;
  }

  // The signature, and as prose the documentation and the kept lines.
  HoverText hover(std::string signature, std::string documentation) const {
    return {std::move(signature), prose_line(documentation + '\n' + kept_)};
  }

 private:
  // A parameter is dropped if all its words are in the definition; for others the server says more.
  bool consume_parameter(std::string_view item) {
    std::string_view declaration = item.substr(2);
    declaration = declaration.substr(0, declaration.find(" (aka "));  // `size_t (aka unsigned long)`
    if (in_definition(declaration)) return true;
    const std::size_t dash = declaration.find(" - ");
    if (dash == std::string_view::npos || !in_definition(declaration.substr(0, dash))) return false;
    if (!parameters_kept_) keep("Parameters:");
    parameters_kept_ = true;
    keep(item);
    return true;
  }

  bool says_nothing(Fact fact, std::string_view value) const {
    switch (fact) {
      case Fact::return_type:
        // A function's definition has it, even if the source has `auto`; that of a lambda's variable not.
        return heading_.kind != "variable" || definition_.find("->") != std::string_view::npos;
      case Fact::type:
        // An enumerator's type is its parent in the table; a dependent type is not known.
        return heading_.kind == "enumerator" || value == "<dependent type>" || in_definition(value);
      case Fact::value: {
        value.remove_prefix(std::min<std::size_t>(2, value.size()));  // "= "
        const std::string_view plain = value.substr(0, value.find(" (0x"));
        return definition_.ends_with(plain) &&
               trim(definition_.substr(0, definition_.size() - plain.size())).ends_with('=');
      }
      default:
        return true;
    }
  }

  bool in_definition(std::string_view text) const {
    return std::ranges::all_of(words_of(text),
                               [&](std::string_view word) { return definition_words_.contains(word); });
  }

  void keep(std::string_view line) { kept_.append(line).append(1, '\n'); }

  Heading heading_;
  std::string_view definition_;
  std::set<std::string_view> definition_words_;
  Fact next_ = Fact::provider;  // the first one that may still come
  bool in_parameters_ = false;
  bool parameters_kept_ = false;
  std::string kept_;
};

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

// Whether `definition` can belong to `heading`: other servers' hovers may also start with `class`, say.
bool defines(std::string_view definition, const Heading& heading) {
  const bool is_keyword = is_among(heading.kind, "class struct enum union namespace");
  if (is_keyword && definition.find(heading.kind) == std::string_view::npos) return false;
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

std::optional<HoverText> split_clangd_hover(std::span<const MarkdownBlock> blocks) {
  if (blocks.empty() || blocks[0].kind != Kind::heading) return std::nullopt;
  const std::optional<Heading> heading = read_heading(blocks[0].text);
  if (!heading || trim(blocks[0].code) != heading->name) return std::nullopt;

  const std::size_t at = find_definition(blocks);
  const std::string_view definition =
      at < blocks.size() ? definition_in(blocks[at].text) : std::string_view{};
  const std::span<const MarkdownBlock> body = blocks.subspan(1, at - 1);
  ClangdFacts facts(*heading, definition);
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
    while (!rest.empty() && facts.consume(rest.substr(0, rest.find('\n')))) take_part(rest, '\n');
    if (rest.empty()) continue;
    in_facts = false;
    documentation = tidy_tags(rest) + '\n';
  }
  if (at < blocks.size()) documentation += prose_text(blocks.subspan(at + 1));
  // Without a definition, only the heading describes the symbol.
  return facts.hover(definition.empty() ? fold_whitespace(fmt::format("{} {}", heading->kind, heading->name))
                                        : code_line(definition),
                     documentation);
}

std::optional<HoverText> split_clangd_plain_hover(std::string_view text) {
  const std::vector<std::string_view> lines = lsp::split_lines(text);
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

  ClangdFacts facts(*heading, definition);
  std::size_t i = 2;
  while (i < start && facts.consume(lines[i])) ++i;
  std::string documentation;
  for (; i < start; ++i) documentation.append(lines[i]).append(1, '\n');
  return facts.hover(code_line(definition), tidy_tags(documentation));
}

}  // namespace symbols::table
