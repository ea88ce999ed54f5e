// The lines of a YAML file, as far as needed to add keys to its block mappings.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace symbols::setup {

// A line that is neither blank nor a comment.
struct YamlLine {
  std::string_view text;  // without the newline; points into the file's text
  std::size_t number;     // from 1

  // The number of spaces before the content.
  std::size_t indent() const;
};

std::vector<YamlLine> yaml_lines(std::string_view text);

// The key at the start of a line, without its quotes; none for any other line.
std::optional<std::string_view> yaml_key(std::string_view line);

// What follows the key's colon on its line, without surrounding blanks and comment.
std::string_view yaml_value(std::string_view line);

// Whether it begins an element of a list, which may stand as far left as the key of the list.
bool is_yaml_element(const YamlLine& line);

// `---` alone, without content after it.
bool is_yaml_document_start(std::string_view line);

}  // namespace symbols::setup
