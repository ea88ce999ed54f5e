// The prose and the code of a hover as lines: of Markdown in blocks, or of plain text; the first sentence of
// the prose; and the parts of clangd's hovers. Lists and quotes of Markdown are not nested, because
// everything ends up in one line.
//
// Anybody may have written a doc comment, and a slow parser holds up every client. 60 hostile units repeated
// to 1 MB (`>`, `[`, `*a_ `, tables) take md4c 0.4.8 at most 0.3 s, and link definitions 4 s, which
// max_markdown keeps to 0.3 s. cmark-gfm 0.29 took 24 s for 60 kB of `>`, and over 60 s for a table's head of
// 75 kB.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "table/hover/hover_text.h"

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

// The text of the blocks, with a line end after each: prose with tidy tags, code verbatim, rulers dropped.
std::string prose_text(std::span<const MarkdownBlock> blocks);

// `prose` (plain text, lines ended by '\n') without the tags at the start of a line that docs/spec.md,
// section 3, drops; others lose the dash after a parameter's name, and TypeScript's after any other tag:
// `@param width - in mm` gives `@param width in mm`, `@default — 2` gives `@default 2`. In linear time.
std::string tidy_tags(std::string_view prose);

// `prose` in one line, without a list mark or a dash at its start, since it follows a similar separator.
std::string prose_line(std::string_view prose);

// `code` in one line. A backslash at a line end in a macro definition is whitespace in C, and is removed.
std::string code_line(std::string_view code);

// The field `doc` (docs/spec.md, section 1): the first sentence of `prose` (one line, as HoverText::prose
// is), with its mark and without surrounding spaces, as a view. All of `prose` if no sentence ends before.
//
// A sentence ends in `.`, `!`, `?` or `…`, with closing quotes and brackets, before a space that no
// lower-case letter follows; in `。`, `！` or `？` anywhere; and before a tag (` @param`). A dot does not
// end it within a name or number (3.14, foo.bar), after an abbreviation (`e.g.`, `Dr.`), or a number at the
// start of the text (`1. First`). Text in backticks never ends it. A first sentence's first is itself.
std::string_view first_sentence(std::string_view prose);

// clangd's own layout of a hover: a heading, facts about the type, the documentation, and the definition
// last. In Markdown the parts are marked; in plain text (clients that declare no contentFormat) only empty
// lines separate them. The two parts of such a hover; nothing if it is another server's. Of the facts those
// that repeat the definition or the row are dropped (docs/spec.md, section 3); the others (value, an alias'
// real type) follow the documentation.
std::optional<HoverText> split_clangd_hover(std::span<const MarkdownBlock> blocks);
std::optional<HoverText> split_clangd_plain_hover(std::string_view text);

}  // namespace symbols::table
