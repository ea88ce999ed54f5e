// Which of the errors that a server publishes make the answers about a document wrong.
#include "proxy/query/source_errors.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace symbols::query {
namespace {

std::string diagnostic(int line, const std::string& code, const std::string& message, int severity = 1,
                       const std::string& source = "clang") {
  const std::string start = R"({"line":)" + std::to_string(line) + R"(,"character":0})";
  return R"({"range":{"start":)" + start + R"(,"end":)" + start + R"(},"severity":)" +
         std::to_string(severity) + R"(,"code":")" + code + R"(","source":")" + source + R"(","message":")" +
         message + R"("})";
}

void publish(lsp::RecentDiagnostics& published, const std::vector<std::string>& list) {
  std::string json;
  for (const std::string& one : list) json += (json.empty() ? "" : ",") + one;
  published.keep(
      R"({"method":"textDocument/publishDiagnostics","params":{"uri":"file:///a","diagnostics":[)" + json +
      "]}}");
}

TEST_CASE("source errors: a missing header and unknown names make answers wrong, other errors do not") {
  struct Case {
    const char* what;
    std::vector<std::string> published;
    std::optional<SourceErrors> expected;
    std::string_view remedy = "compile_commands.json";
  };
  const std::string unknown = diagnostic(4, "unknown_typename", "Unknown type name 'Slice'");
  const Case cases[] = {
      {"none", {}, {}},
      {"an unknown type",
       {unknown},
       SourceErrors{.count = 1, .line = 5, .message = "Unknown type name 'Slice'"}},
      {"a missing header is the first",
       {unknown, diagnostic(9, "pp_file_not_found", "'a.h' file not found")},
       SourceErrors{.count = 2, .line = 10, .message = "'a.h' file not found"}},
      {"the first line of a message, as it is",
       {diagnostic(0, "pp_file_not_found", R"(In included file: 'a\u001b.h' file not found\nin b.h)")},
       SourceErrors{.count = 1, .line = 1, .message = "In included file: 'a\x1b.h' file not found"}},
      {"the author's own mistake", {diagnostic(1, "expected", "Expected ')'")}, {}},
      {"in a body", {diagnostic(1, "undeclared_var_use", "Use of undeclared identifier 'x'")}, {}},
      {"is counted beside one of these",
       {diagnostic(1, "expected", "Expected ')'"), unknown},
       SourceErrors{.count = 2, .line = 5, .message = "Unknown type name 'Slice'"}},
      {"clang stops after so many",
       {unknown, diagnostic(0, "fatal_too_many_errors", "Too many errors emitted, stopping now")},
       SourceErrors{.count = 1, .are_more = true, .line = 5, .message = "Unknown type name 'Slice'"}},
      {"an npm package, and other errors",
       {diagnostic(1, "2322", "Type 'a' is not assignable", 1, "ts"),
        diagnostic(2, "2307", "Cannot find module './b' or its types.", 1, "ts"),
        diagnostic(3, "2307", "Cannot find module 'zod' or its types.", 1, "ts")},
       SourceErrors{.count = 1, .line = 4, .message = "Cannot find module 'zod' or its types."},
       "npm install"},
      {"a Python package",
       {diagnostic(0, "reportMissingImports", R"(Import \"numpy\" could not be resolved)", 1, "Pyright"),
        diagnostic(1, "reportMissingImports", R"(Import \"flask\" could not be resolved)", 1, "Pyright")},
       SourceErrors{.count = 2, .line = 1, .message = R"(Import "numpy" could not be resolved)"},
       "pyrightconfig.json"},
      {"a Go module",
       {diagnostic(1, "BrokenImport", "could not import example.com/x", 1, "compiler")},
       SourceErrors{.count = 1, .line = 2, .message = "could not import example.com/x"},
       "go mod download"},
      {"a PHP package",
       {diagnostic(1, "P1009", "Undefined type 'Monolog'.", 1, "intelephense")},
       SourceErrors{.count = 1, .line = 2, .message = "Undefined type 'Monolog'."},
       "composer install"},
      {"a warning", {diagnostic(1, "unknown_pragma", "Unknown pragma ignored", 2)}, {}},
      {"another server", {diagnostic(1, "unknown_typename", "x", 1, "ccls")}, {}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    lsp::RecentDiagnostics published;
    publish(published, c.published);
    const std::optional<SourceErrors> found = source_errors(published_errors(&published, "file:///a"));
    REQUIRE(found.has_value() == c.expected.has_value());
    if (found) {
      CHECK(found->count == c.expected->count);
      CHECK(found->are_more == c.expected->are_more);
      CHECK(found->line == c.expected->line);
      CHECK(found->message == c.expected->message);
      CHECK(found->remedy.find(c.remedy) != std::string_view::npos);
    }
    CHECK(!source_errors(published_errors(&published, "file:///b")));
  }
  CHECK(!source_errors(published_errors(nullptr, "file:///a")));
}

TEST_CASE("source errors: what was published for an earlier text does not count") {
  lsp::RecentDiagnostics published;
  publish(published, {diagnostic(0, "pp_file_not_found", "'a.h' file not found")});
  published.changed("file:///a");
  CHECK(!source_errors(published_errors(&published, "file:///a")));
  publish(published, {diagnostic(0, "pp_file_not_found", "'b.h' file not found")});
  CHECK(source_errors(published_errors(&published, "file:///a"))->message == "'b.h' file not found");
}

TEST_CASE("source errors: a message is cut where it is long") {
  lsp::RecentDiagnostics published;
  publish(published, {diagnostic(0, "pp_hash_error", std::string(1000, 'x'))});
  CHECK(source_errors(published_errors(&published, "file:///a"))->message.size() < 210);
}

TEST_CASE("source errors: how they are told") {
  const SourceErrors one{.count = 1, .line = 7, .message = "'a.h' file not found", .remedy = "do this"};
  CHECK(text_of(one) ==
        "1 error, so types and symbols may be wrong; the first, in line 7: 'a.h' file not found; do this");
  CHECK(text_of({.count = 2}).starts_with("2 errors, "));
  CHECK(text_of({.count = 20, .are_more = true}).starts_with("more than 20 errors, "));
}

}  // namespace
}  // namespace symbols::query
