#include "table/formats/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/text.h"
#include "lsp/json/json.h"

namespace symbols::table {
namespace {

struct FormatEntry {
  std::string_view name;
  Result<SymbolRows> (*read)(std::string_view text);  // null: it cannot be read back
};

// In the enumeration's order.
constexpr std::array<FormatEntry, 9> entries = {{{"table", read_table},
                                                 {"tree", read_tree},
                                                 {"outline", nullptr},
                                                 {"tsv", nullptr},
                                                 {"toon", nullptr},
                                                 {"packed", read_packed},
                                                 {"json", read_json},
                                                 {"pretty", nullptr},
                                                 {"ndjson", read_ndjson}}};

const FormatEntry& entry_of(Format format) {
  return entries[static_cast<std::size_t>(format)];
}

// `42 symbols: 20 Method, 12 Property, 10 Function; 3 levels`: the kinds by LSP's names (or the number, as in
// `255`), the most frequent first, equally frequent ones by number. Printable ASCII.
std::string count_symbols(const SymbolRows& rows) {
  std::string line = counted(rows.size(), "symbol");
  if (rows.all.empty()) return line;

  std::map<std::int64_t, std::size_t> by_kind;
  for (const Row& row : rows.all) ++by_kind[row.kind];
  std::vector<std::pair<std::int64_t, std::size_t>> counts(by_kind.begin(), by_kind.end());
  std::stable_sort(counts.begin(), counts.end(),
                   [](const auto& one, const auto& other) { return one.second > other.second; });
  std::string_view separator = ": ";
  for (const auto& [kind, count] : counts) {
    line += fmt::format("{}{} {}", separator, count, kind_name(kind));
    separator = ", ";
  }
  return line + "; " + counted(std::ranges::max(row_depths(rows)) + 1, "level");
}

// A file in one short line (docs/spec.md, section 4, `verbosity: counts`), as the whole text of its format.
std::string write_counts(const Rendering& rendering, const SymbolRows& rows) {
  const std::string counts = count_symbols(rows);
  switch (rendering.format) {
    case Format::ndjson: {
      std::string line;
      start_ndjson_line(line, rendering.path);
      return line + "\"counts\":" + lsp::json_string(counts) + '}';
    }
    case Format::packed:
    case Format::json:
      return R"({"counts":)" + lsp::json_string(counts) + '}';
    case Format::toon:
      return "counts: " + lsp::json_string(counts);
    default:
      return counts;
  }
}

void append_lines(std::string& text, std::string_view lines) {
  if (lines.empty()) return;
  if (!text.empty()) text += '\n';  // some formats write nothing for no symbols
  text += lines;
}

std::string write(const Rendering& rendering, const SymbolRows& rows, const View& view,
                  std::string_view notice, std::string_view lines) {
  std::string text;
  switch (rendering.format) {
    case Format::json:
      return write_json(rows, view);
    case Format::ndjson:
      return write_ndjson(rows, view, rendering.path);
    case Format::packed:
      return write_packed(rows, view, notice);
    case Format::toon:
      text = write_toon(rows, view, notice);
      append_lines(text, lines);
      return text;
    case Format::pretty:
      // "no symbols" would be wrong where a budget removed the rows.
      if (!rows.all.empty() || notice.empty()) text = write_pretty(rows, view, rendering.pretty);
      break;
    case Format::tree:
      text = view.signatures ? write_tree_signatures(rows, view) : write_tree(rows, view);
      break;
    case Format::outline:
      text = write_outline(rows, view);
      break;
    case Format::tsv:
      text = write_tsv(rows, view);
      break;
    case Format::table:
      text = write_table(rows, view);
      break;
  }
  append_lines(text, lines);
  append_notice(text, notice);
  return text;
}

}  // namespace

std::string_view format_name(Format format) {
  return entry_of(format).name;
}

Result<Format> parse_format(std::string_view option, std::string_view name, std::span<const Format> others) {
  if (name == "standard") return Format::json;
  for (const Format format : all_formats) {
    if (name == format_name(format)) return format;
  }
  std::string advice = "give table, tree, outline, tsv, toon, packed or json (standard is the same)";
  std::string_view separator = ", or ";
  for (const Format format : others) {
    if (name == format_name(format)) return format;
    advice += fmt::format("{}{}", std::exchange(separator, " or "), format_name(format));
  }
  return Error{fmt::format("{} cannot be {}", option, quoted(name)), advice};
}

BudgetedText render(SymbolRows rows, const Rendering& rendering, const BesideRows& beside) {
  if (rendering.counts) {
    std::string text = write_counts(rendering, rows);
    append_lines(text, beside.lines);
    return {.text = std::move(text)};
  }
  if (!rendering.max_tokens) return {.text = write(rendering, rows, rendering.view, {}, beside.lines)};
  return fit_budget(
      std::move(rows), rendering.view, *rendering.max_tokens,
      [&](const SymbolRows& kept, const View& view, std::string_view notice) {
        return write(rendering, kept, view, notice, beside.lines);
      },
      beside);
}

Result<SymbolRows> read_rows(Format format, std::string_view text) {
  if (const auto read = entry_of(format).read) return read(text);
  const std::string_view reason = format == Format::outline
                                      ? "it has neither the end of a symbol nor the position of its name"
                                  : format == Format::pretty ? "it is for people"
                                                             : "it is for other programs";
  return Error{fmt::format("{} cannot be read back: {}", format_name(format), reason),
               "keep the answer in another format"};
}

}  // namespace symbols::table
