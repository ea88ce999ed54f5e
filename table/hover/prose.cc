#include "table/hover/prose.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/text.h"
#include "lsp/position.h"
#include "table/whitespace.h"

namespace symbols::table {
namespace {

constexpr std::string_view em_dash = "\u2014";
constexpr std::string_view en_dash = "\u2013";

// Tags of JSDoc, TSDoc and Doxygen that are followed by a name.
constexpr std::array<std::string_view, 11> tags_with_name = {"param",     "arg",      "argument", "property",
                                                             "prop",      "template", "tparam",   "typeParam",
                                                             "typeparam", "retval",   "var"};

// Tags about time, author and heading, which the reader of an outline does not need.
constexpr std::array<std::string_view, 4> dropped_tags = {"since", "category", "author", "version"};

// Tags that only mark a text as documentation: the words go, the text stays.
constexpr std::array<std::string_view, 4> bare_tags = {"brief", "short", "rst", "endrst"};

std::size_t skip_blanks(std::string_view line, std::size_t from) {
  while (from < line.size() && is_whitespace(line[from])) ++from;
  return from;
}

// The end of the bracketed group that starts at `from`, or `from` itself if it is not closed.
std::size_t skip_group(std::string_view line, std::size_t from, char open, char close) {
  std::size_t depth = 0;
  for (std::size_t i = from; i < line.size(); ++i) {
    if (line[i] == open) ++depth;
    if (line[i] == close && --depth == 0) return i + 1;
  }
  return from;
}

std::size_t skip_name(std::string_view line, std::size_t from) {
  if (from < line.size() && line[from] == '[') return skip_group(line, from, '[', ']');
  while (from < line.size() && !is_whitespace(line[from])) ++from;
  return from;
}

// Bytes of a separate dash at `from`, 0 if there is none.
std::size_t dash_length(std::string_view line, std::size_t from, bool hyphen_too) {
  const std::string_view rest = line.substr(from);
  std::size_t length = 0;
  if (rest.starts_with(em_dash) || rest.starts_with(en_dash)) length = em_dash.size();
  if (hyphen_too && rest.starts_with('-')) length = 1;
  if (length == 0 || (length < rest.size() && !is_whitespace(rest[length]))) return 0;
  return length;
}

// Whether `text` is an address and nothing else.
bool is_web_address(std::string_view text) {
  text = trim(text);
  return (text.starts_with("https://") || text.starts_with("http://")) &&
         text.find_first_of(" \t") == std::string_view::npos;
}

void append_line(std::string& out, std::string_view line) {
  const auto keep = [&] { out += line; };
  const std::size_t start = skip_blanks(line, 0);
  if (start >= line.size() || (line[start] != '@' && line[start] != '\\')) return keep();
  std::size_t end = start + 1;
  while (end < line.size() && is_letter(line[end])) ++end;
  const std::string_view tag = line.substr(start + 1, end - start - 1);
  if (tag.empty()) return keep();
  if (std::ranges::find(dropped_tags, tag) != dropped_tags.end()) return;

  if (std::ranges::find(bare_tags, tag) != bare_tags.end()) {
    out += line.substr(skip_blanks(line, end));
    return;
  }

  if ((tag == "see" || tag == "sa") && is_web_address(line.substr(end))) return;

  std::size_t dash = skip_blanks(line, end);
  std::size_t length = dash_length(line, dash, false);
  if (length == 0 && std::ranges::find(tags_with_name, tag) != tags_with_name.end()) {
    if (end < line.size() && line[end] == '[') end = skip_group(line, end, '[', ']');  // \param[in]
    std::size_t name = skip_blanks(line, end);
    if (name < line.size() && line[name] == '{') name = skip_blanks(line, skip_group(line, name, '{', '}'));
    dash = skip_blanks(line, skip_name(line, name));
    if (dash > name) length = dash_length(line, dash, true);
  }
  if (length == 0) return keep();
  out += line.substr(0, dash);
  out += line.substr(skip_blanks(line, dash + length));
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
  std::string out;
  out.reserve(prose.size());
  for (;;) {
    const std::size_t end = prose.find('\n');
    append_line(out, prose.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += '\n';
    prose.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines = lsp::split_lines(text);
  if (lines.back().empty()) lines.pop_back();
  return lines;
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
  for (std::string_view line : split_lines(code)) {
    if (line.ends_with('\\')) line.remove_suffix(1);
    joined += line;
    joined += '\n';
  }
  return fold_whitespace(joined);
}

}  // namespace symbols::table
