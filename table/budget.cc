#include "table/budget.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "table/escape.h"
#include "table/hover/hover_text.h"

namespace symbols::table {
namespace {

// What is dropped first, while all rows stay.
enum class Step { prose, hovers, selection, parent };

bool goes(Step step, Field field) {
  if (step == Step::prose) return field == Field::doc;
  if (step == Step::hovers) return needs_hover(field);
  const bool is_minimal =
      field == Field::name || field == Field::kind || field == Field::range || field == Field::lines;
  return !is_minimal && (field != Field::parent || step == Step::parent);
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
        has_hovers_(has_hovers(rows_)) {}

  BudgetedText fit() {
    BudgetedText whole = written(rows_, {});
    all_tokens_ = whole.tokens + beside_.tokens_given_up;
    if (!beside_.given_up.empty()) {
      dropped_.push_back(beside_.given_up);
      whole = settled(rows_, {});
    }
    if (whole.tokens <= max_) return whole;

    View view = view_;
    for (const Step step : {Step::prose, Step::hovers, Step::selection, Step::parent}) {
      if (step <= Step::hovers) view = view_;
      const auto shown = [&](std::size_t kept) {
        return step == Step::prose ? with_hovers(kept, rows_.size()) : with_hovers(0, kept);
      };
      if (!drop(step) || !fits(shown(0), {})) continue;
      // The first rows may get back what is of their hovers, not other fields.
      std::erase_if(view.fields, [this](Field field) { return !view_.shows(field) && !needs_hover(field); });
      return filled(view, shown);
    }
    rows_ = with_hovers(0, 0);
    depths_ = row_depths(rows_);
    by_level_.resize(rows_.size());
    std::iota(by_level_.begin(), by_level_.end(), std::size_t{0});
    std::ranges::stable_sort(by_level_, {}, [this](std::size_t row) { return depths_[row]; });
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
    const View least_view = std::exchange(view_, view);
    filled_ = most_that_fits(rows_.size(), [&](std::size_t tried) {
      filled_ = tried;
      return fits(shown(tried), {});
    });
    if (filled_ == 0) view_ = least_view;
    return settled(shown(filled_), {});
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

  // Returns whether there was anything to drop.
  bool drop(Step step) {
    bool any = false;
    if (step == Step::prose && view_.shows(Field::hover)) {
      any = std::ranges::any_of(rows_.all, [](const Row& row) { return without_prose(row) != row.hover; });
      if (any) dropped_.emplace_back("hover prose");
    }
    if (step == Step::hovers) std::erase(dropped_, "hover prose");  // and its signature
    std::vector<Field> rest;
    for (const Field field : view_.fields) {
      if (!goes(step, field)) {
        rest.push_back(field);
      } else if (has_hovers_ || view_.signatures || !needs_hover(field)) {  // an empty column loses nothing
        dropped_.emplace_back(field_name(field));
      }
    }
    any = any || rest.size() < view_.fields.size();
    // A row without fields is useless, and one without its signature has a range.
    if (rest.empty() || (step == Step::hovers && view_.signatures)) rest = fields_of(Verbosity::minimal);
    if (step == Step::hovers) view_.signatures = false;
    view_.fields = std::move(rest);
    return any;
  }

  // The first `count` rows, one level after the other. Records how many children each has lost.
  SymbolRows first_rows(std::size_t count) const {
    std::vector<std::size_t> kept(by_level_.begin(), by_level_.begin() + static_cast<std::ptrdiff_t>(count));
    std::ranges::sort(kept);
    SymbolRows some = only_rows(rows_, kept);
    const std::vector<std::uint32_t> before = child_counts(rows_);
    const std::vector<std::uint32_t> after = child_counts(some);
    for (std::size_t row = 0; row < count; ++row) some.all[row].left_out += before[kept[row]] - after[row];
    return some;
  }
  // What first_rows(count) lacks, if it lacks any.
  Missing rows_gone(std::size_t count) const {
    if (count == by_level_.size()) return {};
    const auto depth_of = [this](std::size_t row) { return depths_[row]; };
    const std::uint32_t level = depth_of(by_level_[count]);
    const auto start = std::ranges::lower_bound(by_level_, level, {}, depth_of);
    if (level > 0)
      return {.below_level = level, .but = count - static_cast<std::size_t>(start - by_level_.begin())};
    Missing missing{.below_level = depth_of(by_level_.back()) > 0 ? 1U : 0U};
    for (std::size_t i = count; i < by_level_.size() && depth_of(by_level_[i]) == 0; ++i)
      missing.from_end += symbols_at(rows_.all[by_level_[i]]);
    return missing;
  }

  // How many symbols a row stands for, with those that were folded at it.
  static std::size_t symbols_at(const Row& row) {
    return std::size_t{1} + row.folded.inside + row.folded.after;
  }
  static std::size_t symbol_count(const SymbolRows& rows) {
    std::size_t symbols = 0;
    for (const Row& row : rows.all) symbols += symbols_at(row);
    return symbols;
  }

  std::string notice(const SymbolRows& rows, Missing missing, std::size_t tokens) const {
    std::vector<std::string> dropped = dropped_;
    for (std::string& name : dropped) {
      const std::optional<Field> field = find_field(name);
      if (filled_ > 0 && (name == "hover prose" || (field && view_.shows(*field))))
        name += fmt::format(" of the last {} rows", rows_.size() - filled_);
    }
    const std::size_t gone = all_symbols_ - symbol_count(rows);
    if (dropped.empty() && gone == 0) dropped.emplace_back("empty hovers");
    if (missing.below_level > 0) {
      const std::string but = missing.but == 0 ? "" : fmt::format(" but {} rows", missing.but);
      dropped.push_back(fmt::format("levels>{}{}", missing.below_level, but));
    }
    if (gone > 0) dropped.push_back(counted(gone, "row"));
    std::string text =
        fmt::format("{} -> {} tokens; dropped: {}", all_tokens_, tokens, fmt::join(dropped, ", "));
    if (missing.from_end > 0 && missing.from_end < gone)
      text += fmt::format(" ({} from the end)", missing.from_end);
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
  std::size_t filled_ = 0;  // rows that keep what others have lost of their hovers
  // Of rows_, once rows are dropped.
  std::vector<std::uint32_t> depths_;
  std::vector<std::size_t> by_level_;
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
