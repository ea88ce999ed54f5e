// The params of requests about a document or a position in one, as JSON.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "lsp/json/json.h"
#include "lsp/range.h"

namespace symbols::query {

inline std::string document_params(std::string_view uri) {
  return fmt::format(R"({{"textDocument":{{"uri":{}}}}})", lsp::json_string(uri));
}

// `more`: further members, each with a comma before it.
inline std::string place_params(std::string_view uri, lsp::Position position, std::string_view more = {}) {
  return fmt::format(R"({{"textDocument":{{"uri":{}}},"position":{{"line":{},"character":{}}}{}}})",
                     lsp::json_string(uri), position.line, position.character, more);
}

}  // namespace symbols::query
