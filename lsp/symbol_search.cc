#include "lsp/symbol_search.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/text.h"
#include "lsp/unicode.h"

namespace symbols::lsp {
namespace {

bool is_operator(std::string_view text) {
  return text.starts_with("operator") && text.size() > 8 && leading_word_character(text.substr(8)) == 0;
}

// `ns::Table<K, V>::Open`: ns, Table<K, V>, Open. Separators within brackets do not count.
std::vector<std::string_view> components(std::string_view name) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  int depth = 0;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const char c = name[at];
    if (at == start && is_operator(name.substr(at))) break;
    if (std::string_view("(<[{").find(c) != std::string_view::npos) ++depth;
    if (std::string_view(")>]}").find(c) != std::string_view::npos) depth = std::max(0, depth - 1);
    const std::size_t mark = name.substr(at).starts_with("::") ? 2 : c == '.' ? 1 : 0;
    if (mark == 0 || depth > 0 || at == start || at + mark == name.size()) continue;
    parts.push_back(name.substr(start, at - start));
    start = at + mark;
    at = start - 1;
  }
  parts.push_back(name.substr(start));
  return parts;
}

// `(*Table)`: Table; `Table<K, V>`, `Table(int)`: Table.
std::string_view bare(std::string_view component) {
  if (is_operator(component)) return component;
  component.remove_prefix(std::min(component.find_first_not_of("(*&"), component.size()));
  const std::size_t bracket = component.find_first_of("<([)");
  return bracket == std::string_view::npos || bracket == 0 ? component : component.substr(0, bracket);
}

// A qualified name, the innermost component first. Long ones are cut, as real trees are not so deep.
using Path = std::vector<std::string_view>;

// `named`: the components of each symbol's name, which are split once.
Path path_of(const SymbolTree& tree, const std::vector<Path>& named, const DocumentSymbol& symbol) {
  constexpr std::size_t max_length = 256;
  Path path;
  for (const DocumentSymbol* at = &symbol; path.size() < max_length;) {
    const Path& parts = named[static_cast<std::size_t>(at - tree.symbols.data())];
    // The last one whole: specialisations of a template are different things.
    path.push_back(parts.back());
    std::transform(parts.rbegin() + 1, parts.rend(), std::back_inserter(path), bare);
    if (at->parent < 0) break;
    at = &tree.symbols[static_cast<std::size_t>(at->parent)];
  }
  return path;
}

bool ends_in(const Path& path, const std::vector<std::string_view>& name) {
  return path.size() >= name.size() &&
         std::equal(name.rbegin(), name.rend(), path.begin(),
                    [](std::string_view a, std::string_view b) { return bare(a) == bare(b); });
}

// `test("x") callback`, `<function>`: what the server calls a thing that has no name.
bool is_description(std::string_view name) {
  return name.starts_with('<') || name.find(' ') != std::string_view::npos;
}

const DocumentSymbol* innermost(const SymbolTree& tree, Position position, Range DocumentSymbol::*which) {
  const DocumentSymbol* found = nullptr;
  // Pre-order: later symbols are deeper, or siblings.
  for (const DocumentSymbol& symbol : tree.symbols) {
    const Range& range = symbol.*which;
    if (range.start <= position && position <= range.end) found = &symbol;
  }
  return found;
}

}  // namespace

const DocumentSymbol* symbol_at(const SymbolTree& tree, Position position) {
  return innermost(tree, position, &DocumentSymbol::selection_range);
}

const DocumentSymbol* innermost_around(const SymbolTree& tree, Position position) {
  return innermost(tree, position, &DocumentSymbol::range);
}

const DocumentSymbol* symbol_on_line(const SymbolTree& tree, std::uint32_t line) {
  const DocumentSymbol* found = nullptr;
  for (const DocumentSymbol& symbol : tree.symbols) {
    if (symbol.selection_range.start.line != line) continue;
    const bool goes_on_within =
        found != nullptr && symbol.range.end.line > line && contains(found->range, symbol.range);
    if (found == nullptr || goes_on_within) found = &symbol;
  }
  return found;
}

NamedSymbols symbols_named(const SymbolTree& tree, std::string_view name) {
  const std::vector<std::string_view> wanted = components(name);
  std::vector<Path> named_by;
  for (const DocumentSymbol& symbol : tree.symbols) named_by.push_back(components(symbol.name));
  std::set<Path> exact;
  for (const DocumentSymbol& symbol : tree.symbols) {
    if (symbol.name != name) continue;
    Path path = path_of(tree, named_by, symbol);
    // And the class whose constructor it is, which may be called `Outer::Class`.
    do {
      exact.insert(path);
      path.erase(path.begin());
    } while (ends_in(path, wanted));
  }
  // With those called so exactly, the others of their qualified names: a definition out of its class.
  std::map<Path, std::vector<const DocumentSymbol*>> hits;
  std::size_t shortest = SIZE_MAX;
  for (const DocumentSymbol& symbol : tree.symbols) {
    if (bare(named_by[static_cast<std::size_t>(&symbol - tree.symbols.data())].back()) != bare(wanted.back()))
      continue;
    const Path path = path_of(tree, named_by, symbol);
    if (exact.empty() ? !ends_in(path, wanted) : !exact.contains(path)) continue;
    hits[path].push_back(&symbol);
    shortest = std::min(shortest, path.size());
  }

  NamedSymbols named;
  for (const auto& [path, symbols] : hits) {
    if (path.size() > shortest) {
      named.others.insert(named.others.end(), symbols.begin(), symbols.end());
      continue;
    }
    const DocumentSymbol* meant = nullptr;
    for (const DocumentSymbol* symbol : symbols) {
      const auto rank = [](const DocumentSymbol& one) {
        return std::pair(is_type_kind(one.kind), one.range.end.line - one.range.start.line);
      };
      if (is_description(symbol->name)) {
        named.found.push_back(symbol);
      } else if (meant == nullptr) {
        meant = symbol;
      } else {
        named.others.push_back(rank(*symbol) > rank(*meant) ? std::exchange(meant, symbol) : symbol);
      }
    }
    if (meant != nullptr) named.found.push_back(meant);
  }
  std::ranges::sort(named.found);  // they are elements of one array
  std::ranges::sort(named.others);
  return named;
}

std::vector<const DocumentSymbol*> symbols_nearly_named(const SymbolTree& tree, std::string_view name,
                                                        std::size_t most) {
  const std::string wanted = in_lower_case(bare(components(name).back()));
  constexpr std::size_t max_compared = 200;  // comparing takes the product of both lengths
  if (wanted.size() > max_compared) return {};
  const std::size_t limit = std::max<std::size_t>(1, wanted.size() / 4);
  std::vector<std::pair<std::size_t, const DocumentSymbol*>> near;  // elements of one array
  std::set<std::string_view> seen;
  for (const DocumentSymbol& symbol : tree.symbols) {
    const std::string_view last = bare(components(symbol.name).back());
    if (!seen.insert(symbol.name).second) continue;
    if (last.size() > wanted.size() + limit || wanted.size() > last.size() + limit) continue;
    const std::size_t apart = edit_distance(wanted, in_lower_case(last));
    if (apart <= limit && apart < wanted.size()) near.emplace_back(apart, &symbol);
  }
  std::ranges::sort(near);
  if (near.size() > most) near.resize(most);
  std::vector<const DocumentSymbol*> symbols;
  for (const auto& entry : near) symbols.push_back(entry.second);
  return symbols;
}

}  // namespace symbols::lsp
