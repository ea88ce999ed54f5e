#include "lsp/symbol_search.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "base/ascii.h"
#include "base/edit_distance.h"
#include "lsp/word_character.h"

namespace symbols::lsp {
namespace {

// Longer names are not compared: the time grows with the product of both.
constexpr std::size_t longest_compared = 200;

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

// Numbers for qualified names.
class Paths {
 public:
  struct Path {
    int parent;
    std::string_view last;
    std::size_t length;
  };

  explicit Paths(const SymbolTree& tree) {
    for (const DocumentSymbol& symbol : tree.symbols) {
      int path = symbol.parent < 0 ? -1 : of_symbol_[static_cast<std::size_t>(symbol.parent)];
      const std::vector<std::string_view> parts = components(symbol.name);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        // The last one whole: specialisations of a template are different things.
        path = number(path, i + 1 < parts.size() ? bare(parts[i]) : parts[i]);
      }
      of_symbol_.push_back(path);
    }
  }

  int of(std::size_t symbol) const { return of_symbol_[symbol]; }
  const Path& operator[](int path) const { return paths_[static_cast<std::size_t>(path)]; }

  bool ends_in(int path, const std::vector<std::string_view>& name) const {
    for (std::size_t i = name.size(); i > 0; --i) {
      if (path < 0 || bare((*this)[path].last) != bare(name[i - 1])) return false;
      path = (*this)[path].parent;
    }
    return true;
  }

 private:
  int number(int parent, std::string_view last) {
    const auto [known, is_new] = numbers_.try_emplace({parent, last}, static_cast<int>(paths_.size()));
    if (is_new) paths_.push_back({parent, last, parent < 0 ? 1 : (*this)[parent].length + 1});
    return known->second;
  }

  std::map<std::pair<int, std::string_view>, int> numbers_;
  std::vector<Path> paths_;
  std::vector<int> of_symbol_;
};

bool is_one_of(std::int64_t kind, std::initializer_list<std::int64_t> kinds) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

bool is_type(const DocumentSymbol& symbol) {
  return is_one_of(symbol.kind, {5, 10, 11, 23});  // Class, Enum, Interface, Struct
}

std::uint32_t lines(const DocumentSymbol& symbol) {
  return symbol.range.end.line - symbol.range.start.line;
}

// `test("x") callback`, `<function>`: what the server calls a thing that has no name.
bool is_description(std::string_view name) {
  return name.starts_with('<') || name.find(' ') != std::string_view::npos;
}

bool contains(const Range& range, Position position) {
  return range.start <= position && position <= range.end;
}

}  // namespace

const DocumentSymbol* symbol_at(const SymbolTree& tree, Position position) {
  const DocumentSymbol* found = nullptr;
  for (const DocumentSymbol& symbol : tree.symbols) {
    if (contains(symbol.selection_range, position) &&
        (found == nullptr || found->selection_range.start <= symbol.selection_range.start)) {
      found = &symbol;
    }
  }
  return found;
}

const DocumentSymbol* innermost_around(const SymbolTree& tree, Position position) {
  const DocumentSymbol* found = nullptr;
  // Pre-order: later symbols are deeper, or siblings.
  for (const DocumentSymbol& symbol : tree.symbols) {
    if (contains(symbol.range, position)) found = &symbol;
  }
  return found;
}

const DocumentSymbol* symbol_on_line(const SymbolTree& tree, std::uint32_t line) {
  const DocumentSymbol* found = nullptr;
  for (const DocumentSymbol& symbol : tree.symbols) {
    if (symbol.selection_range.start.line != line) continue;
    const bool goes_on_within = found != nullptr && symbol.range.end.line > line &&
                                found->range.start <= symbol.range.start &&
                                symbol.range.end <= found->range.end;
    if (found == nullptr || goes_on_within) found = &symbol;
  }
  return found;
}

NamedSymbols symbols_named(const SymbolTree& tree, std::string_view name) {
  const Paths paths(tree);
  const std::vector<std::string_view> wanted = components(name);
  std::map<int, bool> exact;
  for (std::size_t i = 0; i < tree.symbols.size(); ++i) {
    if (tree.symbols[i].name != name) continue;
    int path = paths.of(i);
    // And the class whose constructor it is, which may be called `Outer::Class`.
    do {
      exact[path] = true;
      path = paths[path].parent;
    } while (paths.ends_in(path, wanted));
  }
  // With those called so exactly, the others of their qualified names: a definition out of its class.
  std::map<int, std::vector<const DocumentSymbol*>> hits;
  std::size_t shortest = SIZE_MAX;
  for (std::size_t i = 0; i < tree.symbols.size(); ++i) {
    const int path = paths.of(i);
    if (exact.empty() ? !paths.ends_in(path, wanted) : !exact.contains(path)) continue;
    hits[path].push_back(&tree.symbols[i]);
    shortest = std::min(shortest, paths[path].length);
  }

  NamedSymbols named;
  for (const auto& [path, symbols] : hits) {
    if (paths[path].length > shortest) {
      named.others.insert(named.others.end(), symbols.begin(), symbols.end());
      continue;
    }
    const DocumentSymbol* meant = nullptr;
    for (const DocumentSymbol* symbol : symbols) {
      const auto rank = [](const DocumentSymbol& one) { return std::pair(is_type(one), lines(one)); };
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
  const std::size_t limit = std::max<std::size_t>(1, wanted.size() / 4);
  std::vector<std::tuple<std::size_t, std::size_t, const DocumentSymbol*>> near;
  std::map<std::string_view, bool> seen;
  for (std::size_t i = 0; i < tree.symbols.size() && wanted.size() <= longest_compared; ++i) {
    const DocumentSymbol& symbol = tree.symbols[i];
    const std::string_view last = bare(components(symbol.name).back());
    if (!seen.try_emplace(symbol.name).second) continue;
    if (last.size() > wanted.size() + limit || wanted.size() > last.size() + limit) continue;
    const std::size_t apart = edit_distance(wanted, in_lower_case(last));
    if (apart <= limit && apart < wanted.size()) near.emplace_back(apart, i, &symbol);
  }
  std::ranges::sort(near);
  if (near.size() > most) near.resize(most);
  std::vector<const DocumentSymbol*> symbols;
  for (const auto& entry : near) symbols.push_back(std::get<2>(entry));
  return symbols;
}

}  // namespace symbols::lsp
