#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "table/selection.h"

namespace symbols::table {
namespace {

using lsp::SymbolKind;

constexpr std::int64_t macro = SymbolKind::null;

bool folds(const lsp::DocumentSymbol& symbol) {
  constexpr std::array<std::int64_t, 7> folding = {
      SymbolKind::method,   SymbolKind::property, SymbolKind::constructor, SymbolKind::function,
      SymbolKind::variable, SymbolKind::constant, SymbolKind::operator_};
  return std::ranges::find(folding, symbol.kind) != folding.end();
}

bool same_selection(const lsp::DocumentSymbol& symbol, const lsp::DocumentSymbol& other) {
  const lsp::Range& selection = symbol.selection_range;
  return selection == other.selection_range && !(selection.start == selection.end);
}

// A line without strings and comments. Strings end with their line.
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

// Whether a line, without its comment, begins an import: of JavaScript (not `import(…)`, `import.meta` or a
// key), Python, Java and their kin, or of Rust; and has nothing else behind it.
bool begins_import(std::string_view line) {
  static const re2::RE2 import(
      R"((?s)^[ \t]*(import\b *[^ (.:=,;)]|from\b.* import|(use|extern crate) .*[;{,]$))", re2::RE2::Latin1);
  const std::size_t end = line.find(';');
  return (end == std::string_view::npos || end + 1 == line.size()) &&
         re2::RE2::PartialMatch(re2::StringPiece(line.data(), line.size()), import);
}

// A cheap test before begins_import(): most lines are not imports.
bool may_begin_import(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line.starts_with("import") || line.starts_with("from") || line.starts_with("use ") ||
         line.starts_with("extern crate ");
}

// [i]: whether line i is one of an import. As long as the last such line.
std::vector<bool> import_lines(std::string_view text) {
  constexpr std::size_t max_import = 500;  // lines; one that does not end is something else
  std::vector<bool> lines;
  std::size_t line_number = 0;
  std::size_t first = 0;
  int balance = 0;
  bool inside = false;
  for (; !text.empty(); ++line_number) {
    const std::string_view whole = take_part(text, '\n');
    if (!inside && !may_begin_import(whole)) continue;
    const CodeLine line = code_of(whole);
    if (!inside) {
      if (!begins_import(line.code)) continue;
      first = line_number;
      balance = 0;
    }
    balance += line.balance;
    inside = balance > 0 && line_number - first < max_import;
    if (balance > 0) continue;
    lines.resize(line_number + 1, false);
    std::fill(lines.begin() + static_cast<std::ptrdiff_t>(first), lines.end(), true);
  }
  return lines;
}

// The first of a long list of constants are enough, and some files consist of such lists.
constexpr std::size_t long_run = 16;
constexpr std::size_t shown_of_run = 6;

// Whether row `next` continues the run that `row` is in: constants or enum members, each on one line, on the
// same or the next one, with nothing inside.
bool continues_run(const SymbolRows& rows, std::size_t row, std::size_t next) {
  const auto is_short = [&rows](std::size_t at) {
    const Row& one = rows.all[at];
    return !has_children(rows, at) &&
           (one.kind == SymbolKind::constant || one.kind == SymbolKind::enum_member) &&
           one.range.start.line == one.range.end.line && one.folded == Folded{};
  };
  if (next >= rows.size() || !is_short(row) || !is_short(next)) return false;
  const Row& one = rows.all[row];
  const Row& following = rows.all[next];
  const std::uint32_t line = one.range.start.line;
  return one.kind == following.kind && one.parent == following.parent &&
         (following.range.start.line == line || following.range.start.line == std::uint64_t{line} + 1);
}

// Leaves the first rows of each long run, the last of which counts those that followed.
SymbolRows without_long_runs(SymbolRows rows) {
  std::vector<std::size_t> kept;
  std::size_t end = 0;  // of the current run
  for (std::size_t first = 0; first < rows.size(); first = end) {
    end = first + 1;
    while (continues_run(rows, end - 1, end)) ++end;
    const std::size_t shown = end - first < long_run ? end : first + shown_of_run;
    for (std::size_t row = first; row < shown; ++row) kept.push_back(row);
    rows.all[shown - 1].folded.after += static_cast<std::uint32_t>(end - shown);
  }
  return only_rows(std::move(rows), kept);
}

class Folding {
 public:
  Folding(SymbolRows all, std::string_view text) : rows_(std::move(all)), imports_(import_lines(text)) {
    bool only_imports = true;  // a document must not become empty
    for (std::size_t row = 0; row < rows_.size() && only_imports; ++row) only_imports = is_import(row);
    if (only_imports) imports_.clear();
  }

  SymbolRows fold(bool shorten_runs) && {
    owners_.resize(rows_.size());
    for (std::size_t row = 0; row < owners_.size(); ++row) add(row);
    rows_.all = std::move(kept_);
    return shorten_runs ? without_long_runs(std::move(rows_)) : std::move(rows_);
  }

 private:
  // Where the children of a row go.
  struct Owner {
    std::int32_t row = -1;  // of kept_
    bool folds = false;     // these are left out
    bool macro = false;     // the row of a macro, or of what it declares
    bool named = false;     // a macro's row that is called as what it declares
  };

  Row& row_of(const Owner& owner) { return kept_[static_cast<std::size_t>(owner.row)]; }

  void add_inside(const Owner& above, std::size_t row) {
    const Folded& before = rows_.all[row].folded;
    row_of(above).folded.inside += 1 + before.inside + before.after;
    owners_[row] = above;
  }

  void add(std::size_t row) {
    Row& symbol = rows_.all[row];
    const std::optional<std::size_t> parent = parent_row(rows_, row);
    Owner* const above = parent ? &owners_[*parent] : nullptr;
    if (above != nullptr && above->folds) return add_inside(*above, row);
    bool beside = false;  // its parent
    if (above != nullptr && above->macro && same_selection(symbol, row_of(*above))) {
      const bool is_declared = rows_.all[*parent].kind == macro;  // not by what the macro declares
      const bool has_name_yet = row_of(*above).kind != macro;
      if (is_declared && !above->named && !has_name_yet) {
        owners_[row] = named(*above, symbol);
        return;
      }
      // googletest's TEST also defines members of the class that it declares.
      const std::string& name = row_of(*above).name;
      const bool is_member =
          symbol.name.starts_with(name) && symbol.name.substr(name.size()).starts_with("::");
      if (!is_declared || is_member) {
        add_inside(*above, row);
        owners_[row].folds = folds(symbol);
        return;
      }
      beside = true;
    }
    if (above == nullptr && is_import(row)) return;
    owners_[row] = {.row = static_cast<std::int32_t>(kept_.size()),
                    .folds = folds(symbol),
                    .macro = symbol.kind == macro || beside,
                    .named = beside};
    std::int32_t owner = above != nullptr ? above->row : -1;
    if (beside) closed_[static_cast<std::size_t>(owner)] = true;
    while (owner >= 0 && closed_[static_cast<std::size_t>(owner)])
      owner = kept_[static_cast<std::size_t>(owner)].parent;
    closed_.push_back(false);
    kept_.push_back(std::move(symbol));
    kept_.back().parent = owner;
  }

  // The macro's row is called as what it declares first. Returns the owner of both; what else the macro
  // declares has rows beside it.
  Owner named(Owner& above, Row& symbol) {
    Row& kept = row_of(above);
    above.named = symbol.kind != macro;  // one macro may stand for another
    if (above.named) {
      kept.name = std::move(symbol.name);
      kept.detail = std::move(symbol.detail);
      kept.kind = symbol.kind;
      kept.hover = std::move(symbol.hover);
      kept.hover_parts = std::move(symbol.hover_parts);
    }
    Owner owner = above;
    owner.folds = folds(kept);
    return owner;
  }

  bool is_import(std::size_t row) const {
    const auto line_is = [this](std::uint32_t line) { return line < imports_.size() && imports_[line]; };
    const lsp::Range& range = rows_.all[row].range;
    return !has_children(rows_, row) && line_is(range.start.line) && line_is(range.end.line);
  }

  SymbolRows rows_;
  std::vector<bool> imports_;
  std::vector<Owner> owners_;  // of the rows of rows_
  std::vector<Row> kept_;
  std::vector<bool> closed_;  // rows of kept_ that rows stand beside: those have no more children
};

}  // namespace

SymbolRows fold_locals(SymbolRows rows, std::string_view document_text, bool shorten_runs) {
  return Folding(std::move(rows), document_text).fold(shorten_runs);
}

}  // namespace symbols::table
