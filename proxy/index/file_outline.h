// What `symbols map` needs of a file, made while it is indexed: the names that a reader may want to see, and
// which words its code mentions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/document_symbol.h"

namespace symbols::index {

// What kind of line of an outline a name is.
enum class NameRole : std::uint8_t {
  top,         // at top level, or in a namespace that is no level
  member,      // of the last name before it that is none
  definition,  // of a member that is declared elsewhere: `Table::Open`, `Table.Open` in Go
};

struct OutlineName {
  std::string_view name;
  std::uint8_t kind = 0;  // LSP's SymbolKind; 255 for larger ones
  NameRole role = NameRole::top;
  bool is_exported = false;
};

// As it is kept in the index.
struct FileOutline {
  std::string names;
  std::string words;
  std::string signatures;

  bool operator==(const FileOutline&) const = default;
};

// The outline of the file at `path` with these symbols. `text`: the file's, UTF-8. Without imports, locals,
// members of members, forward declarations of C++, the repetitions of a name (overloads, merged
// declarations), and what has whitespace in its name, such as callbacks. Words are those outside of comment
// lines that are no keywords.
FileOutline outline_of(std::string_view path, const lsp::SymbolTree& tree, std::string_view text);

// The parts of an outline. The names refer to `outline`. Of damaged ones as much as can be read.
std::vector<OutlineName> names_of(const FileOutline& outline);
std::vector<std::string_view> signatures_of(std::string_view signatures);  // of each name; empty: no function
std::vector<std::uint32_t> words_of(const FileOutline& outline);

// The number that stands for a word in words_of(). Two words may have the same, which is rare.
std::uint32_t word_number(std::string_view word);

}  // namespace symbols::index
