#include "table/context_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/position_encoding.h"
#include "table/budget.h"
#include "table/hover/cut_text.h"
#include "table/hover/hover_text.h"
#include "table/token_estimate.h"

namespace symbols::table {
namespace {

// Unicode scalar values of valid UTF-8, as cut_text() counts them.
std::size_t count_characters(std::string_view text) {
  return lsp::count_units(text, lsp::PositionEncoding::utf32);
}

// One context while it is reduced.
class ContextBudget {
 public:
  ContextBudget(SymbolContext context, TokenLimit max_tokens)
      : context_(std::move(context)), most_(max_tokens.tokens), tokenizer_(max_tokens.tokenizer) {}

  FittedContext fit() {
    std::string whole = write_context(context_);
    all_tokens_ = estimate_tokens(whole, tokenizer_);
    if (all_tokens_ <= most_) return {std::move(whole), {}};
    const bool enough = drop_hovers_of_children() || halve_children() ||
                        halve(context_.source, &SourceLines::lines, "source line") ||
                        halve(context_.references, &lsp::LocationList::first, "reference") ||
                        halve(context_.callers, &lsp::IncomingCallList::first, "caller") ||
                        halve(context_.diagnostics, &lsp::DiagnosticList::first, "diagnostic") ||
                        drop_prose() || halve_signature();
    (void)enough;  // if it does not fit, nothing is left to drop
    return settled();
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
    return halve_count(count_characters(signature), "signature character", "signature characters", drop_to);
  }

  std::string written(std::size_t told, std::string& notice) const {
    notice = fmt::format("{} -> {} tokens; dropped", all_tokens_, told);
    std::string_view separator = ": ";
    for (const std::string& what : dropped_) {
      notice += separator;
      notice += what;
      separator = ", ";
    }
    if (dropped_.empty()) notice += ": nothing is left to be dropped";
    std::string text = write_context(context_);
    append_notice(text, notice);
    return text;
  }

  bool fits() const {
    std::string notice;
    return estimate_tokens(written(most_, notice), tokenizer_) <= most_;
  }

  // The notice includes the token count of the text that it is part of: found by trying, as in budget.cc.
  FittedContext settled() const {
    FittedContext fitted;
    std::size_t told = most_;
    for (int i = 0; i < 4; ++i) {
      fitted.text = written(told, fitted.notice);
      const std::size_t tokens = estimate_tokens(fitted.text, tokenizer_);
      if (tokens == told) break;
      told = tokens;
    }
    return fitted;
  }

  SymbolContext context_;
  const std::size_t most_;
  const Tokenizer tokenizer_;
  std::size_t all_tokens_ = 0;
  std::vector<std::string> dropped_;
};

}  // namespace

FittedContext fit_context(SymbolContext context, std::optional<TokenLimit> max_tokens) {
  if (!max_tokens) return {write_context(context), {}};
  return ContextBudget(std::move(context), *max_tokens).fit();
}

}  // namespace symbols::table
