// The unit of a Position's character: LSP 3.17, PositionEncodingKind. Servers choose one of those that the
// client offered in general.positionEncodings; the default is UTF-16.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace symbols::lsp {

enum class PositionEncoding {
  utf8,   // bytes
  utf16,  // UTF-16 units
  utf32,  // Unicode code points
};

// The encoding that LSP calls `name` ("utf-8", "utf-16", "utf-32"); none for another name.
std::optional<PositionEncoding> position_encoding_called(std::string_view name);

// The units of `text`, valid UTF-8. A character counts at its first byte: if a text is cut within a
// character, the first part has all its units, except in UTF-8, where each byte is one.
std::size_t count_units(std::string_view text, PositionEncoding encoding);

// The length in bytes of the shortest prefix of `text` that has at least `units` units and ends between
// characters; all of it if it has fewer.
std::size_t bytes_of_units(std::string_view text, std::size_t units, PositionEncoding encoding);

}  // namespace symbols::lsp
