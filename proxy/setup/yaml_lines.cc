#include "proxy/setup/yaml_lines.h"

#include <algorithm>

#include "base/split.h"
#include "table/whitespace.h"

namespace symbols::setup {
namespace {

// The colon that ends the key of a line, or npos.
std::size_t key_end(std::string_view line) {
  const std::size_t colon = line.find(": ");
  if (colon != line.npos) return colon;
  const std::string_view said = table::trim(line);
  if (!said.ends_with(':')) return line.npos;
  return static_cast<std::size_t>(said.data() - line.data()) + said.size() - 1;
}

}  // namespace

std::size_t YamlLine::indent() const {
  return std::min(text.find_first_not_of(' '), text.size());
}

std::vector<YamlLine> yaml_lines(std::string_view text) {
  std::vector<YamlLine> lines;
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    const std::string_view said = table::trim(line);
    if (!said.empty() && said.front() != '#') lines.push_back({line, number});
  }
  return lines;
}

std::optional<std::string_view> yaml_key(std::string_view line) {
  const std::size_t colon = key_end(line);
  if (colon == line.npos || colon == 0) return {};
  std::string_view key = table::trim(line.substr(0, colon));
  if (key.size() > 1 && (key.front() == '"' || key.front() == '\'') && key.back() == key.front()) {
    key = key.substr(1, key.size() - 2);
  }
  return key;
}

std::string_view yaml_value(std::string_view line) {
  const std::size_t colon = key_end(line);
  if (colon == line.npos) return {};
  std::string_view value = table::trim(line.substr(colon + 1));
  if (value.starts_with('#')) return {};
  return table::trim(value.substr(0, value.find(" #")));
}

bool is_yaml_element(const YamlLine& line) {
  const std::string_view said = line.text.substr(line.indent());
  return said.starts_with("- ") || table::trim(said) == "-";
}

bool is_yaml_document_start(std::string_view line) {
  if (!line.starts_with("---")) return false;
  line.remove_prefix(3);
  const std::string_view behind = table::trim(line);
  return behind.empty() || (behind.front() == '#' && line.front() != '#');
}

}  // namespace symbols::setup
