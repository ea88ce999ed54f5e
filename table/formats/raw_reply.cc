#include "table/formats/raw_reply.h"

#include <fmt/format.h>

#include "lsp/hover.h"
#include "lsp/json/json.h"
#include "lsp/json/json_elements.h"
#include "table/formats/json_format.h"
#include "table/formats/json_text.h"
#include "table/hover/cut_text.h"

namespace symbols::table {
namespace {

constexpr std::string_view the_hovers = "the hovers";

}  // namespace

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
  const std::vector<lsp::DocumentSymbol>& all = rows->tree.symbols;
  if (elements.size() != all.size()) {
    return Error{fmt::format("{} hovers for {} symbols", elements.size(), all.size()),
                 "give one for each symbol in pre-order, and null for no hover"};
  }

  rows->with_hover = true;
  for (const std::string_view element : elements) {
    const Result<lsp::Hover> hover = lsp::decode_hover(element);
    if (!hover) {
      return unreadable(the_hovers, *hovers, static_cast<std::size_t>(element.data() - hovers->data()),
                        hover.error().message);
    }
    const HoverText text = split_hover(*hover, all[rows->hovers.size()].name);
    rows->hovers.push_back(join_hover(text, hover_chars));
    rows->hover_parts.push_back(
        {cut_signature(text.signature, hover_chars), cut_text(text.prose, hover_chars)});
  }
  return rows;
}

}  // namespace symbols::table
