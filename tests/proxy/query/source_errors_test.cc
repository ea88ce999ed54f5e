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
  };
  const std::string unknown = diagnostic(4, "unknown_typename", "Unknown type name 'Slice'");
  const Case cases[] = {
      {"none", {}, {}},
      {"an unknown type", {unknown}, SourceErrors{1, 5, "Unknown type name 'Slice'"}},
      {"a missing header is the first",
       {unknown, diagnostic(9, "pp_file_not_found", "'a.h' file not found")},
       SourceErrors{2, 10, "'a.h' file not found"}},
      {"the first line of a message, as it is",
       {diagnostic(0, "pp_file_not_found", R"(In included file: 'a\u001b.h' file not found\nin b.h)")},
       SourceErrors{1, 1, "In included file: 'a\x1b.h' file not found"}},
      {"the author's own mistake", {diagnostic(1, "expected", "Expected ')'")}, {}},
      {"in a body", {diagnostic(1, "undeclared_var_use", "Use of undeclared identifier 'x'")}, {}},
      {"is counted beside one of these",
       {diagnostic(1, "expected", "Expected ')'"), unknown},
       SourceErrors{2, 5, "Unknown type name 'Slice'"}},
      {"a warning", {diagnostic(1, "unknown_pragma", "Unknown pragma ignored", 2)}, {}},
      {"another server", {diagnostic(1, "unknown_typename", "x", 1, "ccls")}, {}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    lsp::RecentDiagnostics published;
    publish(published, c.published);
    CHECK(source_errors(&published, "file:///a") == c.expected);
    CHECK(!source_errors(&published, "file:///b"));
  }
  CHECK(!source_errors(nullptr, "file:///a"));
}

TEST_CASE("source errors: what was published for an earlier text does not count") {
  lsp::RecentDiagnostics published;
  publish(published, {diagnostic(0, "pp_file_not_found", "'a.h' file not found")});
  published.changed("file:///a");
  CHECK(!source_errors(&published, "file:///a"));
  publish(published, {diagnostic(0, "pp_file_not_found", "'b.h' file not found")});
  CHECK(source_errors(&published, "file:///a") == SourceErrors{1, 1, "'b.h' file not found"});
}

TEST_CASE("source errors: a message is cut where it is long") {
  lsp::RecentDiagnostics published;
  publish(published, {diagnostic(0, "pp_hash_error", std::string(1000, 'x'))});
  CHECK(source_errors(&published, "file:///a")->message.size() < 210);
}

TEST_CASE("source errors: how they are told") {
  CHECK(text_of({1, 7, "'a.h' file not found"}) ==
        "1 error, so types and symbols may be wrong; the first, in line 7: 'a.h' file not found; clangd "
        "takes the "
        "project's flags from a compile_commands.json: cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or "
        "bear "
        "-- make");
  CHECK(text_of({2, 1, "x"}).starts_with("2 errors, "));
}

}  // namespace
}  // namespace symbols::query
