#include "proxy/index/symbol_search.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "proxy/index/exported.h"
#include "proxy/index/name_match.h"

namespace symbols::index {
namespace {

// A name of the project that fits.
struct Candidate {
  NameFit fit;
  bool is_qualified;     // it fits without its qualifier, `Table::` of `Table::Open`
  bool needs_container;  // the query's qualifier has to be its row's container
  std::string name;
  std::int64_t id;

  auto order() const { return std::tuple(fit, is_qualified, name.size(), std::string_view(name), id); }
};

std::optional<Candidate> candidate_of(std::string_view name, std::int64_t id, std::string_view query,
                                      const QualifiedName& parts) {
  const auto made = [&](NameFit fit, bool qualified, bool needs_container) {
    return Candidate{fit, qualified, needs_container, std::string(name), id};
  };
  if (!parts.qualifier.empty()) {
    if (const auto fit = name_fit(name, query)) return made(*fit, false, false);
    if (const auto fit = name_fit(name, parts.name); fit && *fit <= NameFit::prefix)
      return made(*fit, true, true);
    return {};
  }
  const auto whole = name_fit(name, query);
  const QualifiedName split = split_name(name);
  const auto last = split.qualifier.empty() ? whole : name_fit(split.name, query);
  if (last && (!whole || *last < *whole)) return made(*last, true, false);
  if (whole) return made(*whole, false, false);
  return {};
}

int kind_order(std::int64_t kind) {
  if (is_type_kind(kind)) return 0;
  return is_function_kind(kind) ? 1 : 2;
}

// Of rows with one name.
std::tuple<int, std::string_view, std::uint32_t> order_of(const FoundSymbol& row) {
  return {kind_order(row.kind), row.path, row.line};
}

bool fits(const FoundSymbol& row, const Candidate& candidate, const SymbolQuery& query,
          const QualifiedName& parts) {
  if (!query.kinds.empty() && std::ranges::find(query.kinds, row.kind) == query.kinds.end()) return false;
  return !candidate.needs_container || ends_in_qualifier(row.container, parts.qualifier);
}

}  // namespace

SymbolsFound best_symbols(std::vector<FoundSymbol> symbols, const SymbolQuery& query) {
  const QualifiedName parts = split_name(query.name);
  std::vector<std::pair<Candidate, const FoundSymbol*>> candidates;
  for (const FoundSymbol& symbol : symbols) {
    if (query.left_out && query.left_out(symbol.path)) continue;
    auto candidate = candidate_of(symbol.name, 0, query.name, parts);
    if (candidate && fits(symbol, *candidate, query, parts))
      candidates.emplace_back(std::move(*candidate), &symbol);
  }
  const auto order = [](const auto& entry) {
    return std::pair(entry.first.order(), order_of(*entry.second));
  };
  std::ranges::sort(candidates, {}, order);
  const auto is_same = [&order](const auto& one, const auto& other) { return order(one) == order(other); };
  candidates.erase(std::unique(candidates.begin(), candidates.end(), is_same), candidates.end());
  SymbolsFound found{.rows = {}, .more = candidates.size() > query.limit};
  for (std::size_t i = 0; i < std::min(candidates.size(), query.limit); ++i)
    found.rows.push_back(*candidates[i].second);
  return found;
}

Result<SymbolsFound> find_symbols(IndexStore& store, const std::filesystem::path& root,
                                  const SymbolQuery& query) {
  const QualifiedName parts = split_name(query.name);
  std::vector<Candidate> candidates;
  const Result<void> read = store.each_name([&](std::int64_t id, std::string_view name) {
    if (auto candidate = candidate_of(name, id, query.name, parts))
      candidates.push_back(std::move(*candidate));
  });
  if (!read) return read.error();
  // Most are never looked at.
  const auto later = [](const Candidate& one, const Candidate& other) { return one.order() > other.order(); };
  std::ranges::make_heap(candidates, later);

  SymbolsFound found;
  std::map<std::string, bool> is_current;
  for (; !candidates.empty() && !found.more; candidates.pop_back()) {
    std::ranges::pop_heap(candidates, later);
    const Candidate& candidate = candidates.back();
    Result<std::vector<FoundSymbol>> rows = store.named(candidate.id);
    if (!rows) return rows.error();
    std::ranges::sort(*rows, {}, order_of);
    for (FoundSymbol& row : *rows) {
      if (!fits(row, candidate, query, parts)) continue;
      if (query.left_out && query.left_out((root / row.path).string())) continue;
      const auto [known, is_new] = is_current.try_emplace(row.path);
      if (is_new) {
        const Result<bool> current = store.is_current(row.path, (root / row.path).string());
        if (!current) return current.error();
        known->second = *current;
      }
      if (!known->second) continue;
      found.more = found.rows.size() == query.limit;
      if (found.more) break;
      found.rows.push_back(std::move(row));
    }
  }
  found.changed_files = static_cast<std::size_t>(
      std::ranges::count_if(is_current, [](const auto& file) { return !file.second; }));
  return {boost::system::in_place_value, std::move(found)};
}

}  // namespace symbols::index
