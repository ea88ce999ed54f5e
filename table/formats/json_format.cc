#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/document_symbol.h"
#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"
#include "lsp/replies.h"
#include "lsp/unicode.h"
#include "table/formats/format.h"
#include "table/one_line.h"

namespace symbols::table {
namespace {

constexpr std::string_view json_symbols = "the symbols as JSON";
constexpr std::string_view the_hovers = "the hovers";

}  // namespace

std::string write_json(const SymbolRows& rows, const View& view) {
  const bool hover_as_detail = view.shows(Field::hover);
  const std::vector<std::uint32_t> depths = row_depths(rows);
  std::string out;
  constexpr std::size_t expected_size = 255;  // of one symbol without its strings, with lines of five digits
  out.reserve(2 + rows.size() * expected_size);
  out += '[';
  std::size_t open = 0;  // arrays of children that are not closed yet: the path to the row before
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const bool first_child = open > 0 && depths[row] >= open;
    if (!first_child) {
      for (; open > depths[row]; --open) out += "]}";
      if (row > 0) out += ',';
    }
    const Row& one = rows.all[row];
    out += R"({"name":)";
    lsp::append_json_string(out, one.name);
    const std::string& detail = hover_as_detail && !one.hover.empty() ? one.hover : one.detail;
    if (!detail.empty()) {
      out += R"(,"detail":)";
      lsp::append_json_string(out, detail);
    }
    out += ',';
    lsp::append_kind_members(out, one);
    out += R"(,"range":)";
    lsp::append_range_json(out, one.range);
    out += R"(,"selectionRange":)";
    lsp::append_range_json(out, one.selection_range);
    out += R"(,"children":[)";
    ++open;
  }
  for (; open > 0; --open) out += "]}";
  out += ']';
  return out;
}

Result<SymbolRows> read_json(std::string_view text) {
  std::size_t fault = 0;
  Result<lsp::SymbolTree> tree = lsp::decode_document_symbols(text, {}, &fault);
  if (!tree) return unreadable(json_symbols, text, fault, tree.error().message);
  const std::size_t start = lsp::skip_json_whitespace(text);
  const std::size_t length = text[start] == '[' ? lsp::skip_json_value(text.substr(start)) : 4;  // null
  const std::size_t more = lsp::skip_json_whitespace(text, start + length);
  if (more < text.size()) return unreadable(json_symbols, text, more, "expected the end");
  return SymbolRows(*std::move(tree));
}

Result<SymbolRows> read_raw_reply(std::string_view symbols, std::optional<std::string_view> hovers,
                                  std::size_t hover_chars) {
  Result<SymbolRows> rows = read_json(symbols);
  if (!rows || !hovers) return rows;

  if (std::optional<Error> fault = json_fault(the_hovers, *hovers)) return *std::move(fault);
  std::vector<std::string_view> elements;
  if (!lsp::for_each_element(*hovers, [&](std::string_view element) { elements.push_back(element); })) {
    return unreadable(the_hovers, *hovers, lsp::skip_json_whitespace(*hovers),
                      "expected an array of the results of hover requests");
  }
  if (elements.size() != rows->size()) {
    return Error{fmt::format("{} hovers for {} symbols", elements.size(), rows->size()),
                 "give one for each symbol in pre-order, and null for no hover"};
  }

  rows->with_hover = true;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const std::string_view element = elements[i];
    const Result<lsp::Hover> hover = lsp::decode_hover(element);
    if (!hover) {
      return unreadable(the_hovers, *hovers, static_cast<std::size_t>(element.data() - hovers->data()),
                        hover.error().message);
    }
    Row& row = rows->all[i];
    const HoverText text = row_hover(row, split_hover(*hover, row.name));
    row.hover = join_hover(text, hover_chars);
    row.hover_parts = {cut_signature(text.signature, hover_chars), cut_text(text.prose, hover_chars)};
  }
  return rows;
}

Error unreadable(std::string_view what, std::string_view text, std::size_t offset, std::string_view reason) {
  const std::string_view before = text.substr(0, offset);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  if (reason.ends_with('.')) reason.remove_suffix(1);     // RapidJSON's sentences
  return {fmt::format("cannot read {} at line {}, column {}: {}", what, lines + 1,
                      lsp::scalar_count(before.substr(line_start)) + 1, reason),
          {}};
}

std::optional<Error> json_fault(std::string_view what, std::string_view json) {
  std::string storage;
  const std::string_view valid = lsp::mend_lone_surrogates(json, storage);
  rapidjson::MemoryStream stream(valid.data(), valid.size());
  rapidjson::Reader reader;
  rapidjson::BaseReaderHandler<> nothing;
  reader.Parse<rapidjson::kParseIterativeFlag>(stream, nothing);
  if (reader.HasParseError()) {
    return unreadable(what, json, reader.GetErrorOffset(),
                      rapidjson::GetParseError_En(reader.GetParseErrorCode()));
  }
  // To RapidJSON a NUL is the end.
  if (stream.Tell() < json.size()) return unreadable(what, json, stream.Tell(), "expected the end");
  return {};
}

}  // namespace symbols::table
