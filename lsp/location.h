// Location[], the reply to textDocument/references (LSP 3.17, "Find References Request").
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lsp/range.h"

namespace symbols::lsp {

struct Location {
  std::string uri;  // valid UTF-8, as the server wrote it
  Range range;

  bool operator==(const Location&) const = default;
};

// The first ones of a list, in the server's order.
struct LocationList {
  std::vector<Location> first;
  std::size_t total = 0;  // of the whole list
};

// Decodes the `result`; null is an empty list. `json` starts with the value; what follows it is not read. Of
// a list longer than `most` only its beginning is decoded. Errors: not JSON, or not of that shape.
Result<LocationList> decode_locations(std::string_view json, std::size_t most);

}  // namespace symbols::lsp
