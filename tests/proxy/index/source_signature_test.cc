#include "proxy/index/source_signature.h"

#include <doctest/doctest.h>

namespace symbols::index {
namespace {

TEST_CASE("signature: parameters and result, from the text after the name") {
  struct Case {
    Language language;
    std::int64_t kind;
    std::string_view rest;
    std::string_view signature;
  };
  constexpr std::int64_t function = 12;
  constexpr std::int64_t variable = 13;
  for (const auto& [language, kind, rest, signature] : {
           Case{Language::script, function, "(a: string, b = {c: 1}): Map<string, number> { return x }",
                "(a: string, b = {c: 1}): Map<string, number>"},
           {Language::script, function, "<A, B extends () => void>(\n  a: A,\n  b: B\n): void\n",
            "( a: A, b: B ): void"},
           {Language::script, variable, " = async (a: string): Promise<void> => { f() }",
            "(a: string): Promise<void>"},
           {Language::script, variable, " = function (a) {}", "(a)"},
           {Language::script, variable, ": <A>(a: A) => Chunk<A> = internal.make", "(a: A) => Chunk<A>"},
           {Language::script, variable, ": (A | B)[] = []", ""},
           {Language::script, variable, " = 1 + (2)", ""},
           {Language::script, 6, "?(x: number): void;", "(x: number): void"},
           {Language::python, function, "(self, a: int = 1) -> dict[str, int]:\n  pass",
            "(a: int = 1) -> dict[str, int]"},
           {Language::python, 6, "(self): pass", "()"},
           {Language::python, 6, "(selfish):", "(selfish)"},
           {Language::python, 5, "(Base):", ""},
           {Language::go, function, "(a int, b func(int) error) (string, error) {",
            "(a int, b func(int) error) (string, error)"},
           {Language::c_header, function, "(const char* a, int b = 0) const;",
            "(const char* a, int b = 0) const"},
           {Language::c_source, 9, "(int a) : a_(a) {}", "(int a)"},
           {Language::rust, function, "<T: Fn(i32) -> i32>(x: &T) -> Result<T, ()> {",
            "(x: &T) -> Result<T, ()>"},
           {Language::other, function, "(unclosed", ""},
           {Language::other, function, "", ""},
       }) {
    const auto& rest_shown = rest;  // which clang 14 can capture
    CAPTURE(rest_shown);
    CHECK(source_signature(rest, kind, language) == signature);
  }
}

TEST_CASE("signature: cut after 100 characters") {
  const std::string cut = source_signature("(" + std::string(300, 'a') + ")", 12, Language::go);
  CHECK(cut == "(" + std::string(98, 'a') + "…");
}

}  // namespace
}  // namespace symbols::index
