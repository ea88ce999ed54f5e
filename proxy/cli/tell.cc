#include "proxy/cli/tell.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "table/terminal_text.h"

namespace symbols::cli {

void tell(const std::string& message) {
  const std::string line = "symbols: " + table::terminal_text(message) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

bool obeys_escapes(int descriptor) {
  const char* term = std::getenv("TERM");
  return ::isatty(descriptor) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

}  // namespace symbols::cli
