// Where the parts of Markdown end that stand in brackets: the address of a link, an automatic link, an HTML
// tag. Every scan stops after a fixed number of bytes, so that a text of nothing but opening brackets costs
// linear time.
#pragma once

#include <cstddef>
#include <string_view>

namespace symbols::table {

// Bytes of `(address "title")` at the start of `text`, 0 where it is none.
std::size_t link_target_length(std::string_view text);

// Whether the address in a link target (`(…)`) is one, rather than an argument: `handlers[name](event)` is
// a call in documentation that was not written as Markdown.
bool looks_like_address(std::string_view target);

// What starts with '<'.
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

// The construct at the start of `text`, which starts with '<'. `<std::string>` is none, though CommonMark
// takes it for an address: only `scheme://` and `mailto:` are.
AngleSpan angle_span(std::string_view text);

}  // namespace symbols::table
