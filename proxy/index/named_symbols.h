// Which symbol of a project a name means, where nothing else is known of it (`symbols context NAME`).
//
// Of the rows that have the name exactly:
// - Declarations whose definition is there too do not count, nor do imports where anything else has the name.
// - Local variables and properties of objects come last. Sources go before tests and vendored files, these
//   before built ones; then types before symbols at top level (also of a namespace), these before members,
//   these before constructors.
// - What is left in one scope of one file, or of a header and its source, is one symbol with overloads: the
//   longest definition stands for it.
// - Functions that are only declared, such as those of interfaces, count where none is defined.
//
// named_symbols_test.cc covers it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lsp/position.h"
#include "proxy/index/index_store.h"

namespace symbols::index {

struct NamedSymbol {
  std::string file;                      // usable from the current folder
  lsp::Position position{};              // of its name, in UTF-16
  std::string place;                     // `FILE:LINE  Kind name in container  its line`
  std::vector<std::string> overloads{};  // the places of the others
};

struct NamedSymbols {
  std::vector<NamedSymbol> found{};       // those that may be meant, the best first
  std::size_t passed_over = 0;            // symbols that have the name, too
  bool are_imports = false;               // the project only imports the name
  std::vector<std::string> near_names{};  // if none has it
  std::vector<std::string> notes{};       // what was not considered
};

// Symbols called `name`: a last component, or `A::b`, where A may also be a folder or a file without its
// extension. `in`: only in this folder or file, with or without its extension, given by the end of its path;
// empty: any. `left_out`: absolute paths of files that do not count; null: none. Error: of the database.
Result<NamedSymbols> find_named_symbols(const FoundIndex& index, const std::string& name,
                                        const std::string& in,
                                        const std::function<bool(const std::string& path)>& left_out);

}  // namespace symbols::index
