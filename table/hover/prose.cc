#include "table/hover/prose.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "lsp/position.h"
#include "table/one_line.h"

namespace symbols::table {
namespace {

constexpr std::string_view em_dash = "\u2014";
constexpr std::string_view en_dash = "\u2013";

// Abbreviations, in lower case and without the dot: a dot after them ends no sentence. `etc` is not among
// them: it usually ends a sentence, and if it does not, a lower-case letter follows.
constexpr std::string_view abbreviations = "eg ie cf vs resp approx incl mr mrs ms dr prof viz ca";
// Those that are also words: they count only before a number (`no. 5`).
constexpr std::string_view before_numbers = "no fig eq sec ch pp vol st";

// Whether the dot after `before` belongs to an abbreviation or a list number. `next` is the text after the
// dot and its whitespace.
bool is_part_of_a_word(std::string_view before, char next) {
  std::size_t start = before.size();
  while (start > 0 && (is_word(before[start - 1]) || before[start - 1] == '.')) --start;
  const std::string_view word = before.substr(start);
  if (word.empty()) return false;
  const std::string lower = in_lower_case(word);
  if (is_among(lower, before_numbers)) return is_digit(next);
  const bool is_number = std::ranges::all_of(word, is_digit);
  static const re2::RE2 dotted(R"([a-z](?:\.[a-z])+)", re2::RE2::Latin1);  // e.g, i.e, U.S
  return is_among(lower, abbreviations) || (start == 0 && is_number) || re2::RE2::FullMatch(lower, dotted);
}

}  // namespace

std::string prose_text(std::span<const MarkdownBlock> blocks) {
  std::string prose;
  for (const MarkdownBlock& block : blocks) {
    switch (block.kind) {
      case MarkdownBlock::Kind::paragraph:
      case MarkdownBlock::Kind::heading:
        prose += tidy_tags(block.text);
        break;
      case MarkdownBlock::Kind::code:
        prose += block.text;
        break;
      case MarkdownBlock::Kind::ruler:
        continue;
    }
    prose += '\n';
  }
  return prose;
}

std::string tidy_tags(std::string_view prose) {
  if (prose.find_first_of("@\\") == prose.npos) return std::string(prose);
  // About time, author and heading, which the reader of an outline does not need.
  static const re2::RE2 dropped(
      R"((?m)^[^\S\n]*[@\\](?:(?:since|category|author|version)(?:[^A-Za-z\n][^\n]*)?)"
      R"(|(?:see|sa)[^\S\n]+https?://\S*[^\S\n]*)$)",
      re2::RE2::Latin1);
  // These only mark a text as documentation.
  static const re2::RE2 bare(R"((?m)^[^\S\n]*[@\\](?:brief|short|rst|endrst)\b[^\S\n]*)", re2::RE2::Latin1);
  // A dash behind a tag, or behind the name that follows some tags of JSDoc, TSDoc and Doxygen.
  static const re2::RE2 dash(
      R"((?m)^([^\S\n]*[@\\][A-Za-z]+[^\S\n]*)(?:\xE2\x80\x94|\xE2\x80\x93)(?:[^\S\n]+|$))"
      R"(|^([^\S\n]*[@\\](?:param|arg|argument|property|prop|template|tparam|typeParam|typeparam|retval|var)\b)"
      R"((?:\[[^\n\]]*\])?[^\S\n]*(?:\{[^{}\n]*(?:\{[^{}\n]*\}[^{}\n]*)*\}[^\S\n]*)?)"
      R"((?:\[[^\n\]]*\]|\S+)[^\S\n]+)(?:-|\xE2\x80\x94|\xE2\x80\x93)(?:[^\S\n]+|$))",
      re2::RE2::Latin1);
  std::string out(prose);
  re2::RE2::GlobalReplace(&out, dropped, "");
  re2::RE2::GlobalReplace(&out, bare, "");
  re2::RE2::GlobalReplace(&out, dash, R"(\1\2)");
  return out;
}

std::string prose_line(std::string_view prose) {
  const std::string line = fold_whitespace(prose);
  std::string_view rest = line;
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (word != "-" && word != "*" && word != "+" && word != en_dash && word != em_dash) break;
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  }
  return std::string(rest);
}

std::string code_line(std::string_view code) {
  if (!trim(code).starts_with("#define")) return fold_whitespace(code);
  std::string joined;
  for (std::string_view line : lsp::split_lines(code)) {
    if (line.ends_with('\\')) line.remove_suffix(1);
    joined.append(line).append(1, '\n');
  }
  return fold_whitespace(joined);
}

std::string_view first_sentence(std::string_view prose) {
  prose = trim(prose, " ");
  // Groups: inline code; a tag; a CJK sentence end; a sentence end; the spaces after it.
  static const re2::RE2 stop(
      "(`[^`]*`)|( @[A-Za-z])|((?:。|！|？)(?:[\"')\\]*]|”|’|»)*)"
      "|((?:[.!?]|…)[.!?]*(?:[\"')\\]*]|”|’|»)*)( *)",
      re2::RE2::Latin1);
  std::array<re2::StringPiece, 6> found;
  for (std::size_t at = 0; stop.Match(prose, at, prose.size(), re2::RE2::UNANCHORED, found.data(), 6);) {
    const auto start = static_cast<std::size_t>(found[0].data() - prose.data());
    at = start + found[0].size() - found[5].size();
    if (!found[2].empty()) return trim(prose.substr(0, start), " ");
    if (!found[3].empty()) return prose.substr(0, at);
    if (!found[1].empty()) continue;
    const std::size_t next = start + found[0].size();
    if (next == prose.size()) return prose;
    const bool goes_on = next == at || is_lower(prose[next]) ||
                         (prose[start] == '.' && is_part_of_a_word(prose.substr(0, start), prose[next]));
    if (!goes_on) return prose.substr(0, at);
  }
  return prose;
}

}  // namespace symbols::table
