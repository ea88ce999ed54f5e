#include "proxy/servers/clangd_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "lsp/json/json_document.h"
#include "proxy/files/regular_file.h"
#include "proxy/servers/compilation_database.h"
#include "proxy/servers/compile_flags.h"

namespace symbols::servers {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_flags_file = std::size_t{1} << 20;

// The extensions that clang compiles without being told the language.
bool is_known_to_clang(std::string_view extension) {
  constexpr std::array<std::string_view, 25> known{
      ".c",  ".C",   ".cc",  ".CC", ".cp", ".cpp", ".CPP", ".cxx", ".CXX", ".c++", ".C++",  ".h",   ".H",
      ".hh", ".hpp", ".hxx", ".m",  ".M",  ".mm",  ".cu",  ".i",   ".ii",  ".ccm", ".cxxm", ".c++m"};
  return std::ranges::count(known, extension) > 0;
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

void append_flags_of_file(std::vector<std::string>& flags, const fs::path& file) {
  const Result<std::string> text = files::read_regular_file(file.string(), max_flags_file);
  const std::vector<std::string> words = flags_in_lines(text ? *text : std::string());
  flags.insert(flags.end(), words.begin(), words.end());
}

void append_fallback_flags(std::vector<std::string>& flags, std::string_view initialization_options) {
  const Result<rapidjson::Document> options = lsp::parse_json(initialization_options);
  const rapidjson::Value* fallback = options ? lsp::member(*options, "fallbackFlags") : nullptr;
  if (fallback == nullptr || !fallback->IsArray()) return;
  for (const rapidjson::Value& flag : fallback->GetArray()) {
    if (flag.IsString()) flags.push_back(lsp::text_of(flag));
  }
}

}  // namespace

std::string clangd_settings(const fs::path& file, std::string_view language_id,
                            const std::vector<std::string>& arguments,
                            std::string_view initialization_options, GuessedFlags* guessed) {
  const std::string extension = file.extension().string();
  const std::vector<std::string> language = language_flags(language_id, extension);
  if (language.empty() || names_compilation_database(arguments)) return {};
  const CompilationDatabase database = compilation_database_of(file, users_clangd_settings());
  if (database.is_unclear || database.folder()) return {};
  const bool may_guess = guessed != nullptr && database.file.empty() && !has_clangd_key(file, "CompileFlags");
  std::vector<std::string> command = may_guess ? guessed->flags_for(file) : std::vector<std::string>();
  // Of the same flags the last counts: those of a module name its standard.
  if (!is_known_to_clang(extension)) command.insert(command.end(), language.begin(), language.end());
  if (command.empty() || (is_known_to_clang(extension) && !database.file.empty())) return {};
  command.insert(command.begin(), "clang");
  // These come later, so a language that they name wins.
  if (database.file.empty()) {
    append_fallback_flags(command, initialization_options);
  } else {
    append_flags_of_file(command, database.file);
  }
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
  const rapidjson::Value* const command = lsp::member(changes->MemberBegin()->value, "compilationCommand");
  if (command == nullptr || !command->IsArray()) return flags;
  for (const rapidjson::Value& word : command->GetArray()) {
    if (word.IsString() && lsp::text_of(word).starts_with('-')) flags.push_back(lsp::text_of(word));
  }
  return flags;
}

}  // namespace symbols::servers
