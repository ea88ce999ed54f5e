// Which declarations are taken from the source, and what of them.
#include "proxy/query/written_declarations.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tests/proxy/query/query_stage.h"

namespace symbols::query {
namespace {

struct Document {
  QueryStage stage;
  lsp::RecentDiagnostics published;
  lsp::DocumentSymbol symbol;

  // `source`: one symbol, with `@` where clang reports an error.
  Document(std::string source, const std::string& name, std::int64_t kind, const std::string& more = {}) {
    std::string list;
    for (std::size_t at = source.find('@'); at != source.npos; at = source.find('@')) {
      source.erase(at, 1);
      const auto line = static_cast<int>(std::count(source.begin(), source.begin() + at, '\n'));
      const auto column = static_cast<int>(at - (source.rfind('\n', at) + 1));  // npos + 1 is 0
      list += R"({"range":)" + range_json(line, column, column) +
              R"(,"code":"unknown_typename","source":"clang","message":"x"},)";
    }
    list += more;
    if (list.ends_with(',')) list.pop_back();
    published.keep(
        R"({"method":"textDocument/publishDiagnostics","params":{"uri":"file:///a","diagnostics":[)" + list +
        "]}}");
    stage.published = &published;
    stage.document = std::make_shared<const std::string>(source);
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
  const std::string stopped =
      R"({"range":)" + range_json(0, 0, 0) +
      R"(,"code":"fatal_too_many_errors","source":"clang","message":"Too many errors"})";
  Document behind("@Slice s; Status Put(int x) { }", "Put", 12, stopped);
  behind.symbol.range.start = {0, 9};
  CHECK(behind.written().of(behind.symbol) == "Status Put(int x)");
  Document before("int first(int x) { return 0; } @Slice s;", "first", 12, stopped);
  before.symbol.range.end = {0, 30};
  CHECK(before.written().of(before.symbol).empty());
}

TEST_CASE("written declarations: another server's errors, and a text that is not known, change nothing") {
  Document other("Status f();", "f", 12,
                 R"({"range":)" + range_json(0, 0, 6) + R"(,"source":"ccls","message":"x"})");
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

}  // namespace
}  // namespace symbols::query
