#include "table/context_outline.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "lsp/uri.h"
#include "table/escape.h"
#include "table/formats/pretty_diagnostics.h"
#include "table/formats/tree_format.h"

namespace symbols::table {
namespace {

// A source line is indented, so that none looks like a heading.
constexpr CellEscape outlined_source_escape("");

std::string outline_path(std::string_view uri, std::string_view folder) {
  const std::optional<std::string> path = lsp::file_path(uri);
  if (!path) return escaped(uri);
  std::string_view shown = *path;
  if (shown.starts_with(folder) && shown.substr(folder.size()).starts_with('/'))
    shown.remove_prefix(folder.size() + 1);
  return escaped(shown);
}

void append_line_numbers(std::string& out, std::vector<std::uint32_t> lines) {
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  for (const std::uint32_t line : lines) out += fmt::format(" {}", std::uint64_t{line} + 1);
}

void outline_source(std::string& out, const SymbolContext& context) {
  if (!append_part_heading(out, "source", context.source)) return;
  const SourceLines& source = *context.source.value;
  const std::size_t first = std::size_t{source.first} + 1;
  out += fmt::format(" {}-{}", first, first + source.total - 1);
  if (source.lines.size() < source.total)
    out += fmt::format(", {} of {} lines", source.lines.size(), source.total);
  for (const std::string& line : source.lines) {
    out += "\n ";
    outlined_source_escape.append(out, line);
  }
}

void outline_references(std::string& out, const SymbolContext& context) {
  if (!append_part_heading(out, "references", context.references)) return;
  const lsp::LocationList& list = *context.references.value;
  append_found(out, list.first.size(), list.total, context.search_limit);
  for (auto place = list.first.begin(); place != list.first.end();) {
    out += '\n' + outline_path(place->uri, *context.outline_folder) + ':';
    std::vector<std::uint32_t> lines;
    const std::string& uri = place->uri;
    for (; place != list.first.end() && place->uri == uri; ++place) lines.push_back(place->range.start.line);
    append_line_numbers(out, std::move(lines));
  }
}

void outline_callers(std::string& out, const SymbolContext& context) {
  if (!append_part_heading(out, "callers", context.callers)) return;
  const lsp::IncomingCallList& list = *context.callers.value;
  append_found(out, list.first.size(), list.total, context.search_limit);
  constexpr std::size_t most_calls = 10;  // of one caller
  for (const lsp::IncomingCall& call : list.first) {
    out += fmt::format("\n{} {}:{}:", escaped(call.name), outline_path(call.uri, *context.outline_folder),
                       std::uint64_t{call.selection_range.start.line} + 1);
    std::vector<std::uint32_t> lines;
    for (const lsp::Range& range : call.from_ranges) lines.push_back(range.start.line);
    const std::size_t left_out = lines.size() - std::min(lines.size(), most_calls);
    lines.resize(lines.size() - left_out);
    append_line_numbers(out, std::move(lines));
    if (left_out > 0) out += fmt::format(" +{}", left_out);
  }
}

}  // namespace

std::string write_context_outline(const SymbolContext& context) {
  View view{.fields = {Field::name, Field::kind, Field::lines}, .kind_names = context.kind_names};
  if (context.rows.with_hover) view.fields.push_back(Field::hover);
  std::string out = write_tree(context.rows, view);
  const std::size_t children = context.rows.tree.symbols.size() - 1;
  if (children < context.children_total && (children > 0 || context.children_given_up)) {
    append_heading(out, "children");
    append_count(out, children, context.children_total);
  }
  if (!context.hover_failure.empty()) append_failure(out, "hover", context.hover_failure);
  outline_source(out, context);
  outline_references(out, context);
  outline_callers(out, context);
  if (const std::string lines = write_pretty_diagnostics(context.diagnostics, {}); !lines.empty()) {
    append_heading(out, "diagnostics");
    out += '\n' + lines;
  }
  return out;
}

}  // namespace symbols::table
