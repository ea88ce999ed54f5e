#include "proxy/index/answer_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "base/text.h"
#include "lsp/json/json.h"
#include "table/budget.h"

namespace symbols::index {

std::string lines_within(const std::vector<std::string>& lines,
                         const std::optional<table::TokenLimit>& limit) {
  std::string whole = fmt::format("{}\n", fmt::join(lines, "\n"));
  const std::size_t tokens = limit ? table::estimate_tokens(whole, limit->tokenizer) : 0;
  if (!limit || tokens <= limit->tokens) return whole;
  const auto cut = [&](std::size_t kept, std::size_t count) {
    table::BudgetedText budgeted;
    budgeted.text = fmt::format("{}", fmt::join(std::span(lines).first(kept), "\n"));
    table::append_notice(budgeted.text, fmt::format("{} -> {} tokens; dropped: {} from the end", tokens,
                                                    count, counted(lines.size() - kept, "line")));
    budgeted.tokens = table::estimate_tokens(budgeted.text, limit->tokenizer);
    return budgeted;
  };
  const std::size_t kept =
      std::max<std::size_t>(1, table::most_that_fits(lines.size(), [&](std::size_t most) {
                              return cut(most, limit->tokens).tokens <= limit->tokens;
                            }));
  return table::with_own_count(limit->tokens, [&](std::size_t count) { return cut(kept, count); }).text +
         '\n';
}

std::string json_strings(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back(lsp::json_string(text));
  return fmt::format("[{}]", fmt::join(quoted, ","));
}

std::string json_of_lists(
    const std::vector<std::pair<std::string_view, const std::vector<std::string>&>>& lists,
    std::string_view rest, bool in_lines) {
  std::string text;
  for (const auto& [name, rows] : lists) {
    if (!in_lines) {
      text += fmt::format(R"("{}":[{}],)", name, fmt::join(rows, ","));
      continue;
    }
    for (const std::string& row : rows)
      text += fmt::format(R"({{"list":"{}",{})", name, row.substr(1)) + '\n';
  }
  return in_lines ? fmt::format(R"({}{{"list":null,{}}})", text, rest) + '\n'
                  : fmt::format("{{{}{}}}", text, rest) + '\n';
}

}  // namespace symbols::index
