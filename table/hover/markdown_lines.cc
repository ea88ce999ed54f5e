#include "table/hover/markdown_lines.h"

#include <algorithm>

#include "table/whitespace.h"

namespace symbols::table {
namespace {

constexpr std::size_t tab_width = 4;

}  // namespace

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  constexpr std::size_t lines_of_most_hovers = 16;
  lines.reserve(lines_of_most_hovers);
  // The next one of each is searched once, and not for every line.
  std::size_t feed = 0;
  std::size_t carriage_return = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (feed <= at) feed = std::min(text.find('\n', at), text.size());
    if (carriage_return <= at) carriage_return = std::min(text.find('\r', at), text.size());
    const std::size_t end = std::min(feed, carriage_return);
    lines.push_back(text.substr(at, end - at));
    at = end + (end + 1 == feed && end == carriage_return ? 2 : 1);
  }
  return lines;
}

std::size_t indent_columns(std::string_view line) {
  std::size_t columns = 0;
  for (const char c : line) {
    if (c == ' ') {
      ++columns;
    } else if (c == '\t') {
      columns += tab_width - columns % tab_width;
    } else {
      break;
    }
  }
  return columns;
}

std::string_view without_indent(std::string_view line, std::size_t columns) {
  std::size_t i = 0;
  for (std::size_t column = 0; i < line.size() && column < columns; ++i) {
    if (line[i] == '\t') {
      column += tab_width - column % tab_width;
    } else if (line[i] == ' ') {
      ++column;
    } else {
      break;
    }
  }
  return line.substr(i);
}

bool strip_quote(std::string_view& line) {
  bool quoted = false;
  while (true) {
    const std::string_view content = without_indent(line);
    if (content.empty() || content.front() != '>' || indent_columns(line) >= code_indent) return quoted;
    // Only before a space: `>>> f()` is a Python prompt, `>= 0` a comparison.
    if (content.size() > 1 && content[1] != ' ') return quoted;
    line = content.substr(std::min<std::size_t>(content.size(), 2));
    quoted = true;
  }
}

std::size_t leading(std::string_view text, char mark) {
  return std::min(text.find_first_not_of(mark), text.size());
}

bool is_ruler(std::string_view content) {
  if (content.empty()) return false;
  const char mark = content.front();
  if (mark != '-' && mark != '*' && mark != '_') return false;
  std::size_t marks = 0;
  for (const char c : content) {
    if (c == mark) {
      ++marks;
    } else if (!is_whitespace(c)) {
      return false;
    }
  }
  return marks >= 3;
}

std::size_t list_mark(std::string_view content) {
  std::size_t i = 0;
  while (i < content.size() && i < 9 && is_digit(content[i])) ++i;
  const std::string_view ends = i == 0 ? "-*+" : ".)";
  if (i >= content.size() || ends.find(content[i]) == std::string_view::npos) return 0;
  ++i;
  if (i >= content.size() || !is_whitespace(content[i])) return 0;
  while (i < content.size() && is_whitespace(content[i])) ++i;
  return i;
}

bool is_table_delimiter(std::string_view line) {
  bool dash = false;
  bool bar = false;
  for (const char c : line) {
    if (c == '-') {
      dash = true;
    } else if (c == '|') {
      bar = true;
    } else if (c != ':' && !is_whitespace(c)) {
      return false;
    }
  }
  return dash && bar;
}

std::string table_cells(std::string_view row) {
  std::string cells;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] == '\\' && i + 1 < row.size() && row[i + 1] == '|') {
      cells += '|';
      ++i;
    } else {
      cells += row[i] == '|' ? ' ' : row[i];
    }
  }
  return cells;
}

std::string_view definition_label(std::string_view content) {
  if (!content.starts_with('[')) return {};
  const std::size_t close = content.find(']');
  if (close == std::string_view::npos || close + 1 >= content.size() || content[close + 1] != ':') return {};
  const std::string_view target = trim(content.substr(close + 2));
  const std::size_t end = std::min(target.find_first_of(" \t"), target.size());
  const std::string_view address = target.substr(0, end);
  const std::string_view title = trim(target.substr(end));
  if (address.find_first_of("/#.:<") == std::string_view::npos) return {};
  if (!title.empty() && title.find_first_of("\"'(") != 0) return {};
  return content.substr(1, close - 1);
}

}  // namespace symbols::table
