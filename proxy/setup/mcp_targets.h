// The agents of `symbols setup --mcp`: where each one keeps its servers of the Model Context Protocol.
#pragma once

#include <vector>

#include "proxy/setup/setup_targets.h"

namespace symbols::setup {

// In listing order.
std::vector<SetupTarget> mcp_targets();

}  // namespace symbols::setup
