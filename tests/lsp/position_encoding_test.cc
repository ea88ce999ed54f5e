#include "lsp/position_encoding.h"

#include <doctest/doctest.h>

using symbols::lsp::bytes_of_units;
using symbols::lsp::count_units;
using symbols::lsp::position_encoding_called;
using symbols::lsp::PositionEncoding;

TEST_CASE("position encodings have LSP's names") {
  CHECK(position_encoding_called("utf-8") == PositionEncoding::utf8);
  CHECK(position_encoding_called("utf-16") == PositionEncoding::utf16);
  CHECK(position_encoding_called("utf-32") == PositionEncoding::utf32);
  CHECK(!position_encoding_called("UTF-16"));
  CHECK(!position_encoding_called(""));
}

TEST_CASE("units of a text and the bytes that they take") {
  constexpr std::string_view text = "a\u00e9\u20ac\U0001F600b";  // 1, 2, 3, 4 and 1 bytes
  struct Case {
    PositionEncoding encoding;
    std::size_t units;
    std::size_t bytes;
  };
  constexpr PositionEncoding utf8 = PositionEncoding::utf8;
  constexpr PositionEncoding utf16 = PositionEncoding::utf16;
  constexpr PositionEncoding utf32 = PositionEncoding::utf32;
  CHECK(count_units(text, utf8) == 11);
  CHECK(count_units(text, utf16) == 6);
  CHECK(count_units(text, utf32) == 5);
  for (const Case& c :
       {Case{utf8, 0, 0}, {utf8, 1, 1},   {utf8, 2, 3},   {utf8, 3, 3},   {utf8, 4, 6},    {utf8, 7, 10},
        {utf8, 10, 10},   {utf8, 11, 11}, {utf8, 99, 11}, {utf16, 0, 0},  {utf16, 1, 1},   {utf16, 2, 3},
        {utf16, 3, 6},    {utf16, 4, 10}, {utf16, 5, 10}, {utf16, 6, 11}, {utf16, 99, 11}, {utf32, 3, 6},
        {utf32, 4, 10},   {utf32, 5, 11}, {utf32, 99, 11}}) {
    CAPTURE(c.units);
    CHECK(bytes_of_units(text, c.units, c.encoding) == c.bytes);
  }
}
