// The replies that say where a symbol is used: to textDocument/references, textDocument/prepareCallHierarchy
// and callHierarchy/incomingCalls (LSP 3.17, "Find References Request", "Call Hierarchy").
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lsp/json/json_elements.h"
#include "lsp/range.h"

namespace symbols::lsp {

struct Location {
  std::string uri;  // valid UTF-8, as the server wrote it
  Range range;

  bool operator==(const Location&) const = default;
};

// A caller of a symbol.
struct IncomingCall {
  std::string name;                // of the caller; valid UTF-8
  std::int64_t kind = 0;           // LSP's SymbolKind
  std::string uri;                 // of the caller's document, valid UTF-8, as the server wrote it
  Range selection_range;           // the caller's name
  std::vector<Range> from_ranges;  // the calls, in its own document

  bool operator==(const IncomingCall&) const = default;
};

using LocationList = ListStart<Location>;
using IncomingCallList = ListStart<IncomingCall>;

// Decode the `result` of a reply to references and to incomingCalls; null is an empty list. `json` starts
// with the value; what follows it is not read. Of a list longer than `most` only its beginning is decoded.
// Errors: not JSON, or not of that shape.
Result<LocationList> decode_locations(std::string_view json, std::size_t most);
Result<IncomingCallList> decode_incoming_calls(std::string_view json, std::size_t most);

// The first CallHierarchyItem of a prepareCallHierarchy reply, as the server wrote it: it is sent back
// unchanged in the request for the calls. None if the server has none for the position (null, []). A view of
// `json`. Error: not of that shape.
Result<std::optional<std::string_view>> prepared_call_hierarchy_item(std::string_view json);

}  // namespace symbols::lsp
