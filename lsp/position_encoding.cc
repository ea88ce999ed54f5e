#include "lsp/position_encoding.h"

#include <algorithm>

#include "lsp/unicode.h"

namespace symbols::lsp {

std::optional<PositionEncoding> position_encoding_called(std::string_view name) {
  if (name == "utf-8") return PositionEncoding::utf8;
  if (name == "utf-16") return PositionEncoding::utf16;
  if (name == "utf-32") return PositionEncoding::utf32;
  return {};
}

std::size_t count_units(std::string_view text, PositionEncoding encoding) {
  switch (encoding) {
    case PositionEncoding::utf8:
      return text.size();
    case PositionEncoding::utf16:
      return utf16_length(text);
    case PositionEncoding::utf32:
      break;
  }
  return scalar_count(text);
}

std::size_t bytes_of_units(std::string_view text, std::size_t units, PositionEncoding encoding) {
  std::size_t at = 0;
  if (encoding == PositionEncoding::utf8) {
    at = std::min(units, text.size());
    while (at < text.size() && is_utf8_continuation(text[at])) ++at;
    return at;
  }
  while (units > 0 && at < text.size()) {
    const std::string_view near = text.substr(at, units);
    const std::size_t ascii = std::min(find_non_ascii(near), near.size());
    at += ascii;
    units -= ascii;
    // Such characters come in runs.
    while (units > 0 && at < text.size() && static_cast<unsigned char>(text[at]) >= 0x80) {
      const std::size_t length = decode_utf8(text.substr(at)).length;
      units -= std::min(units, count_units(text.substr(at, length), encoding));
      at += length;
    }
  }
  return at;
}

}  // namespace symbols::lsp
