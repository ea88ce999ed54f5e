// Readers of the params of a client's requests, raw JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lsp/range.h"

namespace symbols::query {

// The uri of the textDocument in the params, if any.
std::optional<std::string> document_uri(std::string_view params);

// The position in the params, if any.
std::optional<lsp::Position> position_of(std::string_view params);

// The uris of textDocuments: [{"uri":…},…]. Error: not such a list, or too long a one.
Result<std::vector<std::string>> document_uris(std::string_view json);

}  // namespace symbols::query
