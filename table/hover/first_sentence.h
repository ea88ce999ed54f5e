// The field `doc` (docs/spec.md, section 1): the first sentence of a symbol's documentation.
#pragma once

#include <string_view>

namespace symbols::table {

// The first sentence of `prose` (one line, as HoverText::prose is), with its mark and without surrounding
// spaces, as a view. All of `prose` if no sentence ends before.
//
// A sentence ends in `.`, `!`, `?` or `…`, with closing quotes and brackets, before a space that no
// lower-case letter follows; in `。`, `！` or `？` anywhere; and before a tag (` @param`). A dot does not end
// it within a name or number (3.14, foo.bar), after an abbreviation (`e.g.`, `Dr.`), or after a number at the
// start of the text (`1. First`). Text between backticks never ends a sentence. The first sentence of a first
// sentence is itself.
std::string_view first_sentence(std::string_view prose);

}  // namespace symbols::table
