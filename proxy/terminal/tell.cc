#include "proxy/terminal/tell.h"

#include <cstdio>

#include "table/escape.h"

namespace symbols::terminal {

bool print(std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
}

std::string message_line(std::string_view message, bool colour) {
  return (colour ? "\x1B[1msymbols:\x1B[0m " : "symbols: ") + table::terminal_text(message) + "\n";
}

void tell(const std::string& message) {
  const std::string line = message_line(message, false);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

int tell_error(const Error& error, int status) {
  tell(error.text());
  return status;
}

}  // namespace symbols::terminal
