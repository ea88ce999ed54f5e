#include "proxy/cli/tell.h"

#include <cstdio>

#include "table/terminal_text.h"

namespace symbols::cli {

void tell(const std::string& message) {
  const std::string line = "symbols: " + table::terminal_text(message) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace symbols::cli
