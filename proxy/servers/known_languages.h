// Which language a file is in, by the language ids that LSP 3.17 lists under "Text Document Language
// Identifiers" and, where it has none, by those that the language's own server expects.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace symbols::servers {

struct Language {
  std::string id;                         // LSP's languageId
  std::vector<std::string> extensions;    // with the dot: ".py"; the longest that a name ends in counts
  std::vector<std::string> file_names;    // whole names: "Dockerfile"; they win over extensions
  std::vector<std::string> interpreters;  // of a script's "#!" line, without folder and version: "python"

  bool operator==(const Language&) const = default;
};

// The built-in language called `id`, or null.
const Language* known_language(std::string_view id);

// The pieces of `text` between blanks, as the built-in tables are written.
std::vector<std::string> words(std::string_view text);

}  // namespace symbols::servers
