#include "table/hover/markdown_blocks.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "table/hover/markdown_lines.h"
#include "table/whitespace.h"

namespace symbols::table {
namespace {

using Kind = MarkdownBlock::Kind;

class Parser {
 public:
  Markdown parse(std::string_view text) {
    const std::vector<std::string_view> lines = split_lines(text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      parse_line(lines[i], i + 1 < lines.size() ? lines[i + 1] : std::string_view{});
    }
    return std::move(document_);
  }

 private:
  void parse_line(std::string_view line, std::string_view next) {
    if (in_fence_ && fence_line(line)) return;
    const bool quoted = strip_quote(line);
    const std::string_view content = trim(line);
    if (content.empty()) {
      paragraph_open_ = in_table_ = false;
      after_blank_ = true;
      return;
    }
    const std::size_t indent = indent_columns(line);
    const bool deep = indent >= code_indent && !in_list_;
    if (deep && !paragraph_open_) return indented_code(without_indent(line, code_indent));
    // An unindented line after an empty one ends a list, and with it the deeper margin of its items.
    if (after_blank_ && indent == 0 && list_mark(content) == 0) in_list_ = false;
    after_blank_ = false;
    if (deep || !block_start(content, indent, quoted)) text_line(line, content, next);
    indented_code_open_ = false;
  }

  // A line within fenced code; false if the code has ended because the quote around it has.
  bool fence_line(std::string_view line) {
    const bool quoted = fence_in_quote_ && strip_quote(line);
    if (fence_in_quote_ && !quoted) {
      in_fence_ = false;
      return false;
    }
    const std::string_view content = trim(line);
    const std::size_t marks = leading(content, fence_mark_);
    if (marks >= fence_length_ && marks == content.size()) {
      in_fence_ = false;
    } else {
      std::string& code = document_.blocks.back().text;
      code += without_indent(line, fence_indent_);
      code += '\n';
    }
    return true;
  }

  bool open_fence(std::string_view content, std::size_t indent, bool quoted) {
    const char mark = content.front();
    if (mark != '`' && mark != '~') return false;
    const std::size_t length = leading(content, mark);
    if (length < 3) return false;
    const std::string_view info = trim(content.substr(length));
    if (mark == '`' && info.find('`') != std::string_view::npos) return false;  // inline code
    in_fence_ = true;
    fence_mark_ = mark;
    fence_length_ = length;
    fence_indent_ = indent;
    fence_in_quote_ = quoted;
    push(Kind::code, {});
    document_.blocks.back().language = info.substr(0, info.find_first_of(" \t"));
    return true;
  }

  // Blocks that are recognised by one line. `content` is not empty.
  bool block_start(std::string_view content, std::size_t indent, bool quoted) {
    if (open_fence(content, indent, quoted)) return true;
    if (is_ruler(content)) {
      push(Kind::ruler, {});
      in_list_ = false;
      return true;
    }
    if (paragraph_open_ && leading(content, '=') == content.size()) {  // underlines a heading
      paragraph_open_ = false;
      return true;
    }
    if (const std::size_t level = leading(content, '#'); level >= 1 && level <= 6) {
      std::string_view title = content.substr(level);
      if (title.empty() || is_whitespace(title.front())) {
        title = trim(title);
        const std::size_t last = title.find_last_not_of('#');
        if (last == std::string_view::npos) {
          title = {};
        } else if (last + 1 < title.size() && is_whitespace(title[last])) {
          title = trim(title.substr(0, last));
        }
        push(Kind::heading, std::string(title) + '\n');
        in_list_ = false;
        return true;
      }
    }
    if (const std::size_t mark = list_mark(content); mark != 0) {
      in_list_ = true;
      if (open_fence(content.substr(mark), indent + mark, quoted)) return true;
      push(Kind::paragraph, std::string(content) + '\n');
      paragraph_open_ = true;
      return true;
    }
    if (!paragraph_open_) {
      if (const std::string_view label = definition_label(content); !label.empty()) {
        document_.labels.insert(link_label(label));
        return true;
      }
    }
    return false;
  }

  void text_line(std::string_view line, std::string_view content, std::string_view next) {
    if (in_table_ && is_table_delimiter(content)) return;
    const bool row = in_table_ || (content.find('|') != std::string_view::npos && is_table_delimiter(next));
    // Marks do not pair across rows of a table.
    if (row || !paragraph_open_) push(Kind::paragraph, {});
    std::string& text = document_.blocks.back().text;
    text += row ? table_cells(content) : std::string(without_indent(line));
    text += '\n';
    in_table_ = row;
    paragraph_open_ = !row;
  }

  void indented_code(std::string_view line) {
    after_blank_ = false;
    if (!indented_code_open_) push(Kind::code, {});
    indented_code_open_ = true;
    std::string& code = document_.blocks.back().text;
    code += line;
    code += '\n';
  }

  void push(Kind kind, std::string text) {
    document_.blocks.push_back({kind, std::move(text), {}});
    paragraph_open_ = in_table_ = indented_code_open_ = false;
  }

  Markdown document_;
  bool paragraph_open_ = false;      // the last block is a paragraph, which the next line may continue
  bool indented_code_open_ = false;  // likewise for indented code
  bool in_table_ = false;
  bool in_list_ = false;  // an indented line belongs to an item and is not code
  bool after_blank_ = true;
  bool in_fence_ = false;
  char fence_mark_ = '`';
  std::size_t fence_length_ = 0;
  std::size_t fence_indent_ = 0;
  bool fence_in_quote_ = false;
};

}  // namespace

Markdown parse_markdown(std::string_view text) {
  return Parser().parse(text);
}

std::string link_label(std::string_view label) {
  std::string normalised = fold_whitespace(label);
  for (char& c : normalised) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return normalised;
}

}  // namespace symbols::table
