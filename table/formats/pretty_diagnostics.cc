#include "table/formats/pretty_diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "table/whitespace.h"

namespace symbols::table {
namespace {

std::string heading(const Diagnostics& part) {
  if (!part.value) return "no diagnostics: " + part.failure;
  const auto& [first, total] = *part.value;
  if (total == 0) return "no diagnostics";
  const std::string count =
      first.size() < total ? fmt::format("{} of {}", first.size(), total) : std::to_string(total);
  return fmt::format("{} diagnostic{}{}", count, total == 1 ? "" : "s", first.empty() ? "" : ":");
}

std::string place(const lsp::Diagnostic& diagnostic) {
  return fmt::format("{}:{}", std::uint64_t{diagnostic.range.start.line} + 1,
                     std::uint64_t{diagnostic.range.start.character} + 1);
}

std::string_view severity_colour(std::int64_t severity) {
  return severity == 1 ? colours::red : severity == 2 ? colours::yellow : colours::blue;
}

}  // namespace

std::string write_pretty_diagnostics(const Diagnostics& part, PrettyStyle style) {
  style.width = 0;
  std::string out;
  if (!part.wanted()) return out;
  append_pretty_line(out, {pretty_piece(0, heading(part), colours::dim)}, style);
  if (!part.value) return out;
  constexpr std::size_t gap = 2;
  std::size_t places = 0;
  std::size_t severities = 0;
  for (const lsp::Diagnostic& diagnostic : part.value->first) {
    places = std::max(places, place(diagnostic).size());
    severities = std::max(severities, severity_word(diagnostic.severity).size());
  }
  for (const lsp::Diagnostic& diagnostic : part.value->first) {
    const std::string where = place(diagnostic);
    const std::string_view severity = severity_word(diagnostic.severity);
    std::vector<PrettyPiece> line{
        pretty_piece(places - where.size(), where, colours::green),
        pretty_piece(gap, severity, severity_colour(diagnostic.severity)),
        pretty_piece(severities - severity.size() + gap, fold_whitespace(diagnostic.message), colours::none)};
    for (const std::string& text : {diagnostic.source, diagnostic.code}) {
      const bool first = line.size() == 3;
      if (!text.empty()) line.push_back(pretty_piece(first ? gap : 1, text, colours::dim));
    }
    out += '\n';
    append_pretty_line(out, line, style);
  }
  return out;
}

}  // namespace symbols::table
