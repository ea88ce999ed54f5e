#include "proxy/files/source_language.h"

#include <re2/re2.h>

#include <set>

#include "base/text.h"

namespace symbols::files {
namespace {

// Each with the ends of its files' names, which single spaces separate. Objective-C, CUDA, and what generates
// C count as C.
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
