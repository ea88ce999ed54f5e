#include "table/fold.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "table/whitespace.h"

namespace symbols::table {
namespace {

// LSP's kinds: Method, Property, Constructor, Function, Variable, Constant, Operator.
constexpr std::array<std::int64_t, 7> folding = {6, 7, 9, 12, 13, 14, 25};
constexpr std::int64_t macro = 21;  // clangd's: LSP's Null

bool folds(const lsp::DocumentSymbol& symbol) {
  return std::find(folding.begin(), folding.end(), symbol.kind) != folding.end();
}

bool same_selection(const lsp::DocumentSymbol& symbol, const lsp::DocumentSymbol& other) {
  const lsp::Range& selection = symbol.selection_range;
  return selection == other.selection_range && !(selection.start == selection.end);
}

// What a line has outside of strings and comments. Strings end with their line.
struct CodeLine {
  std::string_view code;  // up to a comment, without whitespace at its end
  int balance = 0;        // how much deeper in brackets its end is than its start
};

CodeLine code_of(std::string_view line) {
  CodeLine found;
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'' || c == '`') {
      quote = c;
    } else if (c == '#' || line.substr(i).starts_with("//")) {
      line = line.substr(0, i);
    } else if (c == '(' || c == '{' || c == '[') {
      ++found.balance;
    } else if (c == ')' || c == '}' || c == ']') {
      --found.balance;
    }
  }
  found.code = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  return found;
}

// Whether begins_import() is worth a look at the whole line: most lines are no imports.
bool may_begin_import(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line.starts_with("import") || line.starts_with("from") || line.starts_with("use ") ||
         line.starts_with("extern crate ");
}

// Whether a line, without its comment, begins an import: of JavaScript, Python, Java and their kin, or of
// Rust; and has nothing else behind it.
bool begins_import(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (const std::size_t end = line.find(';'); end != std::string_view::npos && end + 1 < line.size())
    return false;
  const auto word = [&line](std::string_view expected) {
    return line.starts_with(expected) && (line.size() == expected.size() || !is_word(line[expected.size()]));
  };
  if (word("import")) {  // not import(…) and import.meta
    const std::size_t next = line.find_first_not_of(' ', 6);
    constexpr std::string_view not_an_import = "(.:=,;)";  // import(…), import.meta, a key, a name
    return next != std::string_view::npos && not_an_import.find(line[next]) == std::string_view::npos;
  }
  if (word("from")) return line.find(" import") != std::string_view::npos;
  if (!line.starts_with("use ") && !line.starts_with("extern crate ")) return false;
  return line.ends_with(';') || line.ends_with('{') || line.ends_with(',');
}

// [i]: whether line i is one of an import. As long as the last such line.
std::vector<bool> import_lines(std::string_view text) {
  constexpr std::size_t longest_import = 500;  // lines; one that does not end is something else
  std::vector<bool> lines;
  std::size_t line_number = 0;
  std::size_t first = 0;
  int balance = 0;
  bool inside = false;
  for (; !text.empty(); ++line_number) {
    const std::size_t newline = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, newline);
    text.remove_prefix(std::min(newline + 1, text.size()));
    if (!inside && !may_begin_import(whole)) continue;
    const CodeLine line = code_of(whole);
    if (!inside) {
      if (!begins_import(line.code)) continue;
      first = line_number;
      balance = 0;
    }
    balance += line.balance;
    inside = balance > 0 && line_number - first < longest_import;
    if (balance > 0) continue;
    lines.resize(line_number + 1, false);
    std::fill(lines.begin() + static_cast<std::ptrdiff_t>(first), lines.end(), true);
  }
  return lines;
}

// A long list of constants says little after its first ones, and is what a file may mostly consist of.
constexpr std::size_t long_run = 16;
constexpr std::size_t shown_of_run = 6;

// Whether row `next` continues the run that `row` is in: constants or enum members, each on one line, on the
// same or the next one, with nothing inside.
bool continues_run(const LimitedTree& folded, std::size_t row, std::size_t next) {
  constexpr std::int64_t constant = 14;
  constexpr std::int64_t enum_member = 22;
  const auto is_short = [&symbols = folded.tree.symbols, &folded](std::size_t at) {
    const lsp::DocumentSymbol& symbol = symbols[at];
    const bool has_children =
        at + 1 < symbols.size() && symbols[at + 1].parent == static_cast<std::int32_t>(at);
    return !has_children && (symbol.kind == constant || symbol.kind == enum_member) &&
           symbol.range.start.line == symbol.range.end.line && folded.folded[at] == Folded{};
  };
  if (next >= folded.tree.symbols.size() || !is_short(row) || !is_short(next)) return false;
  const lsp::DocumentSymbol& symbol = folded.tree.symbols[row];
  const lsp::DocumentSymbol& following = folded.tree.symbols[next];
  const std::uint32_t line = symbol.range.start.line;
  return symbol.kind == following.kind && symbol.parent == following.parent &&
         (following.range.start.line == line || following.range.start.line == std::uint64_t{line} + 1);
}

// Leaves the first rows of each long run, of which the last tells how many followed.
LimitedTree without_long_runs(LimitedTree folded) {
  LimitedTree shorter;
  std::vector<std::int32_t> moved_to;  // where the rows are now
  std::size_t end = 0;                 // of the current run
  for (std::size_t row = 0, first = 0; row < folded.tree.symbols.size(); ++row) {
    if (row == end) {
      first = row;
      end = row + 1;
      while (continues_run(folded, end - 1, end)) ++end;
    }
    const bool is_long = end - first >= long_run;
    moved_to.push_back(static_cast<std::int32_t>(shorter.kept.size()));
    if (is_long && row - first >= shown_of_run) continue;
    lsp::DocumentSymbol& symbol = shorter.tree.symbols.emplace_back(std::move(folded.tree.symbols[row]));
    if (symbol.parent >= 0) symbol.parent = moved_to[static_cast<std::size_t>(symbol.parent)];
    shorter.kept.push_back(folded.kept[row]);
    shorter.folded.push_back(folded.folded[row]);
    if (is_long && row - first + 1 == shown_of_run) {
      shorter.folded.back().after = static_cast<std::uint32_t>(end - first - shown_of_run);
    }
  }
  return shorter;
}

class Folding {
 public:
  // `before`: what was folded already.
  Folding(lsp::SymbolTree tree, std::string_view text, const std::vector<Folded>& before)
      : tree_(std::move(tree)), before_(before), imports_(import_lines(text)) {
    bool all = true;  // a document must not become empty
    for (std::size_t row = 0; row < tree_.symbols.size() && all; ++row) all = is_import(row);
    if (all) imports_.clear();
  }

  LimitedTree fold(bool shorten_runs) {
    const std::size_t count = tree_.symbols.size();
    owners_.resize(count);
    for (std::size_t row = 0; row < count; ++row) add(row);
    LimitedTree folded = shorten_runs ? without_long_runs(std::move(folded_)) : std::move(folded_);
    const bool any = std::any_of(folded.folded.begin(), folded.folded.end(),
                                 [](const Folded& row) { return row != Folded{}; });
    if (!any) folded.folded.clear();
    return folded;
  }

 private:
  // Where the children of a row go.
  struct Owner {
    std::int32_t row = -1;  // of folded_
    bool folds = false;     // these are left out
    bool macro = false;     // the row of a macro, or of what it declares
    bool named = false;     // a macro's row that is called as what it declares
  };

  Folded before(std::size_t row) const { return row < before_.size() ? before_[row] : Folded{}; }

  void count_inside(const Owner& above, std::size_t row) {
    folded_.folded[static_cast<std::size_t>(above.row)].inside += 1 + before(row).inside + before(row).after;
  }

  void add(std::size_t row) {
    lsp::DocumentSymbol& symbol = tree_.symbols[row];
    const auto parent = static_cast<std::size_t>(symbol.parent);  // -1 becomes larger than any row
    Owner* const above = parent < row ? &owners_[parent] : nullptr;
    if (above != nullptr && above->folds) {
      count_inside(*above, row);
      owners_[row] = *above;
      return;
    }
    bool beside = false;  // its parent
    if (above != nullptr && above->macro &&
        same_selection(symbol, folded_.tree.symbols[static_cast<std::size_t>(above->row)])) {
      const bool is_declared = tree_.symbols[parent].kind == macro;  // not by what the macro declares
      const bool has_name_yet = folded_.tree.symbols[static_cast<std::size_t>(above->row)].kind != macro;
      if (is_declared && !above->named && !has_name_yet) {
        owners_[row] = named(*above, symbol, row);
        return;
      }
      // googletest's TEST also defines members of the class that it declares.
      const std::string& name = folded_.tree.symbols[static_cast<std::size_t>(above->row)].name;
      const bool is_member =
          symbol.name.starts_with(name) && symbol.name.substr(name.size()).starts_with("::");
      if (!is_declared || is_member) {
        count_inside(*above, row);
        owners_[row] = *above;
        owners_[row].folds = above->folds || folds(symbol);
        return;
      }
      beside = true;
    }
    if (above == nullptr && is_import(row)) return;
    owners_[row] = {.row = static_cast<std::int32_t>(folded_.kept.size()),
                    .folds = folds(symbol),
                    .macro = symbol.kind == macro || beside,
                    .named = beside};
    lsp::DocumentSymbol& kept = folded_.tree.symbols.emplace_back(std::move(symbol));
    kept.parent = above == nullptr ? -1 : above->row;
    if (beside) kept.parent = folded_.tree.symbols[static_cast<std::size_t>(above->row)].parent;
    folded_.kept.push_back(row);
    folded_.folded.push_back(before(row));
  }

  // The macro's row is called as what it declares first. Returns the owner of both; what else the macro
  // declares has rows beside it.
  Owner named(Owner& above, lsp::DocumentSymbol& symbol, std::size_t row) {
    lsp::DocumentSymbol& kept = folded_.tree.symbols[static_cast<std::size_t>(above.row)];
    above.named = symbol.kind != macro;  // one macro may stand for another
    if (above.named) {
      kept.name = std::move(symbol.name);
      kept.detail = std::move(symbol.detail);
      kept.kind = symbol.kind;
      folded_.kept[static_cast<std::size_t>(above.row)] = row;
    }
    Owner owner = above;
    owner.folds = folds(kept);
    return owner;
  }

  bool is_import(std::size_t row) const {
    const auto line_is = [this](std::uint32_t line) { return line < imports_.size() && imports_[line]; };
    const lsp::Range& range = tree_.symbols[row].range;
    const bool has_children =
        row + 1 < tree_.symbols.size() && tree_.symbols[row + 1].parent == static_cast<std::int32_t>(row);
    return !has_children && line_is(range.start.line) && line_is(range.end.line);
  }

  lsp::SymbolTree tree_;
  const std::vector<Folded>& before_;
  std::vector<bool> imports_;
  std::vector<Owner> owners_;  // of the rows of tree_
  LimitedTree folded_;
};

}  // namespace

LimitedTree fold_locals(lsp::SymbolTree tree, std::string_view document_text, bool shorten_runs,
                        const std::vector<Folded>& before) {
  return Folding(std::move(tree), document_text, before).fold(shorten_runs);
}

}  // namespace symbols::table
