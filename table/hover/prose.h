// The prose and the code of a hover as lines: of a run of Markdown blocks, or of plain text; the first
// sentence of the prose; and the parts of clangd's hovers.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "table/hover/hover_text.h"
#include "table/hover/markdown.h"

namespace symbols::table {

// The text of the blocks, with a line end after each: prose with tidy tags, code verbatim, rulers dropped.
std::string prose_text(std::span<const MarkdownBlock> blocks);

// `prose` (plain text, lines ended by '\n') with its documentation tags (`@param`, `\return`) tidied, where
// they start a line: without the dash after a parameter's name, and the one that TypeScript puts after any
// other tag: `@param width - in mm` gives `@param width in mm`, `@default — 2` gives `@default 2`. What files
// a symbol away instead of describing it goes: lines of `@since`, `@category`, `@author` and `@version`,
// `@see` and `@sa` with nothing but an address, and the words `@brief`, `@short` and fmt's `\rst` and
// `\endrst`. Time is linear in the length of `prose`.
std::string tidy_tags(std::string_view prose);

// `prose` in one line, without a list mark or a dash at its start, because it follows a separator that looks
// like one.
std::string prose_line(std::string_view prose);

// `code` in one line. A backslash at a line end in a macro definition is whitespace in C, and is removed.
std::string code_line(std::string_view code);

// The field `doc` (docs/spec.md, section 1): the first sentence of `prose` (one line, as HoverText::prose
// is), with its mark and without surrounding spaces, as a view. All of `prose` if no sentence ends before.
//
// A sentence ends in `.`, `!`, `?` or `…`, with closing quotes and brackets, before a space that no
// lower-case letter follows; in `。`, `！` or `？` anywhere; and before a tag (` @param`). A dot does not end
// it within a name or number (3.14, foo.bar), after an abbreviation (`e.g.`, `Dr.`), or after a number at the
// start of the text (`1. First`). Text between backticks never ends a sentence. The first sentence of a first
// sentence is itself.
std::string_view first_sentence(std::string_view prose);

// clangd's own layout of a hover: a heading, facts about the type, the documentation, and the definition
// last. In Markdown the parts are marked; in plain text (clients that declare no contentFormat) only empty
// lines separate them. The two parts of such a hover; nothing if it is another server's. Text that repeats
// the definition or the row is dropped: the heading, the return type and the type if the definition has them,
// parameters without documentation, a value at the end of the definition, and the comment that names the
// scope. clangd's other facts (value, offset, size, an alias' real type) follow the documentation.
std::optional<HoverText> split_clangd_hover(std::span<const MarkdownBlock> blocks);
std::optional<HoverText> split_clangd_plain_hover(std::string_view text);

}  // namespace symbols::table
