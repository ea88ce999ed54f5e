#include "proxy/servers/clangd_settings.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "lsp/json/json_document.h"
#include "proxy/files/regular_file.h"
#include "proxy/servers/filtered_database.h"
#include "proxy/servers/kept_folder.h"

namespace symbols::servers {
namespace {

constexpr std::size_t max_flags_file = std::size_t{1} << 20;

// The extensions that clang compiles without being told the language.
bool is_known_to_clang(std::string_view extension) {
  return is_among(extension,
                  ".c .C .cc .CC .cp .cpp .CPP .cxx .CXX .c++ .C++ .h .H .hh .hpp .hxx .m .M .mm .cu .i .ii "
                  ".ccm .cxxm .c++m");
}

// clang's flags for a file of this language; none for other languages.
std::vector<std::string> language_flags(std::string_view language_id, std::string_view extension) {
  if (extension == ".ixx" || extension == ".cppm") return {"-xc++-module", "-std=c++20"};
  constexpr std::pair<std::string_view, const char*> flags[] = {{"c", "-xc-header"},
                                                                {"cpp", "-xc++-header"},
                                                                {"objective-c", "-xobjective-c-header"},
                                                                {"objective-cpp", "-xobjective-c++-header"},
                                                                {"cuda-cpp", "-xcuda"}};
  for (const auto& [id, flag] : flags) {
    if (id == language_id) return {flag};
  }
  return {};
}

// Whether clangd started with these builds an index of the project.
bool has_background_index(const std::vector<std::string>& arguments) {
  bool on = true;
  for (const std::string& argument : arguments) {
    const std::string_view word = std::string_view(argument).substr(argument.starts_with("--") ? 1 : 0);
    if (is_among(word, "-background-index -background-index=true -background-index=1")) on = true;
    if (is_among(word, "-background-index=false -background-index=0")) on = false;
  }
  return on;
}

}  // namespace

std::string clangd_settings(const fs::path& file, std::string_view language_id,
                            const std::vector<std::string>& arguments,
                            std::string_view initialization_options, GuessedFlags* guessed) {
  const std::string extension = file.extension().string();
  const std::vector<std::string> language = language_flags(language_id, extension);
  if (language.empty() || names_compilation_database(arguments)) return {};
  const CompilationDatabase database = compilation_database_of(file);
  if (database.is_unclear || database.names_files()) return {};
  const bool may_guess = guessed != nullptr && database.file.empty() && !has_clangd_key(file, "CompileFlags");
  std::vector<std::string> command = may_guess ? guessed->flags_for(file) : std::vector<std::string>();
  // Of the same flags the last counts: those of a module name its standard.
  if (!is_known_to_clang(extension)) command.insert(command.end(), language.begin(), language.end());
  if (command.empty() || (is_known_to_clang(extension) && !database.file.empty())) return {};
  command.insert(command.begin(), "clang");
  // These come later, so a language that they name wins.
  std::vector<std::string> more;
  if (database.file.empty()) {
    if (const Result<rapidjson::Document> options = lsp::parse_json(initialization_options))
      more = texts_in(lsp::member(*options, "fallbackFlags"));
  } else if (const Result<std::string> text =
                 files::read_regular_file(database.file.string(), max_flags_file)) {
    more = flags_in_lines(*text);
  }
  command.insert(command.end(), more.begin(), more.end());
  const fs::path folder = (database.file.empty() ? file : database.file).parent_path();
  std::string words;
  for (const std::string& word : command) words += lsp::json_string(word) + ",";
  const std::string name = lsp::json_string(file.string());
  return fmt::format(
      R"({{"compilationDatabaseChanges":{{{}:{{"workingDirectory":{},"compilationCommand":[{}{}]}}}}}})",
      name, lsp::json_string(folder.string()), words, name);
}

std::vector<std::string> flags_in_settings(std::string_view settings) {
  std::vector<std::string> flags;
  const Result<rapidjson::Document> json = lsp::parse_json(settings);
  const rapidjson::Value* const changes = json ? lsp::member(*json, "compilationDatabaseChanges") : nullptr;
  if (changes == nullptr || !changes->IsObject() || changes->MemberCount() != 1) return flags;
  flags = texts_in(lsp::member(changes->MemberBegin()->value, "compilationCommand"));
  std::erase_if(flags, [](const std::string& word) { return !word.starts_with('-'); });
  return flags;
}

Result<fs::path> index_outside_project(std::vector<std::string>& arguments, const fs::path& database) {
  Result<fs::path> folder =
      kept_folder("clangd", database, {}, {.name = commands_file, .target = database / commands_file});
  if (!folder) return folder;
  std::erase(arguments, "--background-index=false");
  arguments.insert(arguments.begin(), {"--background-index", "--compile-commands-dir=" + folder->string()});
  return folder;
}

Result<fs::path> index_beside_copy(std::vector<std::string>& arguments, const fs::path& database) {
  Result<fs::path> folder = kept_folder("clangd", database.parent_path(), "-allowed", {.target = database});
  if (!folder) return folder;
  std::erase(arguments, "--background-index=false");
  arguments.insert(arguments.begin(), "--background-index");
  return folder;
}

Result<fs::path> write_guessed_database(const std::string& commands, const fs::path& root) {
  const Result<fs::path> folder = kept_folder("clangd", root, "-guessed", {.target = root});
  if (!folder) return folder.error();
  const fs::path file = *folder / commands_file;
  if (const Result<void> written = write_database(file.string(), commands); !written) return written.error();
  return {boost::system::in_place_value, file};
}

bool knows_open_files_only(const std::vector<std::string>& arguments, const fs::path& file) {
  if (!has_background_index(arguments)) return true;
  if (names_compilation_database(arguments)) return false;
  const CompilationDatabase database = compilation_database_of(file);
  return !database.names_files() && !database.is_unclear;
}

}  // namespace symbols::servers
