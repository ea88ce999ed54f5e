#include "table/budget.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "table/escape.h"
#include "table/hover/hover_text.h"

namespace symbols::table {
namespace {

bool is_minimal(Field field) {
  return field == Field::name || field == Field::kind || field == Field::range || field == Field::lines;
}

// The hover without its prose; the hover may have been cut.
const std::string& without_prose(const Row& row) {
  const bool is_cut = !row.hover.starts_with(row.hover_parts.signature);
  return row.hover_parts.prose.empty() || is_cut ? row.hover : row.hover_parts.signature;
}

bool has_hovers(const SymbolRows& rows) {
  return std::ranges::any_of(
      rows.all, [](const Row& row) { return !row.hover.empty() || row.hover_parts != HoverText{}; });
}

// One document while it is reduced.
class Budget {
 public:
  Budget(SymbolRows rows, View view, TokenLimit max_tokens, const RowsWriter& write, const BesideRows& beside)
      : rows_(std::move(rows)),
        view_(std::move(view)),
        max_(max_tokens.tokens),
        tokenizer_(max_tokens.tokenizer),
        write_(write),
        beside_(beside),
        all_symbols_(symbol_count(rows_)),
        has_hovers_(has_hovers(rows_)),
        missing_() {}

  BudgetedText fit() {
    BudgetedText whole = written(rows_, {});
    all_tokens_ = whole.tokens + beside_.tokens_given_up;
    if (!beside_.given_up.empty()) {
      dropped_.push_back(beside_.given_up);
      whole = settled(rows_, {});
    }
    if (whole.tokens <= max_) return whole;

    View view = view_;
    for (const auto step :
         {&Budget::drop_prose, &Budget::drop_hovers, &Budget::drop_selection, &Budget::drop_to_minimal}) {
      const bool keeps_signatures = step == &Budget::drop_prose;
      if (keeps_signatures || step == &Budget::drop_hovers) view = view_;
      const auto shown = [&](std::size_t kept) {
        return keeps_signatures ? with_hovers(kept, rows_.size()) : with_hovers(0, kept);
      };
      if (!(this->*step)() || !fits(shown(0), {})) continue;
      // The first rows may get back what is of their hovers, not other fields.
      std::erase_if(view.fields, [this](Field field) { return !view_.shows(field) && !needs_hover(field); });
      return filled(view, shown);
    }
    rows_ = with_hovers(0, 0);
    const std::uint32_t levels = level_count(rows_);
    if (levels > 1) {
      const auto whole_levels = [&](std::size_t tried) {
        return fits(with_levels(tried, 0), {.below_level = tried});
      };
      if (const std::size_t kept = most_that_fits(levels, whole_levels); kept > 0) {
        const auto gone = [kept](std::size_t more) { return Missing{.below_level = kept, .but = more}; };
        const auto next = std::ranges::count(row_depths(rows_), kept);
        const std::size_t more = most_that_fits(static_cast<std::size_t>(next), [&](std::size_t tried) {
          return fits(with_levels(kept, tried), gone(tried));
        });
        return settled(with_levels(kept, more), gone(more));
      }
      rows_ = with_levels(1, 0);
      missing_.below_level = 1;
    }
    const std::size_t kept = most_that_fits(
        rows_.size(), [&](std::size_t tried) { return fits(first_rows(tried), rows_gone(tried)); });
    BudgetedText least = settled(first_rows(kept), rows_gone(kept));
    // The notice may take more tokens than dropping saves.
    return least.tokens < whole.tokens ? least : whole;
  }

 private:
  // The rows that are missing.
  struct Missing {
    std::size_t below_level = 0;  // levels that are kept; 0: all
    std::size_t but = 0;          // rows of the next level that are kept too
    std::size_t from_end = 0;     // rows
  };

  // Puts back what the last step dropped, for as many of the first rows as fit: `shown` gives the rows where
  // the first so many keep it, `view` shows it.
  template <class Shown>
  BudgetedText filled(const View& view, const Shown& shown) {
    if (!view.shows(Field::name) || !(view.signatures || has_hovers_)) return settled(shown(0), {});
    const std::size_t all_rows = rows_.size();
    const View least_view = std::exchange(view_, view);
    const std::vector<std::string> dropped = dropped_;
    const auto name_rest = [&](std::size_t kept) {
      dropped_ = dropped;
      for (std::string& name : dropped_) {
        const bool in_part = name == "hover prose" || std::ranges::any_of(view.fields, [&](Field field) {
                               return field_name(field) == name;
                             });
        if (in_part) name += fmt::format(" of the last {} rows", all_rows - kept);
      }
    };
    const std::size_t kept = most_that_fits(all_rows, [&](std::size_t tried) {
      name_rest(tried);
      return fits(shown(tried), {});
    });
    name_rest(kept);
    if (kept == 0) {
      view_ = least_view;
      dropped_ = dropped;
    }
    return settled(shown(kept), {});
  }

  // rows_ with the hovers of the first `whole` rows, and the signatures of the first `signatures`.
  SymbolRows with_hovers(std::size_t whole, std::size_t signatures) const {
    SymbolRows rows = rows_;
    if (signatures == 0) rows.with_hover = false;
    for (std::size_t row = whole; row < rows.size(); ++row) {
      Row& one = rows.all[row];
      if (row < signatures) {
        one.hover = without_prose(one);
        one.hover_parts.prose.clear();
      } else {
        one.hover.clear();
        one.hover_parts = {};
        if (view_.signatures) one.detail.clear();
      }
    }
    return rows;
  }

  // The steps that keep all rows return whether they removed anything.
  bool drop_prose() {
    const bool any = view_.shows(Field::hover) && std::ranges::any_of(rows_.all, [](const Row& row) {
                       return without_prose(row) != row.hover;
                     });
    if (any) dropped_.emplace_back("hover prose");
    return drop_fields([](Field field) { return field == Field::doc; }) || any;
  }

  bool drop_hovers() {
    std::erase(dropped_, "hover prose");  // and its signature
    const bool any = drop_fields([](Field field) { return needs_hover(field); });
    if (view_.signatures) {  // which no hover may have been needed for
      if (!has_hovers_) dropped_.emplace_back(field_name(Field::signature));
      view_.signatures = false;
      view_.fields = fields_of(Verbosity::minimal);
    }
    return any;
  }

  bool drop_selection() {
    return drop_fields([](Field field) { return !is_minimal(field) && field != Field::parent; });
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
    // A row without fields is useless.
    view_.fields = rest.empty() ? fields_of(Verbosity::minimal) : std::move(rest);
    return any;
  }

  // The rows of the first levels, and the first `more` of the level below them.
  SymbolRows with_levels(std::size_t levels, std::size_t more) const {
    const std::vector<std::uint32_t> depths = row_depths(rows_);
    std::vector<std::size_t> kept;
    for (std::size_t row = 0; row < depths.size(); ++row) {
      const bool is_more = depths[row] == levels && more > 0;
      if (is_more) --more;
      if (is_more || depths[row] < levels) kept.push_back(row);
    }
    return only(kept);
  }
  SymbolRows first_rows(std::size_t count) const {
    std::vector<std::size_t> kept(count);
    std::iota(kept.begin(), kept.end(), std::size_t{0});
    return only(kept);
  }
  // Records how many children each row has lost.
  SymbolRows only(const std::vector<std::size_t>& kept) const {
    SymbolRows some = only_rows(rows_, kept);
    const std::vector<std::uint32_t> before = child_counts(rows_);
    const std::vector<std::uint32_t> after = child_counts(some);
    for (std::size_t row = 0; row < kept.size(); ++row)
      some.all[row].left_out += before[kept[row]] - after[row];
    return some;
  }
  Missing rows_gone(std::size_t kept) const {
    return {.below_level = missing_.below_level, .from_end = symbol_count(rows_) - symbol_count(rows_, kept)};
  }

  // How many symbols the first `count` rows stand for, with those that were folded at them.
  static std::size_t symbol_count(const SymbolRows& rows, std::size_t count) {
    std::size_t symbols = count;
    for (std::size_t row = 0; row < count; ++row) {
      symbols += std::size_t{rows.all[row].folded.inside} + rows.all[row].folded.after;
    }
    return symbols;
  }
  static std::size_t symbol_count(const SymbolRows& rows) { return symbol_count(rows, rows.size()); }

  std::string notice(const SymbolRows& rows, Missing missing, std::size_t tokens) const {
    std::vector<std::string> dropped = dropped_;
    const std::size_t gone = all_symbols_ - symbol_count(rows);
    if (dropped.empty() && gone == 0) dropped.emplace_back("empty hovers");
    if (missing.below_level > 0) {
      const std::string but = missing.but == 0 ? "" : fmt::format(" but {} rows", missing.but);
      dropped.push_back(fmt::format("levels>{}{}", missing.below_level, but));
    }
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
    return written(rows, notice(rows, missing, max_)).tokens <= max_;
  }
  BudgetedText settled(const SymbolRows& rows, Missing missing) const {
    return with_own_count(max_,
                          [&](std::size_t count) { return written(rows, notice(rows, missing, count)); });
  }
  // Positions do not count: they are not shown.
  BudgetedText written(const SymbolRows& rows, const std::string& notice) const {
    View shown = view_;
    shown.positions = false;
    BudgetedText result{.text = write_(rows, shown, notice), .notice = notice};
    result.tokens = estimate_tokens(result.text, tokenizer_) + beside_.tokens;
    if (view_.positions) result.text = write_(rows, view_, notice);
    return result;
  }

  SymbolRows rows_;
  View view_;
  const std::size_t max_;
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
