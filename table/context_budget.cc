#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/unicode.h"
#include "table/context_text.h"
#include "table/one_line.h"

namespace symbols::table {
namespace {

// One context while it is reduced.
class ContextBudget {
 public:
  ContextBudget(SymbolContext context, TokenLimit max_tokens)
      : context_(std::move(context)), max_(max_tokens.tokens), tokenizer_(max_tokens.tokenizer) {}

  BudgetedText fit() {
    std::string whole = write_context(context_);
    all_tokens_ = estimate_tokens(whole, tokenizer_);
    if (all_tokens_ <= max_) return {std::move(whole), {}, all_tokens_};
    list_steps();
    auto step = steps_.begin();
    while (step != steps_.end() && !reduce(*step)) ++step;
    // The rest of the budget may hold some of what earlier steps dropped; not hovers, which need
    // the children, nor for prose, which needs the signature.
    if (step != steps_.end()) {
      while (step > steps_.begin() + 1) {
        if (!(--step)->many.empty()) reduce(*step);
      }
    }
    return with_own_count(max_, [this](std::size_t count) { return written(count); });
  }

 private:
  // A part of which any number of items can be kept.
  struct Step {
    std::size_t count;
    std::string one, many;
    std::function<void(std::size_t kept)> keep;
    std::size_t dropped = 0;
  };

  // In the order in which they are given up.
  void list_steps() {
    std::vector<Row>& rows = context_.rows.all;
    std::vector<Row> bare = rows;
    std::size_t with_hover = 0;
    for (std::size_t row = 1; row < rows.size(); ++row) {
      if (!rows[row].hover.empty()) ++with_hover;
      bare[row].hover.clear();
    }
    steps_.push_back(
        {with_hover, "hover of children", "hovers of children", [&rows, all = rows](std::size_t kept) {
           for (std::size_t row = 1; row < rows.size(); ++row) {
             rows[row].hover = kept > 0 ? all[row].hover : std::string();
             if (!rows[row].hover.empty()) --kept;
           }
         }});
    steps_.push_back({rows.size() - 1, "child", "children", [this, &rows, bare](std::size_t kept) {
                        // Pre-order: the parents of kept rows are kept.
                        rows.resize(1);
                        rows.insert(rows.end(), bare.begin() + 1, bare.begin() + offset(kept + 1));
                        context_.children_given_up = true;
                      }});
    add_items(context_.source, &SourceLines::lines, "source line");
    add_items(context_.references, &lsp::LocationList::first, "reference");
    add_items(context_.callers, &lsp::IncomingCallList::first, "caller");
    add_items(context_.diagnostics, &lsp::DiagnosticList::first, "diagnostic");
    // Name, kind and position stay.
    const std::string& hover = rows.front().hover;
    const std::string signature = hover.size() > context_.signature.size() ? context_.signature : hover;
    if (hover != signature) {
      steps_.push_back(
          {1, "hover prose", {}, [&rows, signature](std::size_t) { rows.front().hover = signature; }});
    }
    steps_.push_back({lsp::scalar_count(signature), "signature character", "signature characters",
                      [&rows, signature](std::size_t kept) {
                        rows.front().hover = kept == 0 ? std::string() : cut_text(signature, kept);
                      }});
  }

  template <class T, class List>
  void add_items(ContextPart<T>& part, List T::*list, const std::string& name) {
    if (!part.value) return;
    List& items = (*part.value).*list;
    steps_.push_back({items.size(), name, name + 's', [&items, all = items](std::size_t kept) {
                        items.assign(all.begin(), all.begin() + offset(kept));
                      }});
  }

  static std::ptrdiff_t offset(std::size_t count) { return static_cast<std::ptrdiff_t>(count); }

  // Keeps as many as fit; none if none do. Returns whether that is enough.
  bool reduce(Step& step) {
    if (step.count == 0) return false;
    const auto fits = [&](std::size_t kept) {
      step.keep(kept);
      step.dropped = step.count - kept;
      return written(max_).tokens <= max_;
    };
    return fits(most_that_fits(step.count + 1, fits));
  }

  BudgetedText written(std::size_t count) const {
    std::vector<std::string> dropped;
    for (const Step& step : steps_) {
      if (step.dropped == 0) continue;
      dropped.push_back(step.many.empty()
                            ? step.one
                            : fmt::format("{} {}", step.dropped, step.dropped == 1 ? step.one : step.many));
    }
    if (dropped.empty()) dropped.emplace_back("nothing is left to be dropped");
    BudgetedText result;
    result.notice = fmt::format("{} -> {} tokens; dropped: {}", all_tokens_, count, fmt::join(dropped, ", "));
    result.text = write_context(context_);
    append_notice(result.text, result.notice);
    result.tokens = estimate_tokens(result.text, tokenizer_);
    return result;
  }

  SymbolContext context_;
  const std::size_t max_;
  const Tokenizer tokenizer_;
  std::size_t all_tokens_ = 0;
  std::vector<Step> steps_;
};

}  // namespace

BudgetedText fit_context(SymbolContext context, TokenLimit max_tokens) {
  return ContextBudget(std::move(context), max_tokens).fit();
}

}  // namespace symbols::table
