// A hover, from the server's reply to the text in a row (lsp/replies.h, table/hover/): one line, valid,
// within its limit, nothing in it that a terminal would obey.
//
// Covers: lsp/replies.cc table/hover/*.cc table/one_line.cc
#include <cstddef>
#include <string>
#include <string_view>

#include "lsp/replies.h"
#include "lsp/unicode.h"
#include "table/hover/hover_text.h"
#include "table/hover/prose.h"
#include "table/one_line.h"
#include "tests/fuzz/fuzz_target.h"

namespace symbols::fuzz::hover_target {

void check_line(std::string_view text, std::string_view what) {
  valid_utf8(text, "a hover's text is UTF-8");
  holds(text.find_first_of("\n\r\t") == text.npos, what);
  holds(!text.starts_with(' ') && !text.ends_with(' '), "no spaces at the ends of a hover's text");
  if (text.find("  ") != text.npos) same_text(text, "", "whitespace is folded in a hover's text");
}

void check_cut(std::string_view text, std::size_t most) {
  valid_utf8(text, "a cut text is UTF-8");
  holds(most == 0 || lsp::scalar_count(text) <= most, "a cut text keeps its limit");
}

void hover(std::string_view data) {
  Input input(data);
  const std::size_t most = input.byte();
  const std::string_view name = input.flag() ? input.text_until('\n') : std::string_view("name");
  const std::string symbol_name = lsp::to_valid_utf8(name);
  const std::uint8_t form = input.byte();
  lsp::Hover decoded;
  if ((form & 1U) != 0) {
    const Result<lsp::Hover> reply = lsp::decode_hover(input.rest());
    if (!reply) return;
    decoded = *reply;
    for (const lsp::HoverPart& part : decoded.parts) {
      valid_utf8(part.value, "a hover's part is UTF-8");
      holds(!part.value.empty(), "no part is empty");
    }
  } else {
    // The text itself, which JSON's escapes hide from mutations.
    using Form = lsp::HoverPart::Form;
    const Form forms[] = {Form::markdown, Form::plaintext, Form::code, Form::markdown};
    decoded.parts.push_back({forms[(form >> 1U) & 3U], lsp::to_valid_utf8(input.rest())});
  }
  const table::HoverText text = table::split_hover(decoded, symbol_name);
  check_line(text.signature, "a signature is one line");
  check_line(text.prose, "prose is one line");
  const std::string joined = table::join_hover(text, most);
  check_cut(joined, most);
  check_cut(table::cut_text(text.prose, most), most);
  check_cut(table::cut_signature(text.signature, most), most);

  const std::string_view sentence = table::first_sentence(text.prose);
  holds(sentence.size() <= text.prose.size(), "a sentence is a part of its prose");
  same_text(table::first_sentence(sentence), sentence, "the first sentence of a first sentence is itself");
}

const Registration registration("hover", hover);

}  // namespace symbols::fuzz::hover_target
