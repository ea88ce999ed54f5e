#include "proxy/servers/interpreter_line.h"

#include <algorithm>

namespace symbols::servers {
namespace {

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

std::string_view interpreter_in(std::string_view text) {
  if (!text.starts_with("#!")) return {};
  std::string_view line = text.substr(2, text.find_first_of("\r\n", 2) - 2);
  bool of_env = false;
  for (;;) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.empty()) return {};
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    line.remove_prefix(word.size());
    if (!of_env) {
      if (base_name(word) != "env") return word;
      of_env = true;
    } else if (!word.starts_with('-') && word.find('=') == word.npos) {  // env -S NAME=VALUE node
      return word;
    }
  }
}

std::string_view interpreter_name(std::string_view interpreter) {
  const std::string_view name = base_name(interpreter);
  return name.substr(0, name.find_last_not_of("0123456789.") + 1);
}

}  // namespace symbols::servers
