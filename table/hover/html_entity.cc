#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/text.h"
#include "lsp/unicode.h"
#include "table/hover/markdown.h"

namespace symbols::table {
namespace {

using Entity = std::pair<std::string_view, char32_t>;

// Of HTML's two thousand names, those used by servers and in comments. Sorted by name.
constexpr std::array entities = std::to_array<Entity>({
    {"Sigma", 0x3A3},   {"alpha", 0x3B1},  {"amp", '&'},       {"apos", '\''},    {"ast", '*'},
    {"asymp", 0x2248},  {"beta", 0x3B2},   {"bsol", '\\'},     {"bull", 0x2022},  {"cent", 0xA2},
    {"colon", ':'},     {"comma", ','},    {"commat", '@'},    {"copy", 0xA9},    {"deg", 0xB0},
    {"delta", 0x3B4},   {"divide", 0xF7},  {"dollar", '$'},    {"emsp", 0x2003},  {"ensp", 0x2002},
    {"epsilon", 0x3B5}, {"equals", '='},   {"equiv", 0x2261},  {"euro", 0x20AC},  {"excl", '!'},
    {"frac12", 0xBD},   {"gamma", 0x3B3},  {"ge", 0x2265},     {"grave", '`'},    {"gt", '>'},
    {"hArr", 0x21D4},   {"harr", 0x2194},  {"hellip", 0x2026}, {"infin", 0x221E}, {"isin", 0x2208},
    {"lArr", 0x21D0},   {"lambda", 0x3BB}, {"laquo", 0xAB},    {"larr", 0x2190},  {"lbrack", '['},
    {"lcub", '{'},      {"ldquo", 0x201C}, {"le", 0x2264},     {"lowbar", '_'},   {"lpar", '('},
    {"lsqb", '['},      {"lsquo", 0x2018}, {"lt", '<'},        {"mdash", 0x2014}, {"middot", 0xB7},
    {"minus", 0x2212},  {"mu", 0x3BC},     {"nbsp", 0xA0},     {"ndash", 0x2013}, {"ne", 0x2260},
    {"num", '#'},       {"omega", 0x3C9},  {"para", 0xB6},     {"percnt", '%'},   {"period", '.'},
    {"pi", 0x3C0},      {"plus", '+'},     {"plusmn", 0xB1},   {"pound", 0xA3},   {"quest", '?'},
    {"quot", '"'},      {"rArr", 0x21D2},  {"raquo", 0xBB},    {"rarr", 0x2192},  {"rbrack", ']'},
    {"rcub", '}'},      {"rdquo", 0x201D}, {"reg", 0xAE},      {"rpar", ')'},     {"rsqb", ']'},
    {"rsquo", 0x2019},  {"sect", 0xA7},    {"semi", ';'},      {"shy", 0xAD},     {"sigma", 0x3C3},
    {"sol", '/'},       {"sup2", 0xB2},    {"sup3", 0xB3},     {"theta", 0x3B8},  {"thinsp", 0x2009},
    {"tilde", 0x2DC},   {"times", 0xD7},   {"trade", 0x2122},  {"uarr", 0x2191},  {"verbar", '|'},
    {"vert", '|'},      {"zwj", 0x200D},   {"zwnj", 0x200C},
});
static_assert(std::ranges::is_sorted(entities, {}, &Entity::first));

constexpr std::size_t max_name = 16;  // longer than any name above, and than the digits of a code point

// The code point with that number, in digits; none if there is a non-digit.
std::optional<char32_t> numbered(std::string_view digits, int base) {
  const std::optional<std::uint64_t> value = whole_number<std::uint64_t>(digits, base);
  if (!value) return {};
  return *value > 0 && *value <= 0x10FFFF ? static_cast<char32_t>(*value) : lsp::replacement_character;
}

}  // namespace

std::size_t append_entity(std::string& out, std::string_view text) {
  const std::size_t end = text.substr(0, max_name).find(';');
  if (end == std::string_view::npos || end < 2) return 0;
  const std::string_view name = text.substr(1, end - 1);
  if (name.front() == '#') {
    const bool hexadecimal = name.size() > 1 && (name[1] == 'x' || name[1] == 'X');
    const std::optional<char32_t> character =
        hexadecimal ? numbered(name.substr(2), 16) : numbered(name.substr(1), 10);
    if (!character) return 0;
    lsp::append_utf8(out, *character);
    return end + 1;
  }
  const auto* const entity = std::ranges::lower_bound(entities, name, {}, &Entity::first);
  if (entity == entities.end() || entity->first != name) return 0;
  lsp::append_utf8(out, entity->second);
  return end + 1;
}

}  // namespace symbols::table
