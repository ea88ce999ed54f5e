#include "tests/table/captures.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "lsp/json/json_document.h"
#include "tests/table/error_of.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace {

std::string raw_text(const rapidjson::Value& hover) {
  const rapidjson::Value* contents = lsp::member(hover, "contents");
  if (contents == nullptr) return {};
  const rapidjson::Value* value = lsp::member(*contents, "value");
  REQUIRE(value != nullptr);
  std::string text(value->GetString(), value->GetStringLength());
  std::size_t end = std::min<std::size_t>(text.size(), 200);
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  return text;
}

}  // namespace

std::vector<Capture> captures(const std::string& suffix) {
  const std::filesystem::path root = std::filesystem::path(FIXTURES_DIR) / "captures";
  std::vector<Capture> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    std::string name = entry.path().lexically_relative(root).generic_string();
    if (!name.ends_with(suffix)) continue;
    name.resize(name.size() - suffix.size());
    found.push_back({std::move(name), entry.path()});
  }
  std::sort(found.begin(), found.end(), [](const Capture& a, const Capture& b) { return a.name < b.name; });
  return found;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE_MESSAGE(file.good(), "cannot open ", path.string());
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

lsp::SymbolTree load_tree(const Capture& capture) {
  CAPTURE(capture.name);
  Result<lsp::SymbolTree> tree = lsp::decode_document_symbols(read_file(capture.path));
  REQUIRE(error_of(tree) == "");
  return std::move(*tree);
}

SymbolRows load_rows_with_hovers(const Capture& capture) {
  SymbolRows rows = made_rows(load_tree(capture), {});
  const std::filesystem::path path =
      capture.path.parent_path() / (std::filesystem::path(capture.name).filename().string() + ".hovers.json");
  if (!std::filesystem::exists(path)) {
    for (std::size_t row = 0; row < rows.all.size(); ++row) {
      rows.all[row].hover = rows.all[row].name + " | row " + std::to_string(row);
    }
    return rows;
  }
  const Result<rapidjson::Document> hovers = lsp::parse_json(read_file(path));
  REQUIRE(error_of(hovers) == "");
  REQUIRE(hovers->IsArray());
  REQUIRE(hovers->Size() == rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row)
    rows.all[row].hover = raw_text((*hovers)[static_cast<rapidjson::SizeType>(row)]);
  return rows;
}

}  // namespace symbols::table
