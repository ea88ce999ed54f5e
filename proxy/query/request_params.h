// The params of requests about a document or a position in one, raw JSON: writes ours, reads a client's.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lsp/position.h"

namespace symbols::query {

std::string document_params(std::string_view uri);
// `more`: further members, each with a comma before it.
std::string place_params(std::string_view uri, lsp::Position position, std::string_view more = {});

// The uri of the textDocument in the params, if any.
std::optional<std::string> document_uri(std::string_view params);

// The position in the params, if any.
std::optional<lsp::Position> position_of(std::string_view params);

// The uris of textDocuments: [{"uri":…},…]. Error: not such a list, or too long a one.
Result<std::vector<std::string>> document_uris(std::string_view json);

}  // namespace symbols::query
