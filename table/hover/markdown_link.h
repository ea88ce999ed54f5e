// Finds the end of bracketed parts of Markdown: the address of a link, an automatic link, an HTML tag. Every
// scan stops after a fixed number of bytes, so a text of only opening brackets takes linear time.
#pragma once

#include <cstddef>
#include <string_view>

namespace symbols::table {

// Bytes of `(address "title")` at the start of `text`, 0 if there is none.
std::size_t link_target_length(std::string_view text);

// Whether the text in a link target (`(…)`) is an address, and not an argument: `handlers[name](event)` is a
// call in documentation that was not written as Markdown.
bool looks_like_address(std::string_view target);

// A construct that starts with '<'.
struct AngleSpan {
  enum class Kind {
    none,
    address,     // `<https://host/>`, `<a@b.c>`
    tag,         // an HTML tag
    line_break,  // the tag <br>
  };
  Kind kind = Kind::none;
  std::size_t length = 0;  // of the whole, brackets included
};

// The construct at the start of `text`, which starts with '<'. `<std::string>` is none, although CommonMark
// reads it as an address: only `scheme://` and `mailto:` are addresses here.
AngleSpan angle_span(std::string_view text);

}  // namespace symbols::table
