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

// The number of hovers, or why they are not an array.
Result<std::size_t> count_hovers(std::string_view hovers) {
  if (std::optional<Error> fault = json_fault(the_hovers, hovers)) return *std::move(fault);
  const std::optional<std::size_t> count = lsp::for_each_element(hovers, [](std::string_view) {});
  if (count) return *count;
  return unreadable(the_hovers, hovers, lsp::skip_json_whitespace(hovers),
                    "expected an array of the results of hover requests");
}

}  // namespace

Result<SymbolRows> read_raw_reply(std::string_view symbols, std::optional<std::string_view> hovers,
                                  std::size_t hover_chars) {
  Result<SymbolRows> rows = read_json(symbols);
  if (!rows || !hovers) return rows;

  const Result<std::size_t> count = count_hovers(*hovers);
  if (!count) return count.error();
  const std::vector<lsp::DocumentSymbol>& all = rows->tree.symbols;
  if (*count != all.size()) {
    return Error{fmt::format("{} hovers for {} symbols", *count, all.size()),
                 "give one for each symbol in pre-order, and null for no hover"};
  }

  rows->with_hover = true;
  std::optional<Error> failure;
  lsp::for_each_element(*hovers, [&](std::string_view element) {
    if (failure) return;
    const Result<lsp::Hover> hover = lsp::decode_hover(element);
    if (!hover) {
      failure = unreadable(the_hovers, *hovers, static_cast<std::size_t>(element.data() - hovers->data()),
                           hover.error().message);
      return;
    }
    const HoverText text = split_hover(*hover, all[rows->hovers.size()].name);
    rows->hovers.push_back(join_hover(text, hover_chars));
    rows->hover_parts.push_back(
        {cut_signature(text.signature, hover_chars), cut_text(text.prose, hover_chars)});
  });
  if (failure) return *std::move(failure);
  return rows;
}

}  // namespace symbols::table
