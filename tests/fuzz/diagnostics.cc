// The decoder of diagnostics (lsp/replies.h), and the text that is made of them
// (table/diagnostics_text.h).
// Covers: lsp/replies.cc table/diagnostics_text.cc table/formats/pretty_format.cc
#include <cstddef>
#include <string>
#include <string_view>

#include "lsp/json/raw_json.h"
#include "lsp/replies.h"
#include "table/diagnostics_text.h"
#include "table/formats/pretty_format.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/json_reference.h"

namespace symbols::fuzz::diagnostics_target {

void diagnostics(std::string_view data) {
  Input input(data);
  const std::size_t most = input.byte();
  const bool report = input.flag();
  const std::string_view json = input.rest();
  Result<lsp::DiagnosticList> list =
      report ? lsp::decode_diagnostic_report(json) : lsp::decode_diagnostics(json);
  if (!list) return;
  holds(list->first.size() <= lsp::max_diagnostics && list->first.size() <= list->total,
        "no more than there are");
  holds(list->first.size() == list->total || list->first.size() == lsp::max_diagnostics,
        "all, up to the limit");

  // What is written says the same, and is what LSP has.
  const std::string written = table::diagnostics_json(*list);
  const Result<lsp::DiagnosticList> again = lsp::decode_diagnostics(written);
  holds(again.has_value(), "what is written is read");
  for (std::size_t i = 0; i < list->first.size(); ++i) {
    lsp::Diagnostic before = list->first[i];
    const lsp::Diagnostic& after = again->first[i];
    // A code that is empty, or no 64-bit number any more, may be left out.
    holds(before.range == after.range && before.severity == after.severity &&
              before.message == after.message && before.source == after.source && before.code == after.code,
          "what is written reads back");
  }

  // Within a budget, in each place that an answer has for them.
  using table::DiagnosticsPlace;
  for (const DiagnosticsPlace place :
       {DiagnosticsPlace::behind_rows, DiagnosticsPlace::lines_beside, DiagnosticsPlace::json_beside}) {
    table::Diagnostics part{*list};
    table::fit_diagnostics(part, place, table::TokenLimit(most + 1));
    holds(part.value && part.value->first.size() <= list->first.size() && part.value->total == list->total,
          "a budget adds none");
    std::string object = "{\"symbols\":[]";
    table::append_diagnostics_members(object, part);
    holds(Parsed(object + "}").valid, "the members are JSON");
  }
  lsp::DiagnosticList near = *list;
  const lsp::Position place{static_cast<std::uint32_t>(most % 16), 0};
  table::keep_diagnostics(near, most, lsp::Range{place, {place.line + 1, 0}});
  holds(near.first.size() <= most && near.total == list->total, "no more than are wanted near a place");
  for (const bool colour : {false, true}) {
    const std::string shown = table::write_pretty_diagnostics(table::Diagnostics{*list}, {.colour = colour});
    valid_utf8(shown, "what people read is UTF-8");
  }

  table::keep_diagnostics(*list, most);
  holds(list->first.size() <= most, "no more than are wanted");
  std::string text = "rows";
  table::append_diagnostics(text, table::Diagnostics{*list});
  valid_utf8(text, "the text is UTF-8");
  std::size_t lines = 0;
  for (const char c : text) {
    if (c == '\n') ++lines;
    holds(c == '\n' || static_cast<unsigned char>(c) >= 0x20, "no control characters in the text");
  }
  holds(lines == list->first.size() + 1, "a line for each, and the heading");
}

const Registration registration("diagnostics", diagnostics);

}  // namespace symbols::fuzz::diagnostics_target
