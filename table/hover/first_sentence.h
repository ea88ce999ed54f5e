// The field `doc` (docs/spec.md, section 1): of what is said about a symbol, the first sentence.
#pragma once

#include <string_view>

namespace symbols::table {

// The first sentence of `prose` (one line, as HoverText::prose is), with its mark and without blanks at its
// ends: a view of it. All of it where no sentence ends before.
//
// A sentence ends in `.`, `!`, `?` or `…`, closing quotes and brackets behind it included, before a blank
// after which no small letter follows; in `。`, `！` or `？` wherever it stands; and before a tag (`
// @param`). A dot does not end it within a name or number (3.14, foo.bar), after an abbreviation (`e.g.`,
// `Dr.`), nor behind a number that starts the text (`1. First`). What stands between backticks has no ends.
// The first sentence of a first sentence is itself.
std::string_view first_sentence(std::string_view prose);

}  // namespace symbols::table
