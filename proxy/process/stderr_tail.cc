#include "proxy/process/stderr_tail.h"

#include <algorithm>
#include <vector>

#include "table/escape.h"

namespace symbols::process {

void StderrTail::add(std::string_view bytes) {
  if (bytes.size() > limit_) bytes.remove_prefix(bytes.size() - limit_);
  tail_.append(bytes);
  if (tail_.size() > limit_) tail_.erase(0, tail_.size() - limit_);
}

std::string StderrTail::text() const {
  constexpr std::size_t max_lines = 3;
  constexpr std::size_t max_line = 300;  // bytes
  constexpr std::string_view blanks = " \t\r";
  std::vector<std::string_view> lines;
  std::string_view rest = tail_;
  while (!rest.empty() && lines.size() < max_lines) {
    const std::size_t start = rest.find_last_of('\n') + 1;  // npos + 1 is 0
    const std::string_view line = rest.substr(start);
    rest = rest.substr(0, start == 0 ? 0 : start - 1);
    const std::size_t first = line.find_first_not_of(blanks);
    if (first != std::string_view::npos) lines.push_back(line.substr(first, max_line));
  }
  std::string out;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (!out.empty()) out += " / ";
    out += table::escaped(line->substr(0, line->find_last_not_of(blanks) + 1));
  }
  return out;
}

}  // namespace symbols::process
