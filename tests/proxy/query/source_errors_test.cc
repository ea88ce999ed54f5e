// Which of the errors that a server publishes make the answers about a document wrong, and which declarations
// are taken from the source for it.
#include "proxy/query/source_errors.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tests/proxy/query/query_stage.h"

namespace symbols::query {
namespace source_errors_test {

std::string diagnostic(int line, const std::string& code, const std::string& message, int severity = 1,
                       const std::string& source = "clang", int column = 0) {
  return R"({"range":)" + range_json(line, column, column) + R"(,"severity":)" + std::to_string(severity) +
         R"(,"code":")" + code + R"(","source":")" + source + R"(","message":")" + message + R"("})";
}

std::optional<SourceErrors> errors_of(const lsp::RecentDiagnostics& published) {
  return source_errors(published_errors(published, "file:///a"));
}

TEST_CASE("source errors: a missing header and unknown names make answers wrong, other errors do not") {
  struct Case {
    const char* what;
    std::string published;
    std::string count{};  // empty: no such errors
    std::string first{};  // its line and message
    std::string_view remedy = "compile_commands.json";
  };
  const std::string unknown = diagnostic(4, "unknown_typename", "Unknown type name 'Slice'");
  const Case cases[] = {
      {"none", ""},
      {"an unknown type", unknown, "1 error", "5: Unknown type name 'Slice'"},
      {"a missing header is the first",
       unknown + "," + diagnostic(9, "pp_file_not_found", "'a.h' file not found"), "2 errors",
       "10: 'a.h' file not found"},
      {"the first line of a message, as it is",
       diagnostic(0, "pp_file_not_found", R"(In included file: 'a\u001b.h' file not found\nin b.h)"),
       "1 error", "1: In included file: 'a\x1b.h' file not found"},
      {"a long message is cut", diagnostic(0, "pp_hash_error", std::string(1000, 'x')), "1 error",
       "1: " + std::string(199, 'x') + "…"},
      {"the author's own mistake", diagnostic(1, "expected", "Expected ')'")},
      {"in a body", diagnostic(1, "undeclared_var_use", "Use of undeclared identifier 'x'")},
      {"is counted beside one of these", diagnostic(1, "expected", "Expected ')'") + "," + unknown,
       "2 errors", "5: Unknown type name 'Slice'"},
      {"clang stops after so many",
       unknown + "," + diagnostic(0, "fatal_too_many_errors", "Too many errors emitted, stopping now"),
       "more than 1 error", "5: Unknown type name 'Slice'"},
      {"an npm package, and other errors",
       diagnostic(1, "2322", "Type 'a' is not assignable", 1, "ts") + "," +
           diagnostic(2, "2307", "Cannot find module './b' or its types.", 1, "ts") + "," +
           diagnostic(3, "2307", "Cannot find module 'zod' or its types.", 1, "ts"),
       "1 error", "4: Cannot find module 'zod' or its types.", "npm install"},
      {"Python packages",
       diagnostic(0, "reportMissingImports", R"(Import \"numpy\" could not be resolved)", 1, "Pyright") +
           "," +
           diagnostic(1, "reportMissingImports", R"(Import \"flask\" could not be resolved)", 1, "Pyright"),
       "2 errors", R"(1: Import "numpy" could not be resolved)", "pyrightconfig.json"},
      {"a Go module", diagnostic(1, "BrokenImport", "could not import example.com/x", 1, "compiler"),
       "1 error", "2: could not import example.com/x", "go mod download"},
      {"a PHP package", diagnostic(1, "P1009", "Undefined type 'Monolog'.", 1, "intelephense"), "1 error",
       "2: Undefined type 'Monolog'.", "composer install"},
      {"a warning", diagnostic(1, "unknown_pragma", "Unknown pragma ignored", 2)},
      {"another server", diagnostic(1, "unknown_typename", "x", 1, "ccls")},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    lsp::RecentDiagnostics published;
    published.keep(published_json(c.published));
    const std::optional<SourceErrors> found = errors_of(published);
    REQUIRE(found.has_value() == !c.count.empty());
    CHECK(!source_errors(published_errors(published, "file:///b")));
    if (!found) continue;
    CHECK(found->text.starts_with(c.count + ", so types and symbols may be wrong; the first, in line " +
                                  c.first + "; "));
    CHECK(found->text.find(c.remedy) != std::string::npos);
    published.changed("file:///a");  // they are of an earlier text
    CHECK(!errors_of(published));
  }
}

struct Document {
  QueryStage stage;
  lsp::DocumentSymbol symbol;

  // `source`: one symbol, with `@` where clang reports an error.
  Document(std::string source, const std::string& name, std::int64_t kind, const std::string& more = {}) {
    std::string list;
    for (std::size_t at = source.find('@'); at != source.npos; at = source.find('@')) {
      source.erase(at, 1);
      const auto line = static_cast<int>(std::count(source.begin(), source.begin() + at, '\n'));
      const auto column = static_cast<int>(at - (source.rfind('\n', at) + 1));  // npos + 1 is 0
      list += diagnostic(line, "unknown_typename", "x", 1, "clang", column) + ',';
    }
    list += more;
    if (list.ends_with(',')) list.pop_back();
    stage.published.keep(published_json(list));
    stage.know(source);
    const lsp::PositionIndex index(*stage.document);
    symbol.name = name;
    symbol.kind = kind;
    symbol.detail = "int";
    symbol.range = {{0, 0}, index.position(source.size())};
  }

  WrittenDeclarations written() { return {stage.services(), "file:///a"}; }
  std::string detail() {
    lsp::DocumentSymbol replaced = symbol;
    written().replace_detail(replaced);
    return replaced.detail;
  }
};

TEST_CASE("written declarations: what has an error in it is taken from the source") {
  struct Case {
    const char* source;
    const char* name;
    std::int64_t kind;
    const char* declaration;  // empty: clangd's
    const char* detail;
  };
  const Case cases[] = {
      {"virtual @Status Put(const WriteOptions&,\n    Slice /* not; null */ key) const = 0;", "Put", 6,
       "virtual Status Put(const WriteOptions&, Slice key) const = 0",
       "Status (const WriteOptions&, Slice key) const = 0"},
      {"Status Put(int x) { @Missing m; }", "Put", 12, "", "int"},
      {"Status Put(int x);", "Put", 12, "", "int"},
      {"static inline Status\nDB::Put(@Slice s) { return 0; }", "DB::Put", 6,
       "static inline Status DB::Put(Slice s)", "Status (Slice s)"},
      {"int Get(@Slice k = Slice(\"a;b{\\\"\", '{'), int n = 1'000) {}", "Get", 12,
       "int Get(Slice k = Slice(\"a;b{\\\"\", '{'), int n = 1'000)",
       "int (Slice k = Slice(\"a;b{\\\"\", '{'), int n = 1'000)"},
      {"explicit DB(ns::@Slice name) : name_(name), x_{1} {}", "DB", 9, "explicit DB(ns::Slice name)",
       "(ns::Slice name)"},
      {"explicit DB(ns::Slice name) : @name_(name) {}", "DB", 9, "", "int"},
      {"auto later(int x) -> @Slice", "later", 12, "auto later(int x) -> Slice", "auto (int x) -> Slice"},
      {"mutable @Slice f", "f", 8, "mutable Slice f", "Slice"},
      {"std::map<int, @Slice>* m = nullptr", "m", 8, "std::map<int, Slice>* m = nullptr",
       "std::map<int, Slice>*"},
      {"@Slice list[3] = {1, 2}", "list", 13, "Slice list[3]", "Slice[3]"},
      {"@Slice a, b", "b", 8, "Slice a, b", "Slice a, b"},
      {"@Slice (*call)(int)", "call", 13, "Slice (*call)(int)", "Slice (*call)(int)"},
      {"class DB : public @Base {\n int x; }", "DB", 5, "class DB : public Base {}", "int"},
      {"class DB {\n @Slice x; }", "DB", 5, "", "int"},
      {"typedef @Slice Key", "Key", 5, "typedef Slice Key", "int"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.source);
    Document document(c.source, c.name, c.kind);
    CHECK(document.written().of(document.symbol) == c.declaration);
    CHECK(document.detail() == c.detail);
  }
}

TEST_CASE("written declarations: behind too many errors nothing is known to be right") {
  const std::string stopped = diagnostic(0, "fatal_too_many_errors", "Too many errors");
  Document behind("@Slice s; Status Put(int x) { }", "Put", 12, stopped);
  behind.symbol.range.start = {0, 9};
  CHECK(behind.written().of(behind.symbol) == "Status Put(int x)");
  Document before("int first(int x) { return 0; } @Slice s;", "first", 12, stopped);
  before.symbol.range.end = {0, 30};
  CHECK(before.written().of(before.symbol).empty());
}

TEST_CASE("written declarations: another server's errors, and a text that is not known, change nothing") {
  Document other("Status f();", "f", 12, diagnostic(0, "x", "x", 1, "ccls"));
  CHECK(other.written().of(other.symbol).empty());
  Document unknown("@Status f();", "f", 12);
  unknown.stage.document.reset();
  CHECK(unknown.written().of(unknown.symbol).empty());
  CHECK(WrittenDeclarations().of(unknown.symbol).empty());
}

TEST_CASE("written declarations: they replace a signature, and add none") {
  Document document("@Status f();", "f", 12);
  table::HoverText hover{.signature = "int f()", .prose = "Opens."};
  document.written().replace_signature(hover, document.symbol);
  CHECK(hover == table::HoverText{.signature = "Status f()", .prose = "Opens."});
  table::HoverText none;
  document.written().replace_signature(none, document.symbol);
  CHECK(none == table::HoverText{});
}

}  // namespace source_errors_test
}  // namespace symbols::query
