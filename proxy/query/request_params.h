// What is read of the params of a client's requests, raw JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lsp/range.h"

namespace symbols::query {

// The uri of params that have a textDocument; none where there is none.
std::optional<std::string> document_uri(std::string_view params);

// Their position.
std::optional<lsp::Position> position_of(std::string_view params);

// The uris of textDocuments: [{"uri":…},…]. Error: it is no such list, or one of too many.
Result<std::vector<std::string>> document_uris(std::string_view json);

}  // namespace symbols::query
