// Markdown in the blocks of a hover, reduced to text: code, which is kept, and prose. Lists and quotes are
// not nested, because everything ends up in one line. md4c reads it; this file flattens what it says.
//
// Anybody may have written a doc comment, and a slow parser holds up every client. 60 hostile units repeated
// to 1 MB (`>`, `[`, `*a_ `, tables) take md4c 0.4.8 at most 0.3 s, and link definitions 4 s, which
// max_markdown keeps to 0.3 s. cmark-gfm 0.29 took 24 s for 60 kB of `>`, and over 60 s for a table's head of
// 75 kB.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace symbols::table {

struct MarkdownBlock {
  enum class Kind {
    paragraph,  // or one list item, its mark included; a table's row, its cells joined by spaces
    heading,
    ruler,  // no text
    code,   // the text between the fences, or an indented block; verbatim
  };
  Kind kind = Kind::paragraph;
  std::string text;            // no marks; lines ended by '\n', also the last
  std::string language;        // of fenced code: the first word after the fence
  std::string code;            // inline code at the end of `text`: the name in clangd's heading
  std::string link;            // the address, if `text` ends in a link
  std::size_t link_start = 0;  // where that link starts in `text`

  bool operator==(const MarkdownBlock&) const = default;
};

inline constexpr std::size_t max_markdown = 256 * 1024;  // in bytes; the rest is left out

// Takes any text: an unclosed fence runs to the end.
//
// CommonMark with GitHub's tables: emphasis, backticks and link targets gone, images become their alternative
// text, escapes and entities are decoded outside code. HTML tags that mark up text and comments are dropped,
// `<br>` becomes a line end, other tags stay: `<T>` may be a type. Characters of documentation that was not
// written as Markdown are put back: a `*` between letters or beside a slash (`2*3*4`, `src/**/*.ts`),
// `a[i](j)`, `vector<std::string>`, `>>> prompt`.
std::vector<MarkdownBlock> parse_markdown(std::string_view text);

}  // namespace symbols::table
