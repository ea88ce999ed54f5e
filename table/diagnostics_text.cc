#include "table/diagnostics_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "lsp/document_symbol.h"
#include "lsp/json/json.h"
#include "table/formats/format.h"
#include "table/formats/row_cells.h"
#include "table/one_line.h"

namespace symbols::table {
namespace {

constexpr std::size_t max_failure = 300;

bool touches(const lsp::Range& one, const lsp::Range& other) {
  return one.start <= other.end && other.start <= one.end;
}

}  // namespace

void append_heading(std::string& out, std::string_view name, std::string_view failure) {
  if (!out.empty()) out += '\n';
  out.append("# ").append(name);
  if (failure.empty()) return;
  out += ": ";
  table_cell_escape.append(out, cut_text(failure, max_failure));
}

void append_count(std::string& out, std::size_t shown, std::size_t total) {
  out += ' ';
  if (shown < total) {
    append_number(out, shown);
    out += " of ";
  }
  append_number(out, total);
}

std::string_view severity_word(std::int64_t severity) {
  constexpr std::array<std::string_view, 3> words = {"error", "warning", "information"};  // from 1 on
  return severity >= 1 && severity <= 3 ? words[static_cast<std::size_t>(severity - 1)] : "hint";
}

void keep_diagnostics(lsp::DiagnosticList& list, std::size_t most, const std::optional<lsp::Range>& range) {
  std::ranges::stable_sort(list.first, {}, [&range](const lsp::Diagnostic& diagnostic) {
    return std::pair(range && !touches(diagnostic.range, *range), diagnostic.severity);
  });
  if (list.first.size() > most) list.first.resize(most);
}

void append_diagnostics(std::string& out, const Diagnostics& part) {
  if (!append_part_heading(out, "diagnostics", part)) return;
  const lsp::DiagnosticList& list = *part.value;
  append_count(out, list.first.size(), list.total);
  for (const lsp::Diagnostic& diagnostic : list.first) {
    out += '\n';
    append_range(out, diagnostic.range);
    out += table_separator;
    out += severity_word(diagnostic.severity);
    out += table_separator;
    table_cell_escape.append(out, diagnostic.message);
    if (diagnostic.source.empty() && diagnostic.code.empty()) continue;
    out += table_separator;
    table_cell_escape.append(out, diagnostic.source);
    if (!diagnostic.source.empty() && !diagnostic.code.empty()) out += ' ';
    table_cell_escape.append(out, diagnostic.code);
  }
}

std::string diagnostics_json(const lsp::DiagnosticList& list) {
  std::string json = "[";
  for (const lsp::Diagnostic& diagnostic : list.first) {
    if (json.size() > 1) json += ',';
    json += "{\"range\":";
    lsp::append_range_json(json, diagnostic.range);
    json += fmt::format(",\"severity\":{}", diagnostic.severity);
    if (!diagnostic.code.empty()) {
      json +=
          ",\"code\":" + (diagnostic.code_is_number ? diagnostic.code : lsp::json_string(diagnostic.code));
    }
    if (!diagnostic.source.empty()) json += ",\"source\":" + lsp::json_string(diagnostic.source);
    json += ",\"message\":" + lsp::json_string(diagnostic.message) + '}';
  }
  return json + ']';
}

void append_diagnostics_members(std::string& json, const Diagnostics& part) {
  if (part.value) {
    json += ",\"diagnostics\":" + diagnostics_json(*part.value);
    if (part.value->first.size() < part.value->total)
      json += fmt::format(",\"diagnostics_total\":{}", part.value->total);
  } else if (!part.failure.empty()) {
    json += ",\"_diagnostics_error\":" + lsp::json_string(part.failure);
  }
}

BesideRows fit_diagnostics(Diagnostics& part, DiagnosticsPlace place, std::optional<TokenLimit> max_tokens) {
  const auto write = place == DiagnosticsPlace::json_beside ? append_diagnostics_members : append_diagnostics;
  BesideRows beside;
  std::string text;
  write(text, part);
  if (max_tokens) {
    const auto tokens_of = [&] { return estimate_tokens(text, max_tokens->tokenizer); };
    const auto count = [&part] { return part.value ? part.value->first.size() : 0; };
    const std::size_t whole = tokens_of();
    const std::size_t all = count();
    std::size_t tokens = whole;
    while (tokens > max_tokens->tokens / 2 && count() > 0) {
      part.value->first.resize(count() / 2);
      text.clear();
      write(text, part);
      tokens = tokens_of();
    }
    const std::size_t gone = all - count();
    if (gone > 0) beside.given_up = counted(gone, "diagnostic");
    beside.tokens_given_up = whole - std::min(tokens, whole);
    if (place != DiagnosticsPlace::behind_rows) beside.tokens = tokens;
  }
  if (place == DiagnosticsPlace::behind_rows) beside.lines = std::move(text);
  return beside;
}

}  // namespace symbols::table
