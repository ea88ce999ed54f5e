#include "proxy/files/source_text.h"

#include <re2/re2.h>

#include <array>
#include <set>
#include <utility>

#include "base/text.h"
#include "lsp/unicode.h"

namespace symbols::files {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view utf8_mark = "\xEF\xBB\xBF";

struct OtherEncoding {
  std::string_view mark;
  std::string_view name;
};

// UTF-32LE before UTF-16LE, whose mark it starts with.
constexpr std::array<OtherEncoding, 4> other_encodings{{
    {"\xFF\xFE\0\0"sv, "UTF-32LE"},
    {"\0\0\xFE\xFF"sv, "UTF-32BE"},
    {"\xFF\xFE"sv, "UTF-16LE"},
    {"\xFE\xFF"sv, "UTF-16BE"},
}};

std::size_t line_number(std::string_view before) {
  return static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
}

// Each with its files' endings, separated by a space. Objective-C, CUDA, and what generates C count as C.
constexpr struct {
  Language language;
  std::string_view ends;
} languages[] = {
    {Language::c_header, ".h .H .hh .hpp .hxx .h++ .inc .inl .ipp .tpp .tcc .txx .cuh .def .ixx .cppm"},
    {Language::c_source, ".c .C .cc .cp .cpp .cxx .c++ .cu .m .mm .y .l"},
    {Language::script, ".ts .tsx .mts .cts .js .jsx .mjs .cjs .vue .svelte"},
    {Language::python, ".py .pyi .pyw"},
};

}  // namespace

Result<SourceText> decode_source_text(std::string bytes, const std::string& name) {
  for (const auto& [mark, encoding] : other_encodings) {
    if (!bytes.starts_with(mark)) continue;
    return Error{fmt::format("cannot read {}: it is {}, and language servers are sent UTF-8", name, encoding),
                 fmt::format("convert it, for instance with: iconv -f {} -t UTF-8", encoding.substr(0, 6))};
  }
  if (bytes.starts_with(utf8_mark)) bytes.erase(0, utf8_mark.size());
  if (const std::size_t nul = bytes.find('\0'); nul != std::string::npos) {
    return Error{fmt::format("cannot read {}: it is binary (a NUL byte in line {})", name,
                             line_number(std::string_view(bytes).substr(0, nul))),
                 "name a text file in UTF-8"};
  }
  const std::size_t invalid = lsp::find_invalid_utf8(bytes);
  if (invalid == std::string::npos) return SourceText{std::move(bytes), {}};

  return SourceText{
      lsp::to_valid_utf8(bytes),
      {fmt::format("{}: not UTF-8 in line {}: what is invalid was read as U+FFFD; convert it to "
                   "UTF-8 to see it",
                   name, line_number(std::string_view(bytes).substr(0, invalid)))}};
}

Result<SourceText> read_source_file(const std::string& path, const std::string& name, Symlinks symlinks) {
  Result<std::string> bytes = read_regular_file(path, max_source_bytes, symlinks, name);
  if (!bytes) return bytes.error();
  return decode_source_text(*std::move(bytes), name.empty() ? path : name);
}

Result<SourceText> read_source_descriptor(int fd, const std::string& name) {
  Result<std::string> bytes = read_descriptor(fd, name, max_source_bytes);
  if (!bytes) return bytes.error();
  return decode_source_text(*std::move(bytes), name);
}

Language language_of(std::string_view path) {
  const std::string_view end = path.substr(std::min(path.rfind('.'), path.size()));
  for (const auto& [language, ends] : languages) {
    if (is_among(end, ends)) return language;
  }
  return Language::other;
}

std::vector<std::string> include_names(std::string_view text) {
  // Up to the end of the line, as the next search takes the place behind for the start of one.
  static const re2::RE2 line(R"re((?m)^(?:\xEF\xBB\xBF)?[ \t]*#[ \t]*(?:include|include_next|import)[ \t]*)re"
                             R"re((?:("[^"\r\n]+)"|(<[^>\r\n]+)>)[^\n]*)re",
                             re2::RE2::Latin1);
  std::set<std::string> names;
  re2::StringPiece rest(text.data(), text.size());
  for (std::string quoted, angled; re2::RE2::FindAndConsume(&rest, line, &quoted, &angled);)
    names.insert(quoted + angled);
  return {names.begin(), names.end()};
}

}  // namespace symbols::files
