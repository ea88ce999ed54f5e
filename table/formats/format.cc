#include "table/formats/format.h"

#include <fmt/format.h>

#include <utility>

#include "table/budget.h"
#include "table/escape.h"
#include "table/formats/json_format.h"
#include "table/formats/ndjson_format.h"
#include "table/formats/outline_format.h"
#include "table/formats/packed_format.h"
#include "table/formats/table_format.h"
#include "table/formats/toon_format.h"
#include "table/formats/tree_format.h"
#include "table/formats/tree_signatures.h"
#include "table/formats/tsv_format.h"
#include "table/symbol_counts.h"

namespace symbols::table {
namespace {

std::string write_counts(const Rendering& rendering, const lsp::SymbolTree& tree) {
  switch (rendering.format) {
    case Format::ndjson: {
      std::string line;
      start_ndjson_line(line, rendering.path);
      return line + counts_as_json(tree).substr(1);
    }
    case Format::packed:
    case Format::json:
      return counts_as_json(tree);
    case Format::toon:
      return counts_as_toon(tree);
    default:
      return count_symbols(tree);
  }
}

std::string write_lines(const Rendering& rendering, const SymbolRows& rows, const View& view, bool notice) {
  switch (rendering.format) {
    case Format::pretty:
      // Rows that a budget took away are no lack of symbols.
      return rows.tree.symbols.empty() && notice ? std::string() : write_pretty(rows, view, rendering.pretty);
    case Format::tree:
      return view.signatures ? write_tree_signatures(rows, view.kind_names, view.all_ends)
                             : write_tree(rows, view);
    case Format::outline:
      return write_outline(rows, view);
    case Format::tsv:
      return write_tsv(rows, view);
    default:
      return write_table(rows, view);
  }
}

void append_lines(std::string& text, std::string_view lines) {
  if (lines.empty()) return;
  if (!text.empty()) text += '\n';  // no symbols are no line in some formats
  text += lines;
}

std::string write(const Rendering& rendering, const SymbolRows& rows, const View& view,
                  std::string_view notice, std::string_view lines) {
  switch (rendering.format) {
    case Format::json:
      return write_json(rows, view);
    case Format::ndjson:
      return write_ndjson(rows, view, rendering.path);
    case Format::packed:
      return write_packed(rows, view, notice);
    case Format::toon: {
      std::string text = write_toon(rows, view);
      if (!notice.empty()) text += "\ntruncated: " + toon_string(notice);
      append_lines(text, lines);
      return text;
    }
    default: {
      std::string text = write_lines(rendering, rows, view, !notice.empty());
      append_lines(text, lines);
      append_notice(text, notice);
      return text;
    }
  }
}

}  // namespace

std::string_view format_name(Format format) {
  switch (format) {
    case Format::table:
      return "table";
    case Format::tree:
      return "tree";
    case Format::outline:
      return "outline";
    case Format::tsv:
      return "tsv";
    case Format::toon:
      return "toon";
    case Format::packed:
      return "packed";
    case Format::json:
      return "json";
    case Format::pretty:
      return "pretty";
    case Format::ndjson:
      return "ndjson";
  }
  return {};
}

Result<Format> parse_format(std::string_view option, std::string_view name) {
  for (const Format format : all_formats) {
    if (name == format_name(format)) return format;
  }
  if (name == "standard") return Format::json;
  return Error{fmt::format("{} cannot be {}", option, quoted(name)),
               "give table, tree, outline, tsv, toon, packed or json (standard is the same)"};
}

Result<Format> parse_format(std::string_view option, std::string_view name, std::span<const Format> others) {
  std::string also;
  for (const Format format : others) {
    if (name == format_name(format)) return format;
    also += fmt::format("{}{}", also.empty() ? "" : " or ", format_name(format));
  }
  const Result<Format> format = parse_format(option, name);
  if (!format) return Error{format.error().message, fmt::format("{}, or {}", format.error().advice, also)};
  return format;
}

Rendered render(SymbolRows rows, const Rendering& rendering, const BesideRows& beside) {
  if (rendering.counts) {
    std::string text = write_counts(rendering, rows.tree);
    append_lines(text, beside.lines);
    return {std::move(text), {}};
  }
  if (!rendering.max_tokens) {
    return {write(rendering, rows, rendering.view, {}, beside.lines), {}};
  }
  BudgetedText fitted = fit_budget(
      std::move(rows), rendering.view, *rendering.max_tokens,
      [&](const SymbolRows& kept, const View& view, std::string_view notice) {
        return write(rendering, kept, view, notice, beside.lines);
      },
      beside);
  return {std::move(fitted.text), std::move(fitted.notice)};
}

Result<SymbolRows> read_rows(Format format, std::string_view text) {
  switch (format) {
    case Format::table:
      return read_table(text);
    case Format::tree:
      return read_tree(text);
    case Format::tsv:
      return read_tsv(text);
    case Format::toon:
      return read_toon(text);
    case Format::packed:
      return read_packed(text);
    case Format::json:
      return read_json(text);
    case Format::ndjson:
      return read_ndjson(text);
    case Format::outline:
    case Format::pretty:
      break;
  }
  return Error{fmt::format("{} cannot be read back: {}", format_name(format),
                           format == Format::outline
                               ? "it has neither the end of a symbol nor the position of its name"
                               : "it is for people"),
               "keep the answer in another format"};
}

}  // namespace symbols::table
