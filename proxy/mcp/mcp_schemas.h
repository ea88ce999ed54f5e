// What a model reads of the tools of `symbols mcp`: names, descriptions, arguments. All of it is sent with
// every conversation, so each word has to earn its tokens.
#pragma once

#include <vector>

#include "proxy/mcp/tool_host.h"

namespace symbols::mcp {

const std::vector<Tool>& tool_schemas();

}  // namespace symbols::mcp
