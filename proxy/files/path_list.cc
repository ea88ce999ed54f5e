#include "proxy/files/path_list.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <climits>

#include "base/descriptor.h"
#include "base/text.h"
#include "proxy/files/regular_file.h"

namespace symbols::files {

Result<std::vector<std::string>> parse_path_list(std::string_view text, PathSeparator separator,
                                                 const std::string& name) {
  const bool lines = separator == PathSeparator::newline;
  std::vector<std::string> paths;
  for (std::size_t number = 1; !text.empty(); ++number) {
    std::string_view path = take_part(text, lines ? '\n' : '\0');
    if (lines && path.ends_with('\r')) path.remove_suffix(1);
    if (path.empty()) continue;
    const auto wrong = [&](std::string_view what, std::string_view advice) {
      return Error{fmt::format("{}: {} {} {}", name, lines ? "line" : "path", number, what),
                   std::string(advice)};
    };
    if (path == "-")
      return wrong("is -, which cannot be standard input here", "for a file of that name write ./-");
    if (path.find('\0') != std::string_view::npos)
      return wrong("has a NUL byte", "for a list separated by NUL give --null");
    if (path.size() >= PATH_MAX) {
      return wrong(fmt::format("is longer than a path can be, {} bytes", PATH_MAX - 1),
                   lines ? "give one path a line" : "separate the paths by NUL");
    }
    paths.emplace_back(path);
  }
  return paths;
}

Result<std::vector<std::string>> read_path_list(const std::string& path, PathSeparator separator) {
  const std::string name = path == "-" ? "standard input" : path;
  Descriptor file;
  if (path != "-") {
    file = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (!file) return system_error("read", path, errno);
  }
  const Result<std::string> text =
      read_descriptor(file ? file.get() : STDIN_FILENO, name, max_path_list_bytes);
  if (!text) return text.error();
  return parse_path_list(*text, separator, name);
}

}  // namespace symbols::files
