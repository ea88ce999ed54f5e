// In what units a Position's character counts: LSP 3.17, PositionEncodingKind. Servers choose one of those
// that the client offered in general.positionEncodings, UTF-16 where nothing was said.
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

// The encoding that LSP calls `name` ("utf-8", "utf-16", "utf-32"); none of another name.
std::optional<PositionEncoding> position_encoding_called(std::string_view name);

// The units of `text`, valid UTF-8. A character counts where its first byte is: of two parts of a text that
// is cut within a character the first has all its units, but for UTF-8, where each byte is one.
std::size_t count_units(std::string_view text, PositionEncoding encoding);

// The bytes of the shortest beginning of `text` that has at least `units` units and ends between characters;
// all of it where it has fewer.
std::size_t bytes_of_units(std::string_view text, std::size_t units, PositionEncoding encoding);

}  // namespace symbols::lsp
