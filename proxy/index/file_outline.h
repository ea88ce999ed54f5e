// What is read from a file's text while it is indexed: whether a row defines its name, or only declares or
// imports it, and what `symbols map` needs: the names that a reader may want, and the words of its code.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/document_symbol.h"

namespace symbols::index {

// Best first, for a search by name.
enum class RowForm : std::uint8_t {
  definition,
  declaration,  // of C and C++: a prototype, `class Table;`, `extern int count;`
  import,       // of JavaScript, TypeScript and Python: `import { a }`, `export { a }`, `a = require("a")`
};

// [row]: its form, read from the text as servers do not report it. `text`: the file's, UTF-8; positions count
// in UTF-16. Of other languages, and where the text ends before a row, all are definitions.
std::vector<RowForm> row_forms(std::string_view path, const lsp::SymbolTree& tree, std::string_view text);

struct OutlineName {
  std::string_view name;
  std::uint8_t kind = 0;    // LSP's SymbolKind; 255 for larger ones
  bool is_member = false;   // of the last name before it that is none
  bool is_private = false;  // a name at top level that its JavaScript or TypeScript module does not export
};

struct OutlineWord {
  std::uint32_t number = 0;  // word_number() of it
  bool is_declared = false;  // the file declares something that is called so, a local too
};

// As it is kept in the index.
struct FileOutline {
  std::string names{};
  std::string words{};

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
