#include "tests/table/generated_rows.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace symbols::table {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view pieces[] = {
    "",          " ",         "a",           "b",           "f(x)",       "|",           " | ",
    "||",        " |",        "| ",          "<<<",         " | <<<",     "\\",          "\\\\",
    "\\^3",      "…",         "…+2",         "\\^",         "^0",         "\\|",         "\\n",
    "\\x41",     "\\u{2028}", "\n",          "\r\n",        "\t",         "\0"sv,        "\x1b[2J",
    "\x7f",      "\u0085",    "\u009f",      "\u00a0",      "\u2028",     "\u2029",      "\u202e",
    "\u2066",    "\u061c",    "\u200f",      "\u200b",      "é",          "😀",           "\uFFFD",
    "NAME",      "PARENT",    "EOL",         "HOVER_INFO",  "12",         "52:6-61",     "# truncated: 9",
    "==> x <==", "\"",        " f24:8-28:3", " <255>25-29", " Class 1",   "f@",          "?",
    "@?",        "# ",        "==>",         "\\^200 ",     "\tdetail=x", "[L80] (f+2) "};
constexpr std::array<std::uint32_t, 4> rare_numbers{0, 2147483647, 4294967294, 4294967295};
constexpr std::array<std::int64_t, 6> rare_kinds{
    255, 0, -1, 27, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};

lsp::Position hostile_position(Dice& dice) {
  // Few places, so that ranges are often equal and often contain each other.
  const auto number = [&] {
    return dice.one_in(40) ? dice.pick(rare_numbers) : static_cast<std::uint32_t>(dice.below(5));
  };
  const std::uint32_t line = number();
  return {line, number()};
}

lsp::Range hostile_range(Dice& dice, const lsp::Range* parent) {
  if (parent != nullptr && dice.one_in(4)) return *parent;
  const lsp::Range range{hostile_position(dice), hostile_position(dice)};
  if (parent == nullptr || dice.one_in(2) || parent->end < parent->start) return range;
  // Within the parent.
  const auto clamp = [&](const lsp::Position& p) { return std::clamp(p, parent->start, parent->end); };
  return {clamp(range.start), clamp(range.end)};
}

}  // namespace

std::string hostile_text(Dice& dice) {
  if (dice.one_in(2000)) return std::string(20000, dice.one_in(2) ? 'n' : '|');
  std::string text;
  for (std::size_t count = dice.below(4); count > 0; --count) text += dice.pick(pieces);
  return text;
}

SymbolRows hostile_rows(Dice& dice) {
  const std::vector<std::string> names{hostile_text(dice), hostile_text(dice), "a", hostile_text(dice)};
  const auto name = [&] { return dice.one_in(5) ? hostile_text(dice) : dice.pick(names); };
  const std::size_t steepness = 1 + dice.below(4);  // how often a row is a child of the one before

  SymbolRows rows;
  rows.with_hover = dice.one_in(2);
  std::vector<Row>& symbols = rows.all;
  std::vector<std::int32_t> path;
  for (std::size_t count = dice.below(30); count > 0; --count) {
    if (!path.empty() && dice.one_in(steepness)) path.resize(dice.below(path.size() + 1));
    Row symbol;
    symbol.parent = path.empty() ? -1 : path.back();
    symbol.name = name();
    symbol.kind = dice.one_in(6) ? dice.pick(rare_kinds) : static_cast<std::int64_t>(1 + dice.below(26));
    symbol.range =
        hostile_range(dice, path.empty() ? nullptr : &symbols[static_cast<std::size_t>(path.back())].range);
    symbol.selection_range = hostile_range(dice, &symbol.range);
    if (path.empty() && dice.one_in(3)) symbol.container_name = name();
    if (rows.with_hover && !dice.one_in(4)) symbol.hover = hostile_text(dice);
    path.push_back(static_cast<std::int32_t>(symbols.size()));
    symbols.push_back(std::move(symbol));
  }
  return rows;
}

void add_details(Dice& dice, SymbolRows& rows) {
  for (lsp::DocumentSymbol& symbol : rows.all) {
    if (dice.one_in(2)) symbol.detail = hostile_text(dice);
    for (std::size_t count = dice.below(6); count > 3; --count) symbol.tags.push_back(dice.pick(rare_kinds));
  }
}

lsp::SymbolTree chain(std::size_t depth, std::string (*name)(std::size_t), lsp::Range (*range)(std::size_t)) {
  lsp::SymbolTree tree;
  tree.symbols.resize(depth);
  for (std::size_t row = 0; row < depth; ++row) {
    lsp::DocumentSymbol& symbol = tree.symbols[row];
    symbol.name = name(row);
    symbol.kind = 5;
    symbol.range = range(row);
    symbol.selection_range = symbol.range;
    symbol.parent = static_cast<std::int32_t>(row) - 1;
  }
  return tree;
}

}  // namespace symbols::table
