#include "proxy/setup/marked_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/split.h"
#include "proxy/setup/settings_layout.h"

namespace symbols::setup {
namespace {

constexpr std::string_view begin_word = ">>> symbols";
constexpr std::string_view end_word = "<<< symbols";

struct Block {
  std::size_t begin;
  std::size_t end;  // after its last line's end
};

std::string mark(std::string_view comment, std::string_view word) {
  return fmt::format("{} {}", comment, word);
}

// A mark may be followed by a space and more words, as in the begin mark.
bool is_mark(std::string_view line, const std::string& wanted) {
  if (!line.starts_with(wanted)) return false;
  line.remove_prefix(wanted.size());
  return line.empty() || line.front() == ' ' || line.front() == '\r';
}

Error no_pair(std::size_t line, std::string_view what) {
  return {fmt::format("line {}: {}", line, what), "remove the marks and our lines between them by hand"};
}

Result<std::optional<Block>> find_block(std::string_view text, std::string_view comment) {
  const std::string begin_mark = mark(comment, begin_word);
  const std::string end_mark = mark(comment, end_word);
  std::optional<Block> block;
  std::optional<std::size_t> open;  // the start of a block without an end so far
  std::size_t open_line = 0;
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    const auto at = static_cast<std::size_t>(line.data() - text.data());
    if (is_mark(line, begin_mark)) {
      if (open || block) return no_pair(number, "a second mark that begins our lines");
      open = at;
      open_line = number;
    } else if (is_mark(line, end_mark)) {
      if (!open) return no_pair(number, "a mark that ends our lines, and none before it that begins them");
      block = Block{*open, std::min(at + line.size() + 1, text.size())};
      open.reset();
    }
  }
  if (open) return no_pair(open_line, "a mark that begins our lines, and none after it that ends them");
  return {boost::system::in_place_value, block};
}

}  // namespace

Result<std::string> with_marked_block(std::string_view text, std::string_view comment,
                                      std::string_view lines) {
  const Result<std::optional<Block>> there = find_block(text, comment);
  if (!there) return there.error();
  // A carriage return alone at the end becomes half of the file's first line end.
  const bool is_cut = !text.empty() && text.find_first_of("\r\n") == text.size() - 1 && text.ends_with('\r');
  const std::string_view ending = is_cut || line_end(text) == "\r\n" ? "\r\n" : "\n";
  const std::string block_lines =
      fmt::format("{} (written by symbols setup; it replaces all up to the next mark)\n{}{}\n",
                  mark(comment, begin_word), lines, mark(comment, end_word));
  std::string block;
  for (const std::string_view line : split(block_lines, '\n')) block.append(line).append(ending);
  std::string out(text);
  if (*there) {
    out.replace((*there)->begin, (*there)->end - (*there)->begin, block);
  } else {
    if (!text.empty() && !text.ends_with('\n')) out += is_cut ? "\n" : ending;
    if (!text.empty()) out += ending;
    out += block;
  }
  return {boost::system::in_place_value, std::move(out)};
}

Result<std::string> without_marked_block(std::string_view text, std::string_view comment) {
  const Result<std::optional<Block>> there = find_block(text, comment);
  if (!there) return there.error();
  std::string out(text);
  if (*there) out.erase((*there)->begin, (*there)->end - (*there)->begin);
  return {boost::system::in_place_value, std::move(out)};
}

}  // namespace symbols::setup
