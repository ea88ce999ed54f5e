#include "proxy/terminal/tell.h"

#include <algorithm>
#include <cstdio>
#include <system_error>
#include <utility>

#include "lsp/unicode.h"
#include "proxy/files/project_root.h"
#include "table/escape.h"

namespace symbols::terminal {

bool print(std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
}

std::string columns(const std::vector<std::vector<std::string>>& rows, std::string_view indent) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], lsp::scalar_count(row[i]));
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    text += indent;
    for (std::size_t i = 0; i + 1 < row.size(); ++i)
      (text += row[i]).append(widths[i] + 2 - lsp::scalar_count(row[i]), ' ');
    (text += row.back()) += '\n';
  }
  return text;
}

std::string message_line(std::string_view message, bool colour) {
  return (colour ? "\x1B[1msymbols:\x1B[0m " : "symbols: ") + table::terminal_text(message) + "\n";
}

void tell(const std::string& message) {
  const std::string line = message_line(message, false);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

int tell_error(const Error& error, int status) {
  tell(error.text());
  return status;
}

NearPaths::NearPaths(const std::filesystem::path& root) {
  std::error_code failure;
  std::filesystem::path here = std::filesystem::current_path(failure);
  if (!failure && (files::contains(root, here) || files::contains(here, root))) here_ = std::move(here);
}

std::string NearPaths::of(const std::filesystem::path& path) const {
  return (here_.empty() ? path : path.lexically_relative(here_)).string();
}

}  // namespace symbols::terminal
