// The reply to textDocument/hover, in every shape that servers send: MarkupContent, a string, {language,
// value}, or an array of the last two (LSP 3.17, "Hover Request").
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lsp/range.h"

namespace symbols::lsp {

// One piece of a hover's contents.
struct HoverPart {
  enum class Form {
    markdown,   // MarkupContent of kind markdown, or a bare string
    plaintext,  // MarkupContent of kind plaintext
    code,       // {language, value}: the value is source text
  };
  Form form = Form::markdown;
  std::string value;  // valid UTF-8

  bool operator==(const HoverPart&) const = default;
};

struct Hover {
  std::vector<HoverPart> parts;  // empty for a null hover (null, "", [])
  std::optional<Range> range;
};

// Decodes the `result` of a hover reply; null gives a Hover without parts. `json` starts with the value; what
// follows it is not read. Errors: not JSON, or none of the shapes.
Result<Hover> decode_hover(std::string_view json);

}  // namespace symbols::lsp
