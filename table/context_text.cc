#include "table/context_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include "base/filesystem.h"
#include "base/text.h"
#include "lsp/unicode.h"
#include "lsp/uri.h"
#include "table/escape.h"
#include "table/formats/format.h"
#include "table/formats/row_cells.h"
#include "table/one_line.h"

namespace symbols::table {
namespace {

// In characters. A minified file is one line.
constexpr std::size_t max_source_line = 400;
// For each caller. A table in a source file may be full of calls.
constexpr std::size_t max_call_ranges = 10;

// Escaped as the layout has it.
std::string shown_path(std::string_view uri, const SymbolContext& context) {
  const std::optional<std::string> path = lsp::file_path(uri);
  if (!context.outline_folder) return table_cell_escape.escaped(path ? *path : uri);
  return escaped(path ? path_from(*context.outline_folder, *path) : uri);
}

// Appends where something is: in a table ranges, in an outline the lines, each once.
void append_places(std::string& out, std::span<const lsp::Range> ranges, bool outline) {
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const std::uint32_t line = ranges[i].start.line;
    if (outline && i > 0 && line == ranges[i - 1].start.line) continue;
    out += ' ';
    if (outline) {
      append_number(out, std::uint64_t{line} + 1);
    } else {
      append_range(out, ranges[i]);
    }
  }
}

// Appends the declaration that is named where it is not the symbol's.
void append_named(std::string& out, const std::optional<lsp::Place>& named, const SymbolContext& context) {
  if (!named) return;
  const std::string path = shown_path(named->uri, context);
  if (context.outline_folder) {
    out += fmt::format(" (names {}:{})", path, std::uint64_t{named->position.line} + 1);
  } else {
    out += fmt::format(" | names {} {}:{}", path, named->position.line, named->position.character);
  }
}

// Begins a line with `text`, which may not make it look like a heading or another part of an answer.
void begin_line(std::string& out, std::string_view text, bool outline) {
  out += '\n';
  const std::size_t start = out.size();
  out += text;
  if (outline && text.starts_with("# ")) out.replace(start, 1, "\\x23");
  if (!outline) mask_line_start(out, start);
}

// The heading of what was found in the files that the server knows; true if its lines follow.
template <class List>
bool append_found_heading(std::string& out, std::string_view name, const ContextPart<List>& part,
                          std::string_view completeness) {
  if (!append_part_heading(out, name, part)) return false;
  append_count(out, part.value->first.size(), part.value->total);
  if (!completeness.empty()) out.append(", ").append(completeness);
  return true;
}

// These append what follows the heading of a part.
void append_source(std::string& out, const SymbolContext& context) {
  const SourceLines& source = *context.source.value;
  const std::size_t first = std::size_t{source.first} + 1;
  out += ' ';
  if (context.outline_folder) {
    out += fmt::format("{}:{}", shown_path(context.uri, context), first);
    if (source.total > 1) out += fmt::format("-{}", first + source.total - 1);
  } else {
    append_range(out, context.rows.all.front().range);
  }
  if (source.lines.size() < source.total)
    out += fmt::format(", {} of {} lines", source.lines.size(), source.total);
  const std::size_t width = context.page.value_or(PrettyStyle{}).width;
  wrap_lines(out, out.rfind('\n') + 1, width);
  std::uint32_t number = source.first;
  for (const std::string& line : source.lines) {
    out += '\n';
    // Behind its number or a space, a line looks like no heading, and a `|` cannot end anything.
    out += context.outline_folder ? cut_to_width(' ' + terminal_lines(line), width)
                                  : fmt::format("{}:{}", number++, escaped(line));
  }
}

void append_locations(std::string& out, std::string_view name, const ContextPart<lsp::LocationList>& part,
                      std::string_view completeness, const SymbolContext& context) {
  if (!append_found_heading(out, name, part, completeness)) return;
  const std::vector<lsp::Location>& found = part.value->first;
  const bool outline = context.outline_folder.has_value();
  for (std::size_t i = 0; i < found.size();) {
    const std::string& uri = found[i].uri;
    const std::optional<lsp::Place>& named = found[i].named;
    std::vector<lsp::Range> ranges;
    for (; i < found.size() && found[i].uri == uri && found[i].named == named; ++i)
      ranges.push_back(found[i].range);
    begin_line(out, shown_path(uri, context) + (outline ? ":" : " |"), outline);
    append_places(out, ranges, outline);
    append_named(out, named, context);
  }
}

// `completeness`: empty of a list that is all there is. `calls_are_there`: in the documents of the items.
void append_hierarchy(std::string& out, std::string_view name, const ContextPart<lsp::HierarchyList>& part,
                      std::string_view completeness, bool calls_are_there, const SymbolContext& context) {
  if (!append_found_heading(out, name, part, completeness)) return;
  const bool outline = context.outline_folder.has_value();
  for (const lsp::HierarchyItem& item : part.value->first) {
    std::span<const lsp::Range> calls = item.from_ranges;
    const std::string path = shown_path(item.uri, context);
    if (outline) {
      // Calls of a callee are lines of the symbol's document, not of `path`.
      if (!calls_are_there) calls = {};
      const std::uint64_t line = std::uint64_t{item.selection_range.start.line} + 1;
      begin_line(out, fmt::format("{} {}:{}{}", escaped(item.name), path, line, calls_are_there ? ":" : ""),
                 outline);
    } else {
      const std::string kind = context.kind_names ? kind_name(item.kind) : std::to_string(item.kind);
      begin_line(out, fmt::format("{} | {} |", table_cell_escape.escaped(item.name), kind), outline);
      append_places(out, std::span(&item.selection_range, 1), outline);
      out += calls.empty() ? " | " : " |";
    }
    append_places(out, calls.first(std::min(calls.size(), max_call_ranges)), outline);
    if (calls.size() > max_call_ranges) out += fmt::format(" +{}", calls.size() - max_call_ranges);
    if (!outline) out.append(table_separator).append(path);
    append_named(out, item.named, context);
  }
}

std::string rows_text(const SymbolContext& context) {
  const bool outline = context.outline_folder.has_value();
  View view{.fields = {Field::name, Field::kind, Field::lines},
            .kind_names = context.kind_names,
            .positions = context.positions};
  if (!outline) view.fields = fields_of(Verbosity::standard);
  if (context.rows.with_hover) view.fields.push_back(Field::hover);
  return outline ? write_tree(context.rows, view) : write_table(context.rows, view);
}

// The hover of the symbol is the most of what is asked for: it is not cut to what is left of its row.
std::string page_rows(const SymbolContext& context) {
  SymbolRows rows = context.rows;
  std::string hover;
  if (std::string& own = rows.all.front().hover; !own.empty())
    hover = "\n  " + terminal_text(std::exchange(own, {}));
  wrap_lines(hover, 0, context.page->width);
  std::string out =
      write_pretty(rows, {.fields = {Field::lines, Field::kind, Field::name, Field::hover}}, *context.page);
  return out.insert(std::min(out.find('\n'), out.size()), hover);
}

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
    add_items(context_.implementations, &lsp::LocationList::first, "implementation");
    add_items(context_.callers, &lsp::HierarchyList::first, "caller");
    add_items(context_.callees, &lsp::HierarchyList::first, "callee");
    add_items(context_.supertypes, &lsp::HierarchyList::first, "supertype");
    add_items(context_.subtypes, &lsp::HierarchyList::first, "subtype");
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

void set_context_rows(SymbolContext& context, const lsp::SymbolTree& tree, std::size_t index,
                      std::optional<Levels> levels, std::size_t most) {
  const std::vector<lsp::DocumentSymbol>& symbols = tree.symbols;
  const auto first = static_cast<std::int32_t>(index);
  SymbolRows rows;
  for (std::size_t i = index; i < symbols.size() && (i == index || symbols[i].parent >= first); ++i) {
    rows.all.push_back({symbols[i]});
    rows.all.back().parent -= first;
  }
  if (const std::int32_t parent = symbols[index].parent; parent >= 0)
    rows.all.front().container_name = symbols[static_cast<std::size_t>(parent)].name;
  rows.all.front().parent = -1;
  const bool none_below = levels && levels->rule == Levels::Rule::top_level;
  const std::uint32_t count =
      none_below ? 0 : level_count(levels.value_or(Levels{Levels::Rule::count, 1}), rows.size() - 1);
  const std::vector<std::uint32_t> depths = row_depths(rows);
  std::vector<std::size_t> kept;
  for (std::size_t row = 0; row < depths.size(); ++row) {
    if (depths[row] <= count) kept.push_back(row);
  }
  context.children_total = kept.size() - 1;
  if (kept.size() > most) kept.resize(most + 1);
  context.rows = only_rows(std::move(rows), kept);
}

std::string path_from(const std::string& folder, const std::string& path) {
  if (folder.empty()) return path;
  const std::string relative = fs::path(path).lexically_relative(folder).string();
  return !relative.empty() && relative.size() < path.size() ? relative : path;
}

std::optional<SourceLines> source_lines(const lsp::PositionIndex& text, const lsp::Range& range,
                                        std::size_t most) {
  if (range.start.line >= text.line_count() || range.end < range.start) return {};
  auto last = std::min<std::size_t>(range.end.line, text.line_count() - 1);
  // A range that ends at the start of a line has nothing of that line.
  if (range.end.character == 0 && last > range.start.line && last == range.end.line) --last;
  SourceLines source{.first = range.start.line, .lines = {}, .total = last - range.start.line + 1};
  constexpr std::uint32_t line_end = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t i = 0; i < std::min(source.total, most); ++i) {
    const auto line = range.start.line + static_cast<std::uint32_t>(i);
    std::string_view whole = text.text({{line, 0}, {line, line_end}});
    // In bytes: a shorter line needs no cut, whatever its characters.
    if (i == 0 && whole.size() > max_source_line) whole = text.text({range.start, {line, line_end}});
    source.lines.push_back(cut_text(whole, max_source_line));
  }
  return source;
}

std::string write_context(const SymbolContext& context) {
  const bool outline = context.outline_folder.has_value();
  const std::size_t width = context.page.value_or(PrettyStyle{}).width;
  std::string out = context.page ? page_rows(context) : rows_text(context);
  std::size_t unbroken = out.size();
  const std::size_t children = context.rows.size() - 1;
  if (children < context.children_total && (children > 0 || context.children_given_up)) {
    append_heading(out, "children");
    append_count(out, children, context.children_total);
  }
  if (!context.hover_failure.empty()) append_heading(out, "hover", context.hover_failure);
  wrap_lines(out, unbroken, width);
  if (append_part_heading(out, "source", context.source)) append_source(out, context);
  unbroken = out.size();
  append_locations(out, "references", context.references, context.completeness, context);
  append_locations(out, "implementations", context.implementations, context.types_completeness, context);
  append_hierarchy(out, "callers", context.callers, context.completeness, true, context);
  // What the symbol calls stands in its own source, and what it extends or implements most often.
  append_hierarchy(out, "callees", context.callees, {}, false, context);
  append_hierarchy(out, "supertypes", context.supertypes, {}, false, context);
  append_hierarchy(out, "subtypes", context.subtypes, context.types_completeness, false, context);
  if (!outline) {
    append_diagnostics(out, context.diagnostics);
  } else if (const std::string lines = write_pretty_diagnostics(context.diagnostics, {}); !lines.empty()) {
    append_heading(out, "diagnostics");
    out += '\n' + lines;
  }
  wrap_lines(out, unbroken, width);
  return out;
}

BudgetedText fit_context(SymbolContext context, TokenLimit max_tokens) {
  return ContextBudget(std::move(context), max_tokens).fit();
}

}  // namespace symbols::table
