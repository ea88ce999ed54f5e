#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "lsp/unicode.h"
#include "table/formats/format.h"
#include "tests/growth.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace tree_signatures_test {

lsp::DocumentSymbol symbol(std::string name, std::int64_t kind, std::string detail = {}) {
  return {
      .name = std::move(name), .detail = std::move(detail), .kind = kind, .range = {}, .selection_range = {}};
}

// `hover` has the signature of the symbol's hover.
std::string signature_of(lsp::DocumentSymbol symbol, std::string hover = {}, bool has_members = false) {
  SymbolRows rows = made_rows({{std::move(symbol)}}, {}, {{std::move(hover), ""}});
  if (has_members) rows.all.push_back({row("member", 8, {}, 0)});
  const std::string line = lines_of(write_tree_signatures(rows, {}))[1];
  return line.substr(line.find(' ') + 1);
}

lsp::DocumentSymbol symbol(std::string name, std::int64_t kind, std::uint32_t first, std::uint32_t last,
                           std::int32_t parent = -1, std::string detail = {}) {
  const lsp::Range range{{first, 0}, {last, 1}};
  return {.name = std::move(name),
          .detail = std::move(detail),
          .kind = kind,
          .range = range,
          .selection_range = range,
          .parent = parent};
}

const SymbolRows rows =
    made_rows({{symbol("Rectangle", 5, 27, 50), symbol("name", 7, 28, 28, 0), symbol("count", 7, 29, 29, 0),
                symbol("scale", 6, 40, 42, 0), symbol("factor", 13, 40, 40, 3), symbol("a\nb", 12, 60, 60)}},
              {},
              {{"class Rectangle", ""},
               {"(property) Rectangle.name: string", "Its name."},
               {"(property) Rectangle.count: number", ""},
               {"(method) Rectangle.scale(factor: number): Rectangle", ""},
               {"(parameter) factor: number", ""},
               {"", ""}});

TEST_CASE("tree of signatures: the example of the spec, and what is inside a function") {
  CHECK(write_tree_signatures(rows, {}) ==
        "# signatures\nc28-51 Rectangle\n p29 name: string; count: number\n m41 scale(factor: number): "
        "Rectangle\n"
        "  v41 factor\nf61 a\\nb");
  CHECK(write_tree_signatures(rows, {.fields = {}, .kind_names = true, .all_ends = true})
            .find("\n Method41-43 scale(factor: number)") != std::string::npos);
  CHECK(write_tree_signatures({}, {}) == "");

  SymbolRows folded = rows;
  folded.all[3].folded.inside = 7;
  CHECK(write_tree_signatures(folded, {}).find("Rectangle +7\n") != std::string::npos);
}

TEST_CASE("tree of signatures: what shares a row") {
  const SymbolRows detailed =
      made_rows({{symbol("a", 8, 3, 3, -1, "int"), symbol("b", 8, 3, 3, -1, "int"),
                  symbol("c", 8, 4, 4, -1, "T"), symbol("d", 8, 6, 6), symbol("e", 7, 7, 7),
                  symbol("f", 7, 8, 30), symbol("g", 7, 31, 31), symbol("f", 12, 40, 40, -1, "func()")}});
  CHECK(write_tree_signatures(detailed, {}) ==
        "# signatures\nF4 a: int, b: int; c: T\nF7 d\np8 e\np9-31 f\np32 g\nf41 f()");
}

TEST_CASE("tree of signatures: out of details, where these hold them") {
  const SymbolRows detailed =
      made_rows({{symbol("Grow", 6, 1, 2, -1, "func(n int)"), symbol("x", 8, 3, 3, -1, "int")}});
  CHECK(write_tree_signatures(detailed, {}) == "# signatures\nm2 Grow(n int)\nF4 x: int");
}

TEST_CASE("signature: out of a hover") {
  struct Case {
    const char* name;
    std::int64_t kind;
    const char* hover;
    const char* expected;
    bool has_children = false;
  };
  const std::vector<Case> cases{
      {"f", 12, "", "f"},
      {"area", 12, "function area(width: number): number", "area(width: number): number"},
      {"pipe", 6, "(method) Observable<T>.pipe<A>(op1: Op<T, A>): Observable<A> (+10 overloads)",
       "pipe<A>(op1: Op<T, A>): Observable<A>"},
      {"e", 13, "(local var) err: any", "e: any"},
      {"closed", 7, "(property) ErrorObserver<T>.closed?: boolean | undefined", "closed?: boolean"},
      {"f", 12, "function f(a?: string | undefined, b?: (x: T | undefined) => void): A | undefined",
       "f(a?: string, b?: (x: T | undefined) => void): A | undefined"},
      {"\"a | b\"", 7, "(property) Circle[\"a | b\"]: \"not an identifier\"",
       "\"a | b\": \"not an identifier\""},
      {"constructor", 9, "constructor Rectangle(width: number, height: number): Rectangle",
       "constructor(width: number, height: number)"},
      {"buffer", 5, "template <typename T> class buffer final : public base<T> {}",
       "buffer : public base<T>"},
      {"Utils", 5, "final class Utils", "Utils"},
      {"_Immutable", 5, "class _Immutable()", "_Immutable"},
      {"out", 6, "public: auto out() -> T *", "out() -> T *"},
      {"is_on", 6, "public: template < typename T, int = 0> bool is_on(T x) const",
       "is_on(T x) const -> bool"},
      {"count_", 8, "private: static const size_t count_ = 5", "count_: size_t = 5"},
      {"FMT_BEGIN", 21, "#define FMT_BEGIN namespace fmt {", "FMT_BEGIN"},
      {"MAX", 21, "#define MAX(a, b) ((a) > (b) ? (a) : (b))", "MAX(a, b)"},
      {"(*Builder).Grow", 6, "func (*Builder).Grow(n int)", "Grow(n int)"},
      {"buf", 8, "field buf []byte", "buf []byte"},
      {"__hash__", 6, "(method) def __hash__(self: Self@C) -> int", "__hash__() -> int"},
      {"f", 12, "(function) def f( a, b: Unknown | None = None, *, c: bool = False ) -> None",
       "f(a, b: Unknown | None = None, *, c: bool = False)"},
      {"selfish", 12, "def selfish(selfish: int)", "selfish(selfish: int)"},
      {"Foo", 5, "type Foo = { a: string; }", "Foo = {…}", true},
      {"Foo", 5, "type Foo = { a: string; }", "Foo = { a: string }", false},
      {"v", 13, "const other: Map<string, number>", "v: Map<string, number>"},
      {"m", 6, "auto m() -> basic_json<ObjectType, ArrayType, StringType, BooleanType>",
       "m() -> basic_json<…>"},
  };
  for (const Case& c : cases)
    CHECK(signature_of(symbol(c.name, c.kind), c.hover, c.has_children) == c.expected);
}

TEST_CASE("signature: out of the server's detail") {
  struct Case {
    const char* name;
    std::int64_t kind;
    const char* detail;
    const char* expected;
  };
  const std::vector<Case> cases{
      {"f", 12, "", "f"},
      {"(*Checker).op", 6, "func(m opPredicates, x *operand) bool", "op(m opPredicates, x *operand) bool"},
      {"Builder", 23, "struct{...}", "Builder"},
      {"opPredicates", 5, "map[token.Token]func(Type) bool", "opPredicates: map[token.Token]func(Type) bool"},
      {"new", 12, "fn(width: u32) -> Self", "new(width: u32) -> Self"},
      {"run", 12, "pub async fn(self)", "run(self)"},
      {"arg_type", 6, "auto (int) const -> type", "arg_type(int) const -> type"},
      {"Is", 6, "bool (const ValueType &)", "Is(const ValueType &) -> bool"},
      {"StartObject", 6, "Iterator &()", "StartObject() -> Iterator &"},
      {"map", 6, "template decltype(f(x)) (const T &)", "map(const T &) -> decltype(f(x))"},
      {"on_error", 6, "void (const char *)", "on_error(const char *)"},
      {"value", 9, "(unsigned long long)", "value(unsigned long long)"},
      {"num_args_", 8, "int", "num_args_: int"},
      {"char_t", 5, "template type alias", "char_t"},
      {"oct", 22, "presentation_type", "oct"},
      {"FMT_TYPE_CONSTANT", 21, "(bool, bool_type)", "FMT_TYPE_CONSTANT(bool, bool_type)"},
  };
  for (const Case& c : cases) CHECK(signature_of(symbol(c.name, c.kind, c.detail)) == c.expected);
  CHECK(details_hold_signatures(made_rows({{symbol("C", 5, "class"), symbol("f", 12, "int ()")}})));
  CHECK_FALSE(details_hold_signatures(made_rows({{symbol("C", 5, "(x)"), symbol("f", 12, "detail")}})));
}

TEST_CASE("signature: a long one loses what stands in its innermost brackets, and keeps its result") {
  std::string parameters;
  for (int i = 0; i < 20; ++i) parameters += "parameter" + std::to_string(i) + ": string, ";
  const std::string text =
      signature_of(symbol("f", 12), "function f(" + parameters + "last: number): Promise<void>");
  CHECK(text ==
        "f(parameter0: string, parameter1: string, parameter2: string, parameter3: string, parameter4: "
        "string, …): Promise<void>");
  const std::string alias(200, 'x');
  CHECK(lsp::scalar_count(signature_of(symbol("T", 5), "type T = " + alias)) == 120);
}

TEST_CASE("signature: any text gives one that is short enough, in good time") {
  for (const char* const piece :
       {"(", "<", "?: ", "self", "(a", "[]", "{", ")", "template <", "x?: T | undefined, "}) {
    CAPTURE(piece);
    CHECK(grows_linearly(250000, [&](std::size_t size) {
      std::string text;
      while (text.size() < size) text += piece;
      CHECK(lsp::scalar_count(signature_of(symbol("f", 12), text, true)) <= 120);
      CHECK(lsp::scalar_count(signature_of(symbol("f", 12, text))) <= 120);
    }));
  }
}

}  // namespace tree_signatures_test
}  // namespace symbols::table
