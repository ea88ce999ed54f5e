// From the bytes of a source file to the text that a server is sent in textDocument/didOpen, with the few
// liberties that editors take too, and a reason for every file that has no such text.
// And what the text and the name of a source say of it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/files/regular_file.h"

namespace symbols::files {

// The largest file that is read, and the most that is taken from standard input.
inline constexpr std::size_t max_source_bytes = std::size_t{64} << 20;

// A document's text as the server gets it.
struct SourceText {
  // Valid UTF-8. Without the byte order mark, which is no character to editors: columns of line 0 count
  // without it. Line ends are the file's own. Empty for an empty file.
  std::string text;
  // What a person should know of how it was read, a line each, naming the file.
  std::vector<std::string> notes;
};

// Reads the file at `path`. Errors: read_regular_file's with max_source_bytes as the limit, and
// decode_source_text's. They and notes call it `name`, or `path` where that is empty.
Result<SourceText> read_source_file(const std::string& path, const std::string& name = {},
                                    Symlinks symlinks = Symlinks::follow);

// Reads `fd` to its end, such as standard input; errors and notes call it `name`. `fd` stays open.
Result<SourceText> read_source_descriptor(int fd, const std::string& name);

// Reads `bytes` as UTF-8; each invalid byte becomes U+FFFD, so that the lines and, in a Latin-1 file, the
// columns stay those that an editor shows. `name` is what errors and notes call it. Errors: UTF-16 or UTF-32
// by its byte order mark; binary by a NUL byte, which no source text has.
Result<SourceText> decode_source_text(std::string bytes, const std::string& name);

// The languages of sources as far as the index and the search for mentions tell them apart.
enum class Language { c_header, c_source, script, python, other };  // `script`: of JavaScript's kin

// By the end of the path.
Language language_of(std::string_view path);

inline bool is_c(Language language) {
  return language == Language::c_header || language == Language::c_source;
}

// The names in the #include and #import lines of a C or C++ text, sorted, each after its opening mark:
// `"a.h`, `<b.h`. Read without running the preprocessor: also of lines in comments or in branches that are
// not compiled; none that a macro makes, and none in a line that a comment or a backslash divides.
std::vector<std::string> include_names(std::string_view text);

// "line:column" of the byte at `offset`, both from 1, the column in bytes.
inline std::string text_place(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  return fmt::format("{}:{}", line, before.size() - (before.rfind('\n') + 1) + 1);
}

}  // namespace symbols::files
