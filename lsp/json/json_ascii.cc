#include "lsp/json/json_ascii.h"

#include "lsp/json/json.h"
#include "lsp/unicode.h"

namespace symbols::lsp {

std::string_view ascii_json(std::string_view json, std::string& storage) {
  std::size_t ascii = find_non_ascii(json);
  if (ascii == std::string_view::npos) return json;
  storage.clear();
  storage.reserve(json.size() + json.size() / 8);
  std::string_view rest = json;
  while (ascii != std::string_view::npos) {
    storage += rest.substr(0, ascii);
    rest.remove_prefix(ascii);
    // Such characters come in runs.
    while (!rest.empty() && static_cast<unsigned char>(rest.front()) >= 0x80) {
      const Decoded c = decode_utf8(rest);
      append_json_escape(storage, c.code_point);
      rest.remove_prefix(c.length);
    }
    ascii = find_non_ascii(rest);
  }
  storage += rest;
  return storage;
}

}  // namespace symbols::lsp
