// Why a server refused a request, as text for the reader of an answer.
#pragma once

#include <string>
#include <string_view>

#include "lsp/reply.h"

namespace symbols::query {

inline constexpr std::string_view not_offered = "not offered by the server";

// The server's own message if it has one; `reply` is a failed one.
std::string refusal_text(const lsp::Reply& reply);

}  // namespace symbols::query
