// Splits Markdown into the blocks of a hover: code, which is kept, and prose, which is reduced. CommonMark
// 0.31 with the tables of GitHub, as far as the end and the kind of a block depend on it. Lists and quotes
// are not nested blocks here, because everything ends up in one line.
//
// Why not cmark-gfm: Debian 12's (0.29.0.gfm.6), its tree flattened in the same way, gave the same text byte
// for byte for all 6,028 hovers of fixtures/captures and 19,332 more of gopls, clangd and
// typescript-language-server, in 23 ms for the first where this takes 12. But anybody may have written a doc
// comment, and cmark-gfm needs 24 s for 60 kB of `>` before some lines, 27 s for as many `- `, over 60 s for
// a table's head of 75 kB, where this takes 20 ms at most; the proxy and its client would wait. It also
// consumes characters that were not meant as marks: `2*3*4`, `src/**/*.ts`, `f[0](x)`, `vector<std::string>`.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace symbols::table {

struct MarkdownBlock {
  enum class Kind {
    paragraph,  // or one list item, its mark included; a table's row, its cells joined by spaces
    heading,    // without its marks; a heading that is underlined is a paragraph and a ruler
    ruler,      // no text
    code,       // the text between the fences, or an indented block; verbatim
  };
  Kind kind = Kind::paragraph;
  std::string text;      // of prose: still Markdown (`markdown_inline_text` reduces it), lines ended by '\n'
  std::string language;  // of fenced code: the first word after the fence

  bool operator==(const MarkdownBlock&) const = default;
};

// Labels of link reference definitions, as `link_label` normalises them.
using LinkLabels = std::set<std::string, std::less<>>;

struct Markdown {
  std::vector<MarkdownBlock> blocks;
  LinkLabels labels;
};

// Takes any text: an unclosed fence runs to the end. Time is linear in the length of `text`.
Markdown parse_markdown(std::string_view text);

// `label` in the form in which labels are compared: whitespace folded, ASCII letters in lower case.
std::string link_label(std::string_view label);

}  // namespace symbols::table
