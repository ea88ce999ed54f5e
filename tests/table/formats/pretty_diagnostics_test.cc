#include <doctest/doctest.h>

#include <utility>

#include "table/formats/pretty_format.h"

namespace symbols::table {
namespace {

lsp::Diagnostic diagnostic(lsp::Position start, std::int64_t severity, std::string message,
                           std::string source = {}, std::string code = {}) {
  lsp::Diagnostic made;
  made.range = {start, start};
  made.severity = severity;
  made.message = std::move(message);
  made.source = std::move(source);
  made.code = std::move(code);
  return made;
}

TEST_CASE("pretty diagnostics: aligned, counted from 1, messages whole and in one line") {
  const Diagnostics part{lsp::DiagnosticList{
      {diagnostic({0, 13}, 1, "Use of undeclared\n  identifier 'x'", "clang", "undeclared_var_use"),
       diagnostic({99, 4}, 2, "unused\x1B[2J", "", "6133"), diagnostic({4, 0}, 4, "could be const")},
      7}};
  CHECK(write_pretty_diagnostics(part, {.width = 20}) ==
        "3 of 7 diagnostics:\n"
        " 1:14  error    Use of undeclared identifier 'x'  clang undeclared_var_use\n"
        "100:5  warning  unused\\x1B[2J  6133\n"
        "  5:1  hint     could be const");
  const Diagnostics one{lsp::DiagnosticList{{diagnostic({0, 0}, 1, "x")}, 1}};
  CHECK(write_pretty_diagnostics(one, {.colour = true}) ==
        "\x1B[2m1 diagnostic:\x1B[0m\n\x1B[32m1:1\x1B[0m  \x1B[31merror\x1B[0m  x");
}

TEST_CASE("pretty diagnostics: none, not answered, not requested") {
  Diagnostics part;
  CHECK(write_pretty_diagnostics(part, {}) == "");
  part.failure = "not offered by the server";
  CHECK(write_pretty_diagnostics(part, {}) == "no diagnostics: not offered by the server");
  part = {lsp::DiagnosticList{}};
  CHECK(write_pretty_diagnostics(part, {}) == "no diagnostics");
  part.value->total = 3;  // a budget left them out
  CHECK(write_pretty_diagnostics(part, {}) == "0 of 3 diagnostics");
}

}  // namespace
}  // namespace symbols::table
