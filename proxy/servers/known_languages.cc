#include "proxy/servers/known_languages.h"

#include <map>

namespace symbols::servers {
namespace {

struct LanguageLine {
  std::string_view id;
  std::string_view extensions;
  std::string_view file_names = {};
  std::string_view interpreters = {};
};

// To add a language is to add a line here, and its id to a server's line in known_servers.cc.
constexpr LanguageLine languages[] = {
    {"bibtex", ".bib"},
    {"c", ".c"},
    {"clojure", ".clj .cljs .cljc .edn", {}, "bb"},
    {"cmake", ".cmake", "CMakeLists.txt"},
    // A header may be either; read as C++ it keeps every symbol that it has as C.
    {"cpp", ".cc .cpp .cxx .c++ .C .h .hh .hpp .hxx .h++ .H .inl .ipp .tpp .txx .cppm .ixx"},
    {"csharp", ".cs"},
    {"css", ".css"},
    {"cuda-cpp", ".cu .cuh"},
    {"dart", ".dart"},
    {"dockerfile", ".dockerfile", "Dockerfile Containerfile"},
    {"elixir", ".ex .exs", {}, "elixir"},
    {"fortran", ".f .F .for .f77 .f90 .F90 .f95 .f03 .f08"},
    {"fsharp", ".fs .fsi .fsx"},
    {"glsl", ".glsl .vert .frag .geom .comp .tesc .tese"},
    {"go", ".go"},
    {"haskell", ".hs"},
    {"html", ".html .htm"},
    {"java", ".java"},
    {"javascript", ".js .mjs .cjs", {}, "node bun"},
    {"javascriptreact", ".jsx"},
    {"json", ".json .webmanifest .geojson"},
    {"jsonc", ".jsonc .code-workspace", "tsconfig.json jsconfig.json devcontainer.json .eslintrc.json"},
    {"kotlin", ".kt .kts"},
    {"latex", ".tex .sty .cls"},
    {"less", ".less"},
    {"lua", ".lua", {}, "lua luajit"},
    {"markdown", ".md .markdown"},
    {"nix", ".nix"},
    {"objective-c", ".m"},
    {"objective-cpp", ".mm"},
    {"ocaml", ".ml", {}, "ocaml"},
    {"ocaml.interface", ".mli"},
    {"perl", ".pl .pm .t", {}, "perl"},
    {"php", ".php .phtml", {}, "php"},
    {"proto", ".proto"},
    {"python", ".py .pyi .pyw", "SConstruct SConscript", "python"},
    {"r", ".r .R", {}, "Rscript"},
    {"ruby", ".rb .rake .gemspec .ru", "Gemfile Rakefile Vagrantfile", "ruby"},
    {"rust", ".rs"},
    {"scala", ".scala .sc .sbt"},
    {"scss", ".scss"},
    {"shellscript", ".sh .bash", ".bashrc .bash_profile .bash_aliases .profile PKGBUILD", "sh bash dash ksh"},
    {"svelte", ".svelte"},
    {"swift", ".swift"},
    {"systemverilog", ".sv .svh"},
    {"terraform", ".tf .tfvars"},
    {"toml", ".toml", "Cargo.lock poetry.lock"},
    {"typescript", ".ts .mts .cts", {}, "ts-node tsx deno"},
    {"typescriptreact", ".tsx"},
    {"typst", ".typ"},
    {"verilog", ".v .vh"},
    {"vim", ".vim", ".vimrc vimrc"},
    {"xml", ".xml .xsd .xsl .xslt .svg"},
    {"yaml", ".yaml .yml", ".clangd .clang-format .clang-tidy"},
    {"zig", ".zig .zon"},
};

}  // namespace

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) pieces.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return pieces;
}

const Language* known_language(std::string_view id) {
  static const std::map<std::string, Language, std::less<>> by_id = [] {
    std::map<std::string, Language, std::less<>> table;
    for (const LanguageLine& line : languages) {
      table.emplace(line.id, Language{std::string(line.id), words(line.extensions), words(line.file_names),
                                      words(line.interpreters)});
    }
    return table;
  }();
  const auto found = by_id.find(id);
  return found == by_id.end() ? nullptr : &found->second;
}

}  // namespace symbols::servers
