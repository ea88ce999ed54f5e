#include "proxy/index/symbol_search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "base/text.h"

namespace symbols::index {
namespace {

constexpr std::size_t max_near_names = 5;

// A name of the project that fits.
struct Candidate {
  NameFit fit;
  std::size_t lacks;  // any_order: words that its container has to have; else letters
  std::string name;   // without its qualifier, unless the query's fits only with it
  bool is_scoped;     // its row has to be in the query's qualifier
  std::string whole;  // the row's

  auto order() const { return std::tuple(fit, lacks, name.size(), std::string_view(name)); }
  // Whether their rows are sorted together: names that have all words are few.
  bool is_beside(const Candidate& other) const {
    const bool have_words = fit == NameFit::any_order && other.fit == fit && lacks + other.lacks == 0;
    return have_words || order() == other.order();
  }
};

class NameQuery {
 public:
  NameQuery(const SymbolQuery& query, std::string root_name)
      : query_(query),
        root_name_(std::move(root_name)),
        parts_(split_name(query.name)),
        scope_(scope_of(parts_.qualifier, {})),
        words_(split(parts_.name, ' ')),
        near_(in_lower_case(fmt::format("{}", fmt::join(words_, "")))) {
    std::erase(words_, std::string_view());
  }

  std::optional<Candidate> candidate(std::string_view name) const {
    const std::string_view last = split_name(name).name;
    const auto made = [&](NameFit fit, std::string_view what, bool is_scoped, std::size_t lacks = 0) {
      return fit <= query_.worst
                 ? std::optional(Candidate{fit, lacks, std::string(what), is_scoped, std::string(name)})
                 : std::nullopt;
    };
    const bool is_qualified = !parts_.qualifier.empty();
    const auto of_last = name_fit(last, parts_.name);
    if (is_qualified && of_last && *of_last <= NameFit::prefix) return made(*of_last, last, true);
    if (words_.size() > 1) {
      if (of_last && *of_last <= NameFit::prefix) return made(*of_last, last, false);
      const auto lacks = static_cast<std::size_t>(
          std::ranges::count_if(words_, [&](std::string_view word) { return !has_word_start(last, word); }));
      if (lacks > 0 && is_qualified) return {};
      return lacks < words_.size() ? made(NameFit::any_order, last, is_qualified, lacks) : std::nullopt;
    }
    const auto whole = last == name && !is_qualified ? of_last : name_fit(name, query_.name);
    if (!is_qualified && of_last && (!whole || *of_last <= *whole)) return made(*of_last, last, false);
    if (whole) return made(*whole, name, false);
    return {};
  }

  // With at most so many letters changed.
  std::optional<Candidate> near(std::string_view name, std::size_t most) const {
    const std::string_view last = split_name(name).name;
    // Most names are told apart by their lengths.
    if (std::max(last.size(), near_.size()) - std::min(last.size(), near_.size()) > most) return {};
    const std::size_t apart = edit_distance(near_, in_lower_case(last));
    if (apart > most || apart >= last.size()) return {};
    return Candidate{apart == 1 ? NameFit::one_letter : NameFit::two_letters, apart, std::string(last),
                     !parts_.qualifier.empty(), std::string(name)};
  }
  // Letters that a slip changes, and that a name may differ in to be suggested.
  std::size_t most_slips() const { return near_.size() < 3 ? 0 : near_.size() < 6 ? 1 : 2; }
  std::size_t most_apart() const { return near_.size() / 4 + 1; }
  bool is_slip(const Candidate& near) const { return near.lacks <= most_slips() && near.fit <= query_.worst; }

  bool fits(const FoundSymbol& row, const Candidate& candidate) const {
    if (!query_.kinds.empty() && std::ranges::find(query_.kinds, row.kind) == query_.kinds.end())
      return false;
    if (candidate.is_scoped) {
      // A module or package, too, which is a file or folder.
      const std::string scope = scope_of(row.container, row.name);
      return scope.empty() ? has_parts(root_name_ + '/' + row.path, scope_) : may_be_one_scope(scope, scope_);
    }
    if (candidate.fit != NameFit::any_order || candidate.lacks == 0) return true;
    return std::ranges::all_of(words_, [&](std::string_view word) {
      return has_word_start(row.name, word) || has_word_start(row.container, word);
    });
  }

 private:
  const SymbolQuery& query_;
  std::string root_name_;  // the last part of the root's path
  QualifiedName parts_;
  std::string scope_;
  std::vector<std::string_view> words_;
  std::string near_;  // the words as one, in lower case
};

// The order of rows that share a name or its words.
auto order_of(const FoundSymbol& row) {
  const std::string_view name = split_name(row.name).name;
  const int kind = lsp::is_type_kind(row.kind) ? 0 : lsp::is_function_kind(row.kind) ? 1 : 2;
  return std::tuple(row.role, row.form, kind == 2, name.size(), name, kind, std::string_view(row.path),
                    row.line);
}

// Each name once, then the others of these names.
std::vector<FoundSymbol> each_name_first(std::vector<FoundSymbol> rows) {
  std::vector<FoundSymbol> first;
  std::vector<FoundSymbol> others;
  std::set<std::string> seen;
  for (FoundSymbol& row : rows) {
    const bool is_new = seen.emplace(split_name(row.name).name).second;
    (is_new ? first : others).push_back(std::move(row));
  }
  std::ranges::move(others, std::back_inserter(first));
  return first;
}

// Whether a name that differs in a letter may be meant rather.
bool is_doubtful(const Candidate& candidate) {
  return candidate.fit == NameFit::inside || candidate.fit == NameFit::words || candidate.lacks > 0;
}

// `others`: those that are not near enough, in no order.
Result<std::vector<Candidate>> candidates_in(IndexStore& store, const NameQuery& names,
                                             std::vector<Candidate>& others) {
  std::vector<Candidate> candidates;
  Result<void> read = store.each_name([&](std::string_view name) {
    if (auto candidate = names.candidate(name)) candidates.push_back(std::move(*candidate));
  });
  if (!read) return read.error();
  if (!std::ranges::all_of(candidates, is_doubtful))
    return {boost::system::in_place_value, std::move(candidates)};
  // One pass more over all names, only where nothing better is there.
  const std::size_t most = candidates.empty() ? names.most_apart() : names.most_slips();
  candidates.clear();
  read = store.each_name([&](std::string_view name) {
    auto candidate = names.candidate(name);
    auto near = names.near(name, most);
    if (near && !names.is_slip(*near)) {
      others.push_back(std::move(*near));
    } else if (near && (!candidate || near->order() < candidate->order())) {
      candidate = std::move(near);
    }
    if (candidate) candidates.push_back(std::move(*candidate));
  });
  if (!read) return read.error();
  return {boost::system::in_place_value, std::move(candidates)};
}

}  // namespace

Result<SymbolsFound> find_symbols(IndexStore& store, const fs::path& root, const SymbolQuery& query) {
  const NameQuery names(query, root.filename().string());
  SymbolsFound found;
  std::vector<Candidate> others;
  Result<std::vector<Candidate>> read = candidates_in(store, names, others);
  if (!read) return read.error();
  std::vector<Candidate>& candidates = *read;
  const auto rows_of = [&](const Candidate& candidate) {
    Result<std::vector<FoundSymbol>> rows = store.named(candidate.whole);
    if (rows) {
      std::erase_if(*rows, [&](const FoundSymbol& row) {
        return !names.fits(row, candidate) || (query.left_out && query.left_out((root / row.path).string()));
      });
    }
    return rows;
  };

  // Most are never looked at.
  const auto later = [](const Candidate& one, const Candidate& other) { return one.order() > other.order(); };
  std::ranges::make_heap(candidates, later);
  std::map<std::string, bool> is_current;
  const auto add = [&](FoundSymbol& row) {
    const auto [known, is_new] = is_current.try_emplace(row.path);
    if (is_new) known->second = row.content.is_of((root / row.path).string());
    if (!known->second) return;
    found.more = found.rows.size() == query.limit;
    if (!found.more) found.rows.push_back(std::move(row));
  };
  std::vector<FoundSymbol> imports;
  while (!candidates.empty() && !found.more) {
    std::vector<FoundSymbol> rows;
    const Candidate first = candidates.front();
    while (!candidates.empty() && candidates.front().is_beside(first)) {
      std::ranges::pop_heap(candidates, later);
      Result<std::vector<FoundSymbol>> named = rows_of(candidates.back());
      if (!named) return named.error();
      for (FoundSymbol& row : *named) {
        row.fit = first.fit;
        (row.form == RowForm::import ? imports : rows).push_back(std::move(row));
      }
      candidates.pop_back();
    }
    std::ranges::sort(rows, {}, order_of);
    rows = each_name_first(std::move(rows));
    for (std::size_t row = 0; row < rows.size() && !found.more; ++row) add(rows[row]);
  }
  if (found.rows.empty()) {
    std::ranges::sort(imports, {}, order_of);
    for (FoundSymbol& row : imports) add(row);
  } else {
    found.imports = imports.size();
  }
  if (found.rows.empty()) std::ranges::sort(others, {}, &Candidate::order);
  for (const Candidate& other : others) {
    if (!found.rows.empty() || found.near_names.size() == max_near_names) break;
    if (!found.near_names.empty() && found.near_names.back() == other.name) continue;
    const Result<std::vector<FoundSymbol>> rows = rows_of(other);
    if (!rows) return rows.error();
    if (!rows->empty()) found.near_names.push_back(other.name);
  }
  found.changed_files = static_cast<std::size_t>(
      std::ranges::count_if(is_current, [](const auto& file) { return !file.second; }));
  return {boost::system::in_place_value, std::move(found)};
}

}  // namespace symbols::index
