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
    BudgetedText whole = written(rows_, {});
    all_tokens_ = whole.tokens + beside_.tokens_given_up;
    if (!beside_.given_up.empty()) {
      dropped_.push_back(beside_.given_up);
      whole = settled(rows_, {});
    }
    if (whole.tokens <= most_) return whole;

    const std::size_t all_rows = rows_.tree.symbols.size();
    View view = view_;
    if (drop_prose() && fits(with_hovers(0, all_rows), {})) {
      return filled(view, [&](std::size_t kept) { return with_hovers(kept, all_rows); });
    }
    view = view_;
    for (const auto step : {&Budget::drop_hovers, &Budget::drop_selection, &Budget::drop_to_minimal}) {
      if ((this->*step)() && fits(with_hovers(0, 0), {})) {
        std::erase_if(view.fields,
                      [this](Field field) { return !view_.shows(field) && !needs_hover(field); });
        return filled(view, [&](std::size_t kept) { return with_hovers(0, kept); });
      }
    }
    rows_ = with_hovers(0, 0);
    const std::uint32_t levels = level_count(rows_.tree);
    if (levels > 1) {
      const auto whole_levels = [&](std::size_t tried) {
        return fits(with_levels(tried, 0), {.below_level = tried});
      };
      if (const std::size_t kept = most_that_fits(levels, whole_levels); kept > 0) {
        const auto gone = [kept](std::size_t more) { return Missing{.below_level = kept, .but = more}; };
        const auto next = std::ranges::count(symbol_depths(rows_.tree), kept);
        const std::size_t more = most_that_fits(static_cast<std::size_t>(next), [&](std::size_t tried) {
          return fits(with_levels(kept, tried), gone(tried));
        });
        return settled(with_levels(kept, more), gone(more));
      }
      rows_ = with_levels(1, 0);
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
    std::size_t but = 0;          // rows of the next level that are kept too
    std::size_t from_end = 0;     // rows
  };

  // Puts back what the last step dropped, for as many of the first rows as fit: `shown` gives the rows where
  // the first so many keep it, `view` shows it.
  template <class Shown>
  BudgetedText filled(const View& view, const Shown& shown) {
    if (!view.shows(Field::name) || !(view.signatures || has_hovers_)) return settled(shown(0), {});
    const std::size_t all_rows = rows_.tree.symbols.size();
    const View least_view = std::exchange(view_, view);
    const std::vector<std::string> dropped = dropped_;
    const auto tell_rest = [&](std::size_t kept) {
      dropped_ = dropped;
      for (std::string& name : dropped_) {
        const bool in_part = name == "hover prose" || std::ranges::any_of(view.fields, [&](Field field) {
                               return field_name(field) == name;
                             });
        if (in_part) name += fmt::format(" of the last {} rows", all_rows - kept);
      }
    };
    const std::size_t kept = most_that_fits(all_rows, [&](std::size_t tried) {
      tell_rest(tried);
      return fits(shown(tried), {});
    });
    tell_rest(kept);
    if (kept == 0) {
      view_ = least_view;
      dropped_ = dropped;
    }
    return settled(shown(kept), {});
  }

  // rows_ with the hovers of the first `whole` rows, and the signatures of the first `signatures`.
  SymbolRows with_hovers(std::size_t whole, std::size_t signatures) const {
    SymbolRows rows = rows_;
    if (signatures == 0) {
      rows.with_hover = false;
      rows.hovers.clear();
      rows.hover_parts.clear();
    }
    const std::size_t known = std::min(rows.hovers.size(), rows.hover_parts.size());
    for (std::size_t row = whole; row < known; ++row) {
      rows.hovers[row] = without_prose(rows.hovers[row], rows.hover_parts[row]);
      rows.hover_parts[row].prose.clear();
    }
    for (std::size_t row = signatures; row < rows.tree.symbols.size(); ++row) {
      if (row < rows.hovers.size()) rows.hovers[row].clear();
      if (row < rows.hover_parts.size()) rows.hover_parts[row] = {};
      if (view_.signatures) rows.tree.symbols[row].detail.clear();
    }
    return rows;
  }

  // The steps that keep all rows return whether they removed anything.
  bool drop_prose() {
    bool any = false;
    for (std::size_t row = 0; row < std::min(rows_.hovers.size(), rows_.hover_parts.size()); ++row) {
      any = any || without_prose(rows_.hovers[row], rows_.hover_parts[row]) != rows_.hovers[row];
    }
    any = any && view_.shows(Field::hover);
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
    // A row without fields says nothing.
    view_.fields = rest.empty() ? fields_of(Verbosity::minimal) : std::move(rest);
    return any;
  }

  // The rows of the first levels, and the first `more` of the level below them.
  SymbolRows with_levels(std::size_t levels, std::size_t more) const {
    const std::vector<std::uint32_t> depths = symbol_depths(rows_.tree);
    std::vector<std::size_t> kept;
    for (std::size_t row = 0; row < depths.size(); ++row) {
      const bool is_more = depths[row] == levels && more > 0;
      if (is_more) --more;
      if (is_more || depths[row] < levels) kept.push_back(row);
    }
    LimitedTree tree = only_rows({rows_.tree, rows_.folded}, kept);
    SymbolRows limited;
    limited.tree = std::move(tree.tree);
    limited.folded = std::move(tree.folded);
    count_left_out(limited, [&kept](std::size_t row) { return kept[row]; });
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
    return {.below_level = missing_.below_level, .from_end = symbol_count(rows_) - symbol_count(rows_, kept)};
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
    return written(rows, notice(rows, missing, most_)).tokens <= most_;
  }
  BudgetedText settled(const SymbolRows& rows, Missing missing) const {
    return with_own_count(most_,
                          [&](std::size_t told) { return written(rows, notice(rows, missing, told)); });
  }
  // Positions do not count: they are not shown.
  BudgetedText written(const SymbolRows& rows, const std::string& told) const {
    View shown = view_;
    shown.positions = false;
    BudgetedText result{.text = write_(rows, shown, told), .notice = told};
    result.tokens = estimate_tokens(result.text, tokenizer_) + beside_.tokens;
    if (view_.positions) result.text = write_(rows, view_, told);
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
