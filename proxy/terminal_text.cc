#include "proxy/terminal_text.h"

#include "table/escape.h"

namespace symbols::proxy {

std::string terminal_text(std::string_view text) {
  constexpr table::CellEscape escape("");
  std::string out;
  while (!text.empty()) {
    const std::size_t backslash = text.find('\\');
    escape.append(out, text.substr(0, backslash));
    if (backslash == std::string_view::npos) break;
    out += '\\';
    text.remove_prefix(backslash + 1);
  }
  return out;
}

}  // namespace symbols::proxy
