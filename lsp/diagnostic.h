// A server's diagnostics of a document: Diagnostic[], as it publishes it and as it answers
// textDocument/diagnostic (LSP 3.17, "PublishDiagnostics Notification", "Document Diagnostics").
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "lsp/json/json_elements.h"
#include "lsp/range.h"

namespace symbols::lsp {

struct Diagnostic {
  Range range;
  std::int64_t severity = 1;  // 1 error, 2 warning, 3 information, 4 hint; an error if it is missing
  std::string code;           // a number is kept as its digits; may be empty
  bool code_is_number = false;
  std::string source;   // the tool ("clang-tidy"); may be empty
  std::string message;  // may have lines
  // All texts are valid UTF-8.

  bool operator==(const Diagnostic&) const = default;
};

using DiagnosticList = ListStart<Diagnostic>;

// No more than this many of a list are decoded.
inline constexpr std::size_t most_diagnostics = 5000;

// Decodes a Diagnostic[]. `json` starts with the value; what follows it is not read. Errors: not JSON, or not
// of that shape.
Result<DiagnosticList> decode_diagnostics(std::string_view json);

// The same for a DocumentDiagnosticReport, the `result` of textDocument/diagnostic. An `unchanged` report is
// an error: we never send a previous result's id.
Result<DiagnosticList> decode_diagnostic_report(std::string_view json);

}  // namespace symbols::lsp
