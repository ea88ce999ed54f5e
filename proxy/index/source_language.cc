#include "proxy/index/source_language.h"

#include <array>
#include <string>

namespace symbols::index {
namespace {

struct LanguageOfFiles {
  Language language;
  std::string_view ends;  // of paths, each after a blank
};
constexpr std::array<LanguageOfFiles, 4> languages{{
    {Language::c_header, " .h .hh .hpp .hxx .h++ .inl .ipp .tpp .txx .cuh .ixx .cppm "},
    {Language::c_source, " .c .cc .cpp .cxx .c++ .cu .m .mm "},
    {Language::script, " .ts .tsx .mts .cts .js .jsx .mjs .cjs .vue .svelte "},
    {Language::python, " .py .pyi .pyw "},
}};

}  // namespace

Language language_of(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == path.npos || path.find('/', dot) != path.npos) return Language::other;
  const std::string end = " " + std::string(path.substr(dot)) + " ";
  for (const LanguageOfFiles& one : languages) {
    if (one.ends.find(end) != one.ends.npos) return one.language;
  }
  return Language::other;
}

}  // namespace symbols::index
