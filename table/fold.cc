#include <re2/re2.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "table/rows.h"
#include "table/selection.h"

namespace symbols::table {
namespace {

using lsp::SymbolKind;

constexpr std::int64_t macro = SymbolKind::null;

bool folds(const lsp::DocumentSymbol& symbol) {
  return is_one_of(symbol.kind,
                   {SymbolKind::method, SymbolKind::property, SymbolKind::constructor, SymbolKind::function,
                    SymbolKind::variable, SymbolKind::constant, SymbolKind::operator_});
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
  return (end == std::string_view::npos || end + 1 == line.size()) && re2::RE2::PartialMatch(line, import);
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

// What is known of a row once it has been folded.
struct Place {
  std::int32_t owner = -1;  // the row that its children go to
  bool folds = false;       // these are left out
  bool is_macro = false;
  bool of_macro = false;  // the owner is a macro's row, or of what a macro declares
  bool named = false;     // such an owner is called as what the macro declares
  bool closed = false;    // rows stand beside it: it has no more children
};

// The macro's row is called as what it declares first; what else it declares has rows beside it.
void name_macro(Row& macro_row, Row& declared) {
  macro_row.name = std::move(declared.name);
  macro_row.detail = std::move(declared.detail);
  macro_row.kind = declared.kind;
  macro_row.hover = std::move(declared.hover);
  macro_row.hover_parts = std::move(declared.hover_parts);
}

}  // namespace

SymbolRows fold_locals(SymbolRows rows, std::string_view document_text, bool shorten_runs) {
  const std::vector<bool> imports = import_lines(document_text);
  const auto in_import = [&imports](std::uint32_t line) { return line < imports.size() && imports[line]; };
  const auto is_import = [&](const Row& row) {
    const auto index = static_cast<std::size_t>(&row - rows.all.data());
    return !has_children(rows, index) && in_import(row.range.start.line) && in_import(row.range.end.line);
  };
  const bool only_imports = std::ranges::all_of(rows.all, is_import);  // a document must not become empty
  std::vector<std::size_t> kept;
  std::vector<Place> places(rows.size());
  for (std::size_t index = 0; index < rows.size(); ++index) {
    Row& row = rows.all[index];
    Place& place = places[index];
    place.is_macro = row.kind == macro;
    const std::optional<std::size_t> parent = parent_row(rows, index);
    if (!parent && !only_imports && is_import(row)) continue;
    Place* const above = parent ? &places[*parent] : nullptr;
    Row* const owner =
        above != nullptr && above->owner >= 0 ? &rows.all[static_cast<std::size_t>(above->owner)] : nullptr;
    bool beside = false;  // its parent
    bool inside = above != nullptr && above->folds;
    if (!inside && above != nullptr && above->of_macro && same_selection(row, *owner)) {
      if (above->is_macro && !above->named && owner->kind == macro) {
        place.owner = above->owner;
        place.of_macro = true;
        above->named = place.named = !place.is_macro;  // one macro may stand for another
        if (place.named) name_macro(*owner, row);
        place.folds = folds(*owner);
        continue;
      }
      // googletest's TEST also defines members of the class that it declares.
      inside = !above->is_macro || row.name.starts_with(owner->name + "::");
      beside = !inside;
    }
    if (inside) {
      owner->folded.inside += 1 + row.folded.inside + row.folded.after;
      const bool is_macro = place.is_macro;
      const bool all_folds = above->folds || folds(row);
      place = *above;
      place.is_macro = is_macro;
      place.folds = all_folds;
      continue;
    }
    place.owner = static_cast<std::int32_t>(index);
    place.folds = folds(row);
    place.of_macro = place.is_macro || beside;
    place.named = beside;
    row.parent = above != nullptr ? above->owner : -1;
    if (beside) places[static_cast<std::size_t>(row.parent)].closed = true;
    while (row.parent >= 0 && places[static_cast<std::size_t>(row.parent)].closed)
      row.parent = rows.all[static_cast<std::size_t>(row.parent)].parent;
    kept.push_back(index);
  }
  rows = only_rows(std::move(rows), kept);
  return shorten_runs ? without_long_runs(std::move(rows)) : std::move(rows);
}

}  // namespace symbols::table
