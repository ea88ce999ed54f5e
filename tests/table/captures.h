// The recorded replies under fixtures/captures, for tests that hold for every real file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "table/rows.h"

namespace symbols::table {

struct Capture {
  std::string name;            // "gopls/strings__builder.go"
  std::filesystem::path path;  // its documentSymbol reply
};

// Every fixtures/captures/<server>/*<suffix>, in the order of their names. Suffixes: ".symbols.json",
// ".flat.json".
std::vector<Capture> captures(const std::string& suffix = ".symbols.json");

std::string read_file(const std::filesystem::path& path);

lsp::SymbolTree load_tree(const Capture& capture);

// The rows of a capture with its recorded hovers: their raw text, cut to 200 bytes at a character's boundary.
// Where none were recorded each row gets a text of its own.
SymbolRows load_rows_with_hovers(const Capture& capture);

}  // namespace symbols::table
