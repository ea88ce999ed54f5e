#include "proxy/files/source_language.h"

#include "base/split.h"

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

}  // namespace symbols::files
