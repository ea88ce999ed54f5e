#include "tests/lsp/json/generated_json.h"

#include <array>

namespace symbols::lsp {
namespace {

using namespace std::string_view_literals;

constexpr std::array string_pieces{
    ""sv,
    "a"sv,
    "id"sv,
    R"(\")"sv,
    R"(\\)"sv,
    R"(\/)"sv,
    R"(\n)"sv,
    "{"sv,
    "}"sv,
    "["sv,
    "]"sv,
    ","sv,
    ":"sv,
    ":5}"sv,
    "null"sv,
    R"(\u0022)"sv,
    R"(\ud83d\ude00)"sv,
    R"(\"id\":5})"sv,
    " "sv,
    "é"sv,
    "😀"sv,
    "\u2028"sv,
    R"(,\"id\":7)"sv,
    R"(\"result\":{)"sv,
};

constexpr std::array words{"null"sv, "true"sv,  "false"sv, "0"sv,
                           "-1"sv,   "12.50"sv, "1E+3"sv,  "9007199254740993"sv,
                           "{}"sv,   "[]"sv,    "{ }"sv};

struct Name {
  std::string_view name;
  std::string_view raw;
};
constexpr std::array names{
    Name{"a", R"("a")"},
    Name{"a", R"("\u0061")"},
    Name{"id", R"("id")"},
    Name{"x\"id", R"("x\"id")"},
    Name{"", R"("")"},
    Name{"symbols", R"("symbols")"},
    Name{"b/c", R"("b\/c")"},
    Name{"b/c", R"("b/c")"},
    Name{"é", R"("é")"},
    Name{"é", R"("\u00E9")"},
    Name{"😀", R"("\ud83d\uDE00")"},
    Name{"d\\", R"("d\\")"},
};

}  // namespace

std::string_view raw_blanks(Dice& dice) {
  constexpr std::array blanks{""sv, ""sv, ""sv, " "sv, "\n  "sv, "\t\r\n"sv};
  return dice.pick(blanks);
}

const std::vector<std::string>& member_names() {
  static const std::vector<std::string> all{"a", "id", "x\"id", "", "symbols", "b/c", "é", "😀", "d\\"};
  return all;
}

std::string raw_string(Dice& dice) {
  std::string out = "\"";
  for (std::size_t n = dice.below(5); n > 0; --n) out += dice.pick(string_pieces);
  out += '"';
  return out;
}

std::string raw_value(Dice& dice, std::size_t depth) {
  switch (dice.below(depth == 0 ? 2 : 4)) {
    case 0:
      return std::string(dice.pick(words));
    case 1:
      return raw_string(dice);
    case 2:
      return raw_object(dice, depth - 1).text;
    default: {
      std::string out = "[";
      out += raw_blanks(dice);
      for (std::size_t n = dice.below(4); n > 0; --n) {
        out += raw_value(dice, depth - 1);
        out += raw_blanks(dice);
        if (n > 1) out += ',';
        out += raw_blanks(dice);
      }
      out += ']';
      return out;
    }
  }
}

RawObject raw_object(Dice& dice, std::size_t depth) {
  RawObject object;
  std::string& text = object.text;
  text = '{';
  text += raw_blanks(dice);
  for (std::size_t n = dice.one_in(10) ? 0 : 1 + dice.below(6); n > 0; --n) {
    const Name& name = dice.pick(names);
    RawMember& member = object.members.emplace_back();
    member.name = name.name;
    member.begin = text.size();
    text += name.raw;
    text += raw_blanks(dice);
    text += ':';
    text += raw_blanks(dice);
    member.value = text.size();
    text += raw_value(dice, depth);
    member.end = text.size();
    member.raw = text.substr(member.begin);
    text += raw_blanks(dice);
    if (n > 1) text += ',';
    text += raw_blanks(dice);
  }
  text += '}';
  return object;
}

}  // namespace symbols::lsp
