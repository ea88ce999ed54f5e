#include "table/budget.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "table/formats/line_start.h"
#include "table/hover/hover_text.h"

namespace symbols::table {
namespace {

bool is_minimal(Field field) {
  return field == Field::name || field == Field::kind || field == Field::range || field == Field::lines;
}

// The hover without its prose; the hover may have been cut.
std::string without_prose(const std::string& hover, const HoverText& parts) {
  const bool is_cut = !hover.starts_with(parts.signature);
  return parts.prose.empty() || is_cut ? hover : parts.signature;
}

bool has_hovers(const SymbolRows& rows) {
  return std::ranges::any_of(rows.hovers, [](const std::string& hover) { return !hover.empty(); }) ||
         std::ranges::any_of(rows.hover_parts, [](const HoverText& parts) { return parts != HoverText{}; });
}

// One document while it is reduced.
class Budget {
 public:
  Budget(SymbolRows rows, View view, TokenLimit max_tokens, const RowsWriter& write, const BesideRows& beside)
      : rows_(std::move(rows)),
        view_(std::move(view)),
        most_(max_tokens.tokens),
        tokenizer_(max_tokens.tokenizer),
        write_(write),
        beside_(beside),
        all_symbols_(symbol_count(rows_)),
        has_hovers_(has_hovers(rows_)),
        missing_() {}

  BudgetedText fit() {
    BudgetedText whole;
    whole.text = write_(rows_, view_, {});
    whole.tokens = estimate_tokens(whole.text, tokenizer_) + beside_.tokens;
    all_tokens_ = whole.tokens + beside_.tokens_given_up;
    if (!beside_.given_up.empty()) {
      dropped_.push_back(beside_.given_up);
      whole = settled(rows_, {});
    }
    if (whole.tokens <= most_) return whole;

    for (const auto step : {&Budget::drop_prose, &Budget::drop_hovers, &Budget::drop_to_minimal}) {
      if ((this->*step)() && fits(rows_, {})) return settled(rows_, {});
    }
    const std::uint32_t levels = level_count(rows_.tree);
    if (levels > 1) {
      const std::size_t kept = most_that_fits(
          levels, [&](std::size_t tried) { return fits(with_levels(tried), {.below_level = tried}); });
      if (kept > 0) return settled(with_levels(kept), {.below_level = kept});
      rows_ = with_levels(1);
      missing_.below_level = 1;
    }
    const std::size_t kept = most_that_fits(rows_.tree.symbols.size(), [&](std::size_t tried) {
      return fits(first_rows(tried), rows_gone(tried));
    });
    BudgetedText least = settled(first_rows(kept), rows_gone(kept));
    // The notice may take more tokens than dropping saves.
    return least.tokens < whole.tokens ? least : whole;
  }

 private:
  // The rows that are missing.
  struct Missing {
    std::size_t below_level = 0;  // levels that are kept; 0: all
    std::size_t from_end = 0;     // rows
  };

  // The steps that keep all rows return whether they removed anything.
  bool drop_prose() {
    bool any = false;
    if (view_.shows(Field::hover)) {
      const std::size_t known = std::min(rows_.hovers.size(), rows_.hover_parts.size());
      for (std::size_t row = 0; row < known; ++row) {
        std::string rest = without_prose(rows_.hovers[row], rows_.hover_parts[row]);
        any = any || rest != rows_.hovers[row];
        rows_.hovers[row] = std::move(rest);
      }
    }
    if (any) dropped_.emplace_back("hover prose");
    return drop_fields([](Field field) { return field == Field::doc; }) || any;
  }

  bool drop_hovers() {
    std::erase(dropped_, "hover prose");  // and its signature
    rows_.with_hover = false;
    rows_.hovers.clear();
    const bool any = drop_fields([](Field field) { return needs_hover(field); });
    if (view_.signatures) {  // which no hover may have been needed for
      if (!has_hovers_) dropped_.emplace_back(field_name(Field::signature));
      view_.signatures = false;
      view_.fields = fields_of(Verbosity::minimal);
    }
    return any;
  }

  bool drop_to_minimal() {
    return drop_fields([](Field field) { return !is_minimal(field); });
  }

  template <class Predicate>
  bool drop_fields(Predicate goes) {
    std::vector<Field> rest;
    for (const Field field : view_.fields) {
      if (!goes(field)) {
        rest.push_back(field);
      } else if (has_hovers_ || !needs_hover(field)) {  // an empty column loses nothing
        dropped_.emplace_back(field_name(field));
      }
    }
    const bool any = rest.size() < view_.fields.size();
    // A row without fields says nothing.
    view_.fields = rest.empty() ? fields_of(Verbosity::minimal) : std::move(rest);
    return any;
  }

  // The rest of rows_, and what is missing from it.
  SymbolRows with_levels(std::size_t levels) const {
    const Levels rule{Levels::Rule::count, static_cast<std::uint32_t>(levels)};
    LimitedTree kept = limit_levels({rows_.tree, rows_.folded}, rule);
    SymbolRows limited;
    limited.tree = std::move(kept.tree);
    limited.folded = std::move(kept.folded);
    count_left_out(limited, [&kept](std::size_t row) { return kept.kept[row]; });
    return limited;
  }
  // Records how many children each row has lost; `before(row)` is where the row stood in rows_.
  template <class Before>
  void count_left_out(SymbolRows& some, Before before) const {
    const std::vector<std::uint32_t> all = child_counts(rows_.tree, rows_.left_out);
    const std::vector<std::uint32_t> kept = child_counts(some.tree, some.left_out);
    some.left_out.resize(kept.size());
    for (std::size_t row = 0; row < kept.size(); ++row) some.left_out[row] = all[before(row)] - kept[row];
  }
  SymbolRows first_rows(std::size_t count) const {
    SymbolRows some;
    const auto& symbols = rows_.tree.symbols;
    some.tree.symbols.assign(symbols.begin(), symbols.begin() + static_cast<std::ptrdiff_t>(count));
    some.folded.assign(rows_.folded.begin(), rows_.folded.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                        count, rows_.folded.size())));
    count_left_out(some, [](std::size_t row) { return row; });
    return some;
  }
  Missing rows_gone(std::size_t kept) const {
    return {missing_.below_level, symbol_count(rows_) - symbol_count(rows_, kept)};
  }

  // Of the first `count` rows, with the symbols that were folded at them.
  static std::size_t symbol_count(const SymbolRows& rows, std::size_t count) {
    std::size_t symbols = count;
    for (std::size_t row = 0; row < std::min(count, rows.folded.size()); ++row) {
      symbols += std::size_t{rows.folded[row].inside} + rows.folded[row].after;
    }
    return symbols;
  }
  static std::size_t symbol_count(const SymbolRows& rows) {
    return symbol_count(rows, rows.tree.symbols.size());
  }

  std::string notice(const SymbolRows& rows, Missing missing, std::size_t tokens) const {
    std::vector<std::string> dropped = dropped_;
    const std::size_t gone = all_symbols_ - symbol_count(rows);
    if (dropped.empty() && gone == 0) dropped.emplace_back("empty hovers");
    if (missing.below_level > 0) dropped.push_back(fmt::format("levels>{}", missing.below_level));
    if (gone > 0) dropped.push_back(fmt::format("{} row{}", gone, gone == 1 ? "" : "s"));
    std::string text =
        fmt::format("{} -> {} tokens; dropped: {}", all_tokens_, tokens, fmt::join(dropped, ", "));
    if (missing.from_end > 0 && missing.from_end < gone) {
      text += fmt::format(" ({} from the end)", missing.from_end);
    }
    return text;
  }

  // Whether that fits the budget, with any notice.
  bool fits(const SymbolRows& rows, Missing missing) const {
    return written(rows, missing, most_).tokens <= most_;
  }
  BudgetedText settled(const SymbolRows& rows, Missing missing) const {
    return with_own_count(most_, [&](std::size_t told) { return written(rows, missing, told); });
  }
  BudgetedText written(const SymbolRows& rows, Missing missing, std::size_t told) const {
    BudgetedText result;
    result.notice = notice(rows, missing, told);
    result.text = write_(rows, view_, result.notice);
    result.tokens = estimate_tokens(result.text, tokenizer_) + beside_.tokens;
    return result;
  }

  SymbolRows rows_;
  View view_;
  const std::size_t most_;
  const Tokenizer tokenizer_;
  const RowsWriter& write_;
  const BesideRows& beside_;
  const std::size_t all_symbols_;
  const bool has_hovers_;
  std::size_t all_tokens_ = 0;
  std::vector<std::string> dropped_;
  Missing missing_;  // in rows_
};

}  // namespace

void append_notice(std::string& text, std::string_view notice) {
  if (notice.empty()) return;
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  text += truncated_start;
  text += notice;
}

BudgetedText fit_budget(SymbolRows rows, View view, TokenLimit max_tokens, const RowsWriter& write,
                        const BesideRows& beside) {
  return Budget(std::move(rows), std::move(view), max_tokens, write, beside).fit();
}

}  // namespace symbols::table
