#include "proxy/servers/server_registry.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/text.h"
#include "proxy/files/regular_file.h"
#include "proxy/servers/program_search.h"

namespace symbols::servers {
namespace {

bool has(const std::vector<std::string>& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

// Without folder and version: "python" of "/usr/bin/python3.11".
std::string_view name_of_interpreter(std::string_view interpreter) {
  const std::string_view name = interpreter.substr(interpreter.rfind('/') + 1);
  return name.substr(0, name.find_last_not_of("0123456789.") + 1);
}

// The language of a file, and how well it fits: by whole name, by extension (the longer the better) or by
// interpreter. Null if none fits.
struct LanguageMatch {
  const Language* language = nullptr;
  std::size_t rank = 0;  // higher is closer
};

LanguageMatch match_language(const std::vector<Language>& languages, const fs::path& file,
                             std::string_view first_line) {
  const std::string name = file.filename().string();
  const std::string lower_name = in_lower_case(name);
  LanguageMatch best;
  for (const Language& language : languages) {
    std::size_t rank = has(language.file_names, name) ? std::size_t(-1) : 0;
    for (const std::string& extension : language.extensions) {
      const bool is_exact = name.ends_with(extension);  // ".C" before ".c"
      // A name that is only the extension, ".c", is a hidden file.
      if (extension.size() < name.size() && (is_exact || lower_name.ends_with(extension)))
        rank = std::max(rank, 2 * extension.size() + (is_exact ? 1 : 0));
    }
    if (rank > best.rank) best = {&language, rank};
  }
  // The interpreter counts only for files without an extension.
  if (best.language == nullptr && !file.has_extension()) {
    const std::string_view interpreter = name_of_interpreter(interpreter_in(first_line));
    for (const Language& language : languages) {
      if (has(language.interpreters, interpreter)) return {&language, 1};
    }
  }
  return best;
}

}  // namespace

Result<ServerRegistry> ServerRegistry::load(const fs::path& user_file) {
  constexpr std::size_t max_file = std::size_t{1} << 20;
  std::error_code error;
  // A folder that we may not read is usually another user's home.
  if (!fs::exists(fs::symlink_status(user_file, error))) return built_in();
  const Result<std::string> text = files::read_regular_file(user_file.string(), max_file);
  if (!text) return text.error();
  Result<std::vector<ServerSpec>> servers = parse_servers(*text, user_file.string(), &known_servers());
  if (!servers) return servers.error();
  for (const ServerSpec& spec : known_servers()) {
    if (std::ranges::find(*servers, spec.name, &ServerSpec::name) == servers->end()) servers->push_back(spec);
  }
  return ServerRegistry(std::move(*servers));
}

std::vector<const ServerSpec*> ServerRegistry::candidates(const fs::path& file,
                                                          std::string_view first_line) const {
  std::vector<std::pair<std::size_t, const ServerSpec*>> ranked;
  for (const ServerSpec& spec : servers_) {
    const LanguageMatch match = match_language(spec.languages, file, first_line);
    if (match.language != nullptr) ranked.emplace_back(match.rank, &spec);
  }
  // The user's come first, however they match: that is their purpose.
  std::ranges::stable_sort(ranked, std::greater(), [](const auto& candidate) {
    return std::pair(candidate.second->from_user, candidate.first);
  });
  std::vector<const ServerSpec*> specs;
  for (const auto& [rank, spec] : ranked) specs.push_back(spec);
  return specs;
}

const ServerSpec* ServerRegistry::for_file(const fs::path& file, std::string_view first_line) const {
  const std::vector<const ServerSpec*> specs = candidates(file, first_line);
  return specs.empty() ? nullptr : specs.front();
}

const ServerSpec* ServerRegistry::by_name(std::string_view name) const {
  const auto spec = std::ranges::find(servers_, name, &ServerSpec::name);
  return spec == servers_.end() ? nullptr : &*spec;
}

std::string ServerRegistry::language_id(const fs::path& file, std::string_view first_line,
                                        const ServerSpec* spec) const {
  LanguageMatch match;
  if (spec != nullptr) match = match_language(spec->languages, file, first_line);
  if (match.language == nullptr) spec = for_file(file, first_line);
  if (match.language == nullptr && spec != nullptr) match = match_language(spec->languages, file, first_line);
  return match.language == nullptr ? std::string() : match.language->id;
}

}  // namespace symbols::servers
