// What `symbols map` needs of a file, made while it is indexed: the names that a reader may want to see, and
// the words of its code.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/document_symbol.h"
#include "proxy/index/row_form.h"

namespace symbols::index {

struct OutlineName {
  std::string_view name;
  std::uint8_t kind = 0;   // LSP's SymbolKind; 255 for larger ones
  bool is_member = false;  // of the last name before it that is none
};

struct OutlineWord {
  std::uint32_t number = 0;  // word_number() of it
  bool is_declared = false;  // the file declares something that is called so, a local too
};

// As it is kept in the index.
struct FileOutline {
  std::string names;
  std::string words;

  bool operator==(const FileOutline&) const = default;
};

// Makes the outline of the file at `path` from its symbols and their forms. `text`: the file's, UTF-8.
// Names are top-level symbols (also those inside of namespaces), each once, and their direct members. Left
// out: imports, locals, forward declarations, and names with whitespace, such as callbacks. Words in comment
// lines and keywords do not count.
FileOutline outline_of(std::string_view path, const lsp::SymbolTree& tree, const std::vector<RowForm>& forms,
                       std::string_view text);

// The parts of an outline. The names refer to it. Of a damaged one as much as can be read.
std::vector<OutlineName> names_of(const FileOutline& outline);

std::vector<OutlineWord> words_of(const FileOutline& outline);

// The number that stands for a word. Two words may have the same, which is rare.
std::uint32_t word_number(std::string_view word);

}  // namespace symbols::index
