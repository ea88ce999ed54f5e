#include "table/context_budget.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/unicode.h"
#include "table/hover/cut_text.h"

namespace symbols::table {
namespace {

// One context while it is reduced.
class ContextBudget {
 public:
  ContextBudget(SymbolContext context, TokenLimit max_tokens)
      : context_(std::move(context)), most_(max_tokens.tokens), tokenizer_(max_tokens.tokenizer) {}

  BudgetedText fit() {
    std::string whole = write_context(context_);
    all_tokens_ = estimate_tokens(whole, tokenizer_);
    if (all_tokens_ <= most_) return {std::move(whole), {}, all_tokens_};
    const bool enough = drop_hovers_of_children() || halve_children() ||
                        halve(context_.source, &SourceLines::lines, "source line") ||
                        halve(context_.references, &lsp::LocationList::first, "reference") ||
                        halve(context_.callers, &lsp::IncomingCallList::first, "caller") ||
                        halve(context_.diagnostics, &lsp::DiagnosticList::first, "diagnostic") ||
                        drop_prose() || halve_signature();
    (void)enough;  // if it does not fit, nothing is left to drop
    return with_own_count(most_, [this](std::size_t told) { return written(told); });
  }

 private:
  // Each step returns whether that is enough.
  bool drop_hovers_of_children() {
    std::vector<std::string>& hovers = context_.rows.hovers;
    const auto first = hovers.empty() ? hovers.begin() : hovers.begin() + 1;
    if (std::all_of(first, hovers.end(), [](const std::string& hover) { return hover.empty(); }))
      return false;
    std::fill(first, hovers.end(), std::string());
    dropped_.emplace_back("hovers of children");
    return fits();
  }

  bool halve_children() {
    std::vector<lsp::DocumentSymbol>& rows = context_.rows.tree.symbols;
    const auto drop_to = [&](std::size_t kept) {
      rows.resize(kept + 1);  // pre-order: the parents of kept rows are kept
      if (context_.rows.hovers.size() > rows.size()) context_.rows.hovers.resize(rows.size());
      context_.children_given_up = true;
    };
    return halve_count(rows.size() - 1, "child", "children", drop_to);
  }

  template <class T, class List>
  bool halve(ContextPart<T>& part, List T::*list, std::string_view name) {
    if (!part.value) return false;
    List& items = (*part.value).*list;
    return halve_count(items.size(), name, fmt::format("{}s", name),
                       [&items](std::size_t kept) { items.resize(kept); });
  }

  template <class Drop>
  bool halve_count(std::size_t count, std::string_view one, std::string_view many, Drop drop_to) {
    if (count == 0) return false;
    dropped_.emplace_back();
    for (std::size_t kept = count; kept > 0;) {
      kept /= 2;
      drop_to(kept);
      dropped_.back() = fmt::format("{} {}", count - kept, count - kept == 1 ? one : many);
      if (fits()) return true;
    }
    return false;
  }

  bool drop_prose() {
    std::vector<std::string>& hovers = context_.rows.hovers;
    if (hovers.empty() || hovers.front().size() <= context_.signature.size()) return false;
    hovers.front() = context_.signature;
    dropped_.emplace_back("hover prose");
    return fits();
  }

  // The rest of the hover; name, kind and position stay.
  bool halve_signature() {
    std::vector<std::string>& hovers = context_.rows.hovers;
    if (hovers.empty()) return false;
    const std::string signature = hovers.front();
    const auto drop_to = [&](std::size_t kept) {
      hovers.front() = kept == 0 ? std::string() : cut_text(signature, kept);
    };
    return halve_count(lsp::scalar_count(signature), "signature character", "signature characters", drop_to);
  }

  BudgetedText written(std::size_t told) const {
    BudgetedText result;
    result.notice = fmt::format(
        "{} -> {} tokens; dropped: {}", all_tokens_, told,
        dropped_.empty() ? "nothing is left to be dropped" : fmt::format("{}", fmt::join(dropped_, ", ")));
    result.text = write_context(context_);
    append_notice(result.text, result.notice);
    result.tokens = estimate_tokens(result.text, tokenizer_);
    return result;
  }

  bool fits() const { return written(most_).tokens <= most_; }

  SymbolContext context_;
  const std::size_t most_;
  const Tokenizer tokenizer_;
  std::size_t all_tokens_ = 0;
  std::vector<std::string> dropped_;
};

}  // namespace

BudgetedText fit_context(SymbolContext context, TokenLimit max_tokens) {
  return ContextBudget(std::move(context), max_tokens).fit();
}

}  // namespace symbols::table
