#include "proxy/setup/marked_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace symbols::setup {
namespace {

// A mark may be followed by a space and more words, as the first one is.
bool is_mark(std::string_view line, const std::string& mark) {
  if (!line.starts_with(mark)) return false;
  line.remove_prefix(mark.size());
  return line.empty() || line.front() == ' ' || line.front() == '\r';
}

// Whether `line` sets a table of `lines`, a part of it, or the table around it: the program would refuse a
// file that sets it twice. Compares names as they are written; TOML has others for the same table.
bool sets_table_of(std::string_view line, std::string_view lines) {
  line = trim(line, " \t[");
  for (const std::string_view ours : split(lines, '\n')) {
    if (!ours.starts_with('[')) continue;
    const std::string_view table = ours.substr(1, ours.find(']') - 1);
    const std::string_view around = table.substr(0, table.rfind('.'));
    if (line.starts_with(table) || (line.starts_with(around) && !line.substr(around.size()).starts_with('.')))
      return true;
  }
  return false;
}

}  // namespace

Result<std::string> with_marked_block(std::string_view text, std::string_view comment,
                                      std::string_view lines) {
  const std::string begin_mark = fmt::format("{} >>> symbols", comment);
  const std::string end_mark = fmt::format("{} <<< symbols", comment);
  const Error no_pair{fmt::format("its marks \"{}\" and \"{}\" are not one pair", begin_mark, end_mark),
                      "remove the marks and our lines between them by hand"};
  std::optional<std::size_t> begin;
  std::optional<std::size_t> end;  // after the line of the second mark
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    const auto at = static_cast<std::size_t>(line.data() - text.data());
    if (is_mark(line, begin_mark)) {
      if (begin) return no_pair;
      begin = at;
    } else if (is_mark(line, end_mark)) {
      if (!begin || end) return no_pair;
      end = std::min(at + line.size() + 1, text.size());
    } else if ((!begin || end) && sets_table_of(line, lines)) {
      return Error{fmt::format("line {}: {} sets a table that our lines set, too", number, trim(line)),
                   "change it there by hand"};
    }
  }
  if (begin.has_value() != end.has_value()) return no_pair;

  // A carriage return at the end becomes half of a line end.
  const bool is_cut = text.ends_with('\r');
  const std::string_view ending = is_cut || text.find("\r\n") != text.npos ? "\r\n" : "\n";
  const std::string block_lines =
      fmt::format("{} (written by symbols setup; it replaces all up to the next mark)\n{}{}\n", begin_mark,
                  lines, end_mark);
  std::string block;
  for (const std::string_view line : split(block_lines, '\n')) block.append(line).append(ending);
  std::string out(text);
  if (begin) {
    out.replace(*begin, *end - *begin, block);
  } else {
    if (!text.empty() && !text.ends_with('\n')) out += is_cut ? "\n" : ending;
    if (!text.empty()) out += ending;
    out += block;
  }
  return {boost::system::in_place_value, std::move(out)};
}

}  // namespace symbols::setup
