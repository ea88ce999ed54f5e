#include "proxy/query/changed_symbols.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/text.h"
#include "table/rows.h"

namespace symbols::query {
namespace {

using lsp::SymbolKind;

constexpr std::array<std::string_view, 5> change_words = {"removed", "renamed", "declaration", "body",
                                                          "added"};

// Of siblings that are gone. In a file that was written anew nothing was renamed.
constexpr std::size_t max_renames_compared = 50;

bool hides_its_symbols(const lsp::DocumentSymbol& symbol) {
  return lsp::is_function_kind(symbol.kind);
}

// Without blanks at the ends of lines; or without blank lines too, such as surround a symbol that was cut.
std::string normal(std::string_view text, bool with_blank_lines) {
  std::string out;
  while (!text.empty()) {
    std::string_view line = take_part(text, '\n');
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    out += line;
    if (!line.empty() || with_blank_lines) out += '\n';
  }
  return out;
}

// Where the declaration ends and the body begins, from the name's end on: at a brace, an arrow, or a line's
// end outside of brackets. Brackets in strings and comments count, too.
std::size_t declaration_end(std::string_view text, std::size_t name_end) {
  int depth = 0;
  for (std::size_t at = name_end; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    const bool is_arrow = c == '>' && at > 0 && text[at - 1] == '=';
    if (depth <= 0 && (c == '{' || c == '\n' || is_arrow)) return at;
  }
  return text.size();
}

// Whether `=` or `:` follows the name before `rest`, or other names and then `=`: `x, y = 1, 2`.
bool is_assigned(std::string_view rest) {
  constexpr std::size_t max_names = 200;  // bytes: a line may have very many names
  rest = rest.substr(0, max_names);
  rest = trim(rest.substr(0, rest.find('\n')));
  if (rest.starts_with(',')) return rest.find('=') != rest.npos;
  return rest.starts_with(':') || (rest.starts_with('=') && !rest.starts_with("=="));
}

// Where the statement of Python ends that goes on at `at`, at the latest at `limit`: at a line's end outside
// of brackets, strings and comments.
std::size_t statement_end(std::string_view text, std::size_t at, std::size_t limit) {
  text = text.substr(0, limit);
  int depth = 0;
  while (at < text.size() && (depth > 0 || text[at] != '\n')) {
    const char c = text[at];
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '"' || c == '\'') {
      const bool is_long = text.substr(at, 3) == std::string(3, c);
      const std::string_view quote = text.substr(at, is_long ? 3 : 1);
      at += quote.size();
      while (at < text.size() && !text.substr(at).starts_with(quote) && (is_long || text[at] != '\n'))
        at += text[at] == '\\' ? 2 : 1;
      if (at < text.size() && text[at] == c) at += quote.size();
    } else {
      if (c == '(' || c == '[' || c == '{') ++depth;
      if ((c == ')' || c == ']' || c == '}') && --depth < 0) return at;
      at += c == '\\' ? 2 : 1;
    }
  }
  return std::min(at, limit);
}

// A document's symbols, their children and their texts.
class State {
 public:
  explicit State(const DocumentState& document)
      : tree_(document.tree),
        index_(document.text),
        children_(document.tree.symbols.size() + 1),
        ends_(document.tree.symbols.size() + 1, document.text.size()),
        texts_(document.tree.symbols.size()) {
    for (std::size_t i = 0; i < tree_.symbols.size(); ++i) {
      const std::int32_t parent = tree_.symbols[i].parent;
      children_[parent < 0 ? root() : static_cast<std::size_t>(parent)].push_back(i);
    }
    find_ends(root());
    for (std::size_t i = 0; i < tree_.symbols.size(); ++i) find_ends(i);
  }

  const lsp::DocumentSymbol& symbol(std::size_t i) const { return tree_.symbols[i]; }
  // The document, as the parent of the symbols at top level.
  std::size_t root() const { return tree_.symbols.size(); }
  const std::vector<std::size_t>& children(std::size_t i) const { return children_[i]; }

  const std::string& text(std::size_t i) {
    if (!texts_[i]) {
      const std::size_t start = start_of(i);
      texts_[i] = normal(index_.text().substr(start, std::max(start, ends_[i]) - start), true);
    }
    return *texts_[i];
  }

  // What stands where the name is: for Go's `(*T).M` it is M.
  std::string_view identifier(std::size_t i) const { return index_.text(symbol(i).selection_range); }

  // The text of a symbol, or of the document, without its children: the declaration, and the rest.
  std::pair<std::string, std::string> own_text(std::size_t i) const {
    if (i == root()) return {{}, normal(without_children(i, 0, index_.text().size(), 0).first, false)};
    const lsp::DocumentSymbol& one = symbol(i);
    const auto [text, name_end] =
        without_children(i, start_of(i), ends_[i], index_.offset(one.selection_range.end));
    const std::string_view all = text;
    const std::size_t cut = declaration_end(all, name_end);
    return {normal(all.substr(0, cut), true), normal(all.substr(cut), hides_its_symbols(one))};
  }

 private:
  std::size_t start_of(std::size_t i) const { return index_.offset(symbol(i).range.start); }

  // Servers may list siblings by name.
  std::vector<std::size_t> sorted_children(std::size_t i) const {
    std::vector<std::size_t> inside = children(i);
    std::ranges::stable_sort(inside, {}, [this](std::size_t one) { return symbol(one).range.start; });
    return inside;
  }

  // Sets the ends of the children of `parent`; its own is known. pyright gives a variable the range of its
  // name: it ends where its statement does, or before the first symbol on a later line.
  void find_ends(std::size_t parent) {
    std::size_t limit = ends_[parent];
    std::size_t start_below = limit;  // of the first symbol on a later line
    std::uint32_t line = 0;
    const std::vector<std::size_t> inside = sorted_children(parent);
    for (auto child = inside.rbegin(); child != inside.rend(); ++child) {
      const lsp::DocumentSymbol& one = symbol(*child);
      if (one.range.start.line != line) limit = start_below;
      line = one.range.start.line;
      start_below = start_of(*child);
      std::size_t& end = ends_[*child] = index_.offset(one.range.end);
      // A comment behind it on its last line is its own.
      const std::string_view rest = index_.text().substr(end);
      const std::size_t blanks = std::min(rest.find_first_not_of(" \t"), rest.size());
      const std::string_view behind = rest.substr(blanks, 2);
      if (one.range.end.character > 0 && (behind == "# " || behind == "//"))
        end = std::min(end + std::min(rest.find('\n'), rest.size()), std::max(end, limit));
      const bool is_variable = table::is_one_of(
          one.kind, {SymbolKind::variable, SymbolKind::constant, SymbolKind::property, SymbolKind::field});
      if (!is_variable || one.range != one.selection_range || !children(*child).empty() || end >= limit ||
          added_ > 4 * index_.text().size() || !is_assigned(index_.text().substr(end, limit - end)))
        continue;
      const std::size_t extended = statement_end(index_.text(), end, limit);
      added_ += extended - end;
      end = extended;
    }
  }

  // The text from `at` to `end`, and where in it `name_end` is.
  std::pair<std::string, std::size_t> without_children(std::size_t i, std::size_t at, std::size_t end,
                                                       std::size_t name_end) const {
    std::string text;
    std::size_t name_end_in_text = 0;
    const auto copy_to = [&](std::size_t until) {
      if (name_end >= at && name_end <= until) name_end_in_text = text.size() + (name_end - at);
      text += index_.text().substr(at, until - at);
    };
    if (i == root() || !hides_its_symbols(symbol(i))) {
      for (const std::size_t child : sorted_children(i)) {
        const std::size_t start = start_of(child);
        if (start < at || start > end) continue;  // ranges may overlap
        copy_to(start);
        at = std::max(start, ends_[child]);
      }
    }
    if (at < end) copy_to(end);
    return {std::move(text), name_end_in_text};
  }

  const lsp::SymbolTree& tree_;
  lsp::PositionIndex index_;
  std::vector<std::vector<std::size_t>> children_;  // of each symbol; the last: of the document
  std::vector<std::size_t> ends_;                   // of the same, bytes
  std::size_t added_ = 0;                           // to the ranges; names in one long line overlap
  std::vector<std::optional<std::string>> texts_;
};

std::string with_name(const std::string& text, std::string_view from, std::string_view to) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins = at == 0 || !is_identifier(text[at - 1]);
    if (begins && !from.empty() && word_at(text, at) == from) {
      out += to;
      at += from.size();
    } else {
      out += text[at++];
    }
  }
  return out;
}

class Comparison {
 public:
  Comparison(const DocumentState& before, const DocumentState& after) : before_(before), after_(after) {}

  DocumentChange run() {
    // A list in place of recursion: a server's tree may be of any depth.
    std::vector<std::pair<std::size_t, std::size_t>> parents{{before_.root(), after_.root()}};
    while (!parents.empty()) {
      const auto [old_parent, new_parent] = parents.back();
      parents.pop_back();
      compare_children(old_parent, new_parent, parents);
    }
    result_.outside = before_.own_text(before_.root()).second != after_.own_text(after_.root()).second;
    std::ranges::sort(result_.symbols, {}, [](const ChangedSymbol& one) {
      const bool is_gone = one.change == Change::removed;
      return std::pair(is_gone, is_gone ? one.before : one.after);
    });
    return std::move(result_);
  }

 private:
  using Siblings = std::vector<std::size_t>;

  // Takes those of `old_ones` and `new_ones` that have the same key from both, in their order, and gives each
  // pair to `use`.
  template <class Key, class Use>
  void take_pairs(Siblings& old_ones, Siblings& new_ones, Key key, Use use) {
    std::map<decltype(key(before_, 0)), std::deque<std::size_t>> by_key;
    for (const std::size_t one : old_ones) by_key[key(before_, one)].push_back(one);
    std::vector<std::size_t> taken;
    std::erase_if(new_ones, [&](std::size_t other) {
      const auto found = by_key.find(key(after_, other));
      if (found == by_key.end() || found->second.empty()) return false;
      taken.push_back(found->second.front());
      found->second.pop_front();
      use(taken.back(), other);
      return true;
    });
    std::ranges::sort(taken);
    std::erase_if(old_ones, [&](std::size_t one) { return std::ranges::binary_search(taken, one); });
  }

  void compare_children(std::size_t old_parent, std::size_t new_parent,
                        std::vector<std::pair<std::size_t, std::size_t>>& parents) {
    Siblings old_ones = before_.children(old_parent);
    Siblings new_ones = after_.children(new_parent);
    const auto name_of = [](const State& state, std::size_t i) {
      return std::pair(state.symbol(i).kind, std::string_view(state.symbol(i).name));
    };
    const auto text_of = [&](State& state, std::size_t i) {
      return std::pair(name_of(state, i), std::string_view(state.text(i)));
    };
    // Those with the same text first, or a new overload would take the place of the one behind it.
    take_pairs(old_ones, new_ones, text_of, [](std::size_t, std::size_t) {});
    take_pairs(old_ones, new_ones, name_of, [&](std::size_t one, std::size_t other) {
      compare(one, other);
      if (!hides_its_symbols(after_.symbol(other))) parents.emplace_back(one, other);
    });
    // `let` that became `const`, `struct` that became `class`.
    const auto bare_name_of = [](const State& state, std::size_t i) {
      return std::string_view(state.symbol(i).name);
    };
    take_pairs(old_ones, new_ones, bare_name_of, [&](std::size_t one, std::size_t other) {
      result_.symbols.push_back({Change::declaration, one, other});
      if (!hides_its_symbols(before_.symbol(one)) && !hides_its_symbols(after_.symbol(other)))
        parents.emplace_back(one, other);
    });
    if (old_ones.size() <= max_renames_compared && new_ones.size() <= max_renames_compared)
      take_renamed(old_ones, new_ones);
    for (const std::size_t other : new_ones)
      result_.symbols.push_back({.change = Change::added, .after = other});
    for (const std::size_t one : old_ones)
      result_.symbols.push_back({.change = Change::removed, .before = one});
  }

  void take_renamed(Siblings& old_ones, Siblings& new_ones) {
    std::erase_if(new_ones, [&](std::size_t other) {
      const auto same = std::ranges::find_if(old_ones, [&](std::size_t one) {
        return before_.symbol(one).kind == after_.symbol(other).kind &&
               with_name(before_.text(one), before_.identifier(one), after_.identifier(other)) ==
                   after_.text(other);
      });
      if (same == old_ones.end()) return false;
      result_.symbols.push_back({Change::renamed, *same, other});
      old_ones.erase(same);
      return true;
    });
  }

  void compare(std::size_t old_one, std::size_t new_one) {
    const auto [old_declaration, old_body] = before_.own_text(old_one);
    const auto [new_declaration, new_body] = after_.own_text(new_one);
    if (old_declaration != new_declaration) {
      result_.symbols.push_back({Change::declaration, old_one, new_one});
    } else if (old_body != new_body) {
      result_.symbols.push_back({Change::body, old_one, new_one});
    }
  }

  State before_;
  State after_;
  DocumentChange result_;
};

}  // namespace

std::string_view change_word(Change change) {
  return change_words[static_cast<std::size_t>(change)];
}

DocumentChange changed_symbols(const DocumentState& before, const DocumentState& after) {
  return Comparison(before, after).run();
}

}  // namespace symbols::query
