#include "table/signature_text.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "lsp/unicode.h"
#include "tests/dice.h"
#include "tests/growth.h"
#include "tests/table/generated_rows.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace {

lsp::DocumentSymbol symbol(std::string name, std::int64_t kind, std::string detail = {}) {
  lsp::DocumentSymbol made;
  made.name = std::move(name);
  made.kind = kind;
  made.detail = std::move(detail);
  return made;
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
  for (const Case& c : cases) {
    CAPTURE(c.hover);
    CHECK(signature_from_hover(symbol(c.name, c.kind), c.hover, c.has_children) == c.expected);
  }
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
  for (const Case& c : cases) {
    CAPTURE(c.detail);
    CHECK(signature_from_detail(symbol(c.name, c.kind, c.detail)) == c.expected);
  }
  CHECK(details_hold_signatures(made_rows({{symbol("C", 5, "class"), symbol("f", 12, "int ()")}})));
  CHECK_FALSE(details_hold_signatures(made_rows({{symbol("C", 5, "(x)"), symbol("f", 12, "detail")}})));
}

TEST_CASE("signature: a long one loses what stands in its innermost brackets, and keeps its result") {
  std::string parameters;
  for (int i = 0; i < 20; ++i) parameters += "parameter" + std::to_string(i) + ": string, ";
  const std::string text = signature_from_hover(
      symbol("f", 12), "function f(" + parameters + "last: number): Promise<void>", false);
  CHECK(text ==
        "f(parameter0: string, parameter1: string, parameter2: string, parameter3: string, parameter4: "
        "string, …): Promise<void>");
  const std::string alias(200, 'x');
  CHECK(lsp::scalar_count(signature_from_hover(symbol("T", 5), "type T = " + alias, false)) == max_signature);
}

TEST_CASE("signature: any text gives one that begins with the name and is short enough, in good time") {
  Dice dice(77);
  for (int i = 0; i < 5000; ++i) {
    const lsp::DocumentSymbol hostile =
        symbol(hostile_text(dice), static_cast<std::int64_t>(dice.below(27)), hostile_text(dice));
    for (const std::string& text : {signature_from_detail(hostile),
                                    signature_from_hover(hostile, hostile_text(dice), dice.one_in(2))}) {
      REQUIRE(lsp::find_invalid_utf8(text) == std::string_view::npos);
      REQUIRE(lsp::scalar_count(text) <= max_signature);
    }
  }
  for (const char* const piece :
       {"(", "<", "?: ", "self", "(a", "[]", "{", ")", "template <", "x?: T | undefined, "}) {
    CAPTURE(piece);
    CHECK(grows_linearly(250000, [&](std::size_t size) {
      std::string text;
      while (text.size() < size) text += piece;
      CHECK(lsp::scalar_count(signature_from_hover(symbol("f", 12), text, true)) <= max_signature);
      CHECK(lsp::scalar_count(signature_from_detail(symbol("f", 12, text))) <= max_signature);
    }));
  }
}

}  // namespace
}  // namespace symbols::table
