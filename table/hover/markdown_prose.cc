#include "table/hover/markdown_prose.h"

#include <algorithm>
#include <cstddef>

#include "lsp/lines.h"
#include "table/hover/doc_tags.h"
#include "table/whitespace.h"

namespace symbols::table {

std::string prose_text(std::span<const MarkdownBlock> blocks) {
  std::string prose;
  for (const MarkdownBlock& block : blocks) {
    switch (block.kind) {
      case MarkdownBlock::Kind::paragraph:
      case MarkdownBlock::Kind::heading:
        prose += tidy_tags(block.text);
        break;
      case MarkdownBlock::Kind::code:
        prose += block.text;
        break;
      case MarkdownBlock::Kind::ruler:
        continue;
    }
    prose += '\n';
  }
  return prose;
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  constexpr std::size_t lines_of_most_hovers = 16;
  lines.reserve(lines_of_most_hovers);
  lsp::Lines walk(text);
  do {
    lines.push_back(walk.line());
  } while (walk.next());
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

std::string prose_line(std::string_view prose) {
  const std::string line = fold_whitespace(prose);
  std::string_view rest = line;
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (word != "-" && word != "*" && word != "+" && word != "\u2013" && word != "\u2014") break;
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  }
  return std::string(rest);
}

std::string code_line(std::string_view code) {
  if (!trim(code).starts_with("#define")) return fold_whitespace(code);
  std::string joined;
  for (std::string_view line : split_lines(code)) {
    if (line.ends_with('\\')) line.remove_suffix(1);
    joined += line;
    joined += '\n';
  }
  return fold_whitespace(joined);
}

}  // namespace symbols::table
