// Why a server refused a request, in words for the reader of an answer.
#pragma once

#include <string>
#include <string_view>

#include "lsp/reply.h"

namespace symbols::query {

inline constexpr std::string_view not_offered = "not offered by the server";

// The server's own words as far as it has any; `reply` is one that failed.
std::string refusal_text(const lsp::Reply& reply);

}  // namespace symbols::query
