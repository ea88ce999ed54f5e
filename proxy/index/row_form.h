// Which rows define what they name, and which only declare or import it; which files are sources.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lsp/document_symbol.h"

namespace symbols::index {

// Best first, for somebody who searches for the name.
enum class RowForm : std::uint8_t {
  definition,
  declaration,  // of C and C++: a prototype, `class Table;`, `extern int count;`
  import,       // of JavaScript, TypeScript and Python: `import { a }`, `export { a }`, `a = require("a")`
};

// [row]: its form, read from the text as servers do not report it. `text`: the file's, UTF-8; positions count
// in UTF-16. Of other languages, and where the text ends before a row, all are definitions.
std::vector<RowForm> row_forms(std::string_view path, const lsp::SymbolTree& tree, std::string_view text);

}  // namespace symbols::index
