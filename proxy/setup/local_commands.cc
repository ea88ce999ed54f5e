#include "proxy/setup/local_commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "proxy/files/project_root.h"
#include "proxy/servers/program_search.h"
#include "proxy/system/introspection.h"
#include "table/escape.h"

namespace symbols::setup {
namespace {

// The words as strings. Error: one cannot be written.
Result<std::string> quoted_words(const std::vector<std::string>& words, const StringForm& form) {
  std::string out;
  for (const std::string& word : words) {
    if (table::terminal_text(word) != word) {
      return Error{fmt::format("cannot write the path {} into a configuration: it has control characters, or "
                               "bytes that are not UTF-8",
                               word),
                   "install it in another folder"};
    }
    for (const std::string_view beginning : split(form.expands, ' ')) {
      if (word.find(beginning) == word.npos) continue;
      return Error{
          fmt::format("cannot write {} into this configuration: its reader would expand {}", word, beginning),
          "install it in another folder"};
    }
    if (!out.empty()) out += form.separator;
    const char quote = form.is_doubled ? '\'' : '"';
    out += quote;
    for (const char c : word) {
      if (c == quote || (c == '\\' && !form.is_doubled)) out += form.is_doubled ? quote : '\\';
      out += c;
    }
    out += quote;
  }
  return {boost::system::in_place_value, std::move(out)};
}

}  // namespace

std::string shell_word(const std::string& word) {
  const bool is_plain = !word.empty() && std::ranges::all_of(word, [](char c) {
    return is_word(c) || std::string_view("-./=+,:@").find(c) != std::string_view::npos;
  });
  if (is_plain) return word;
  std::string out = "'";
  for (const char c : word) c == '\'' ? out += "'\\''" : out += c;
  return out + "'";
}

Result<OwnProgram> own_program(const servers::LookupOptions& options) {
  std::error_code failure;
  const fs::path self = system::own_program(failure);
  if (failure)
    return Error{"cannot find the path of this program: " + failure.message(), "is /proc mounted?"};
  // The kernel then appends " (deleted)" to the path.
  if (!files::is_there(self))
    return Error{"the file of this program no longer exists", "run the one that replaced it"};
  for (const fs::path& program :
       servers::find_programs("symbols", options.path, servers::ProjectBoundary({}, true)).found) {
    if (fs::equivalent(program, self, failure) && !failure) return OwnProgram{program, true};
  }
  return OwnProgram{self, false};
}

void LocalCommands::note(std::string text) {
  if (std::ranges::find(notes, text) == notes.end()) notes.push_back(std::move(text));
}

// A desktop's PATH has the system's folders, and rarely those of version managers.
void LocalCommands::note_interpreter(const std::string& script) {
  const std::string interpreter = servers::interpreter_of(script);
  if (interpreter.empty() || interpreter.find('/') != std::string::npos) return;
  const std::vector<fs::path> found =
      servers::find_programs(interpreter, options.path, servers::ProjectBoundary({}, true)).found;
  const bool is_of_system = std::ranges::any_of(found, [](const fs::path& path) {
    return is_among(path.parent_path().string(), "/usr/bin /usr/local/bin /bin");
  });
  if (found.empty() || is_of_system) return;
  note(
      fmt::format("{} is run by {}, which an editor started from a desktop may not find: it is in {}, which "
                  "must be on the editor's PATH",
                  script, interpreter, found.front().parent_path().string()));
}

std::vector<std::string> LocalCommands::server(std::vector<std::string> words, bool may_be_another) {
  const servers::ServerSpec* const spec = words.empty() ? nullptr : registry.by_program(words.front());
  if (spec == nullptr) return words;
  // It is unknown here whether the editor's project is trusted; the editor runs the server as before.
  const servers::ServerSearch found = servers::find_installed(*spec, options);
  if (found.command) {
    words.front() = found.command->program;
    note_interpreter(words.front());
    return words;
  }
  for (const servers::ServerSpec& other : registry.servers()) {
    if (!may_be_another || &other == spec || other.languages != spec->languages) continue;
    const servers::ServerSearch instead = servers::find_installed(other, options);
    if (!instead.command) continue;
    note(fmt::format("{} is not installed, {} is used instead", words.front(), instead.command->display));
    words = instead.command->arguments;
    words.insert(words.begin(), instead.command->program);
    note_interpreter(words.front());
    return words;
  }
  note(found.command.error().text());
  return words;
}

Result<std::string> LocalCommands::in_lists(std::string_view text, const StringForm& form) {
  const std::vector<std::string_view> parts = split(text, '"');  // every other one is a string
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i % 2 == 0) {
      out += parts[i];
      continue;
    }
    std::vector<std::string> words;
    if (parts[i] == "symbols" && !(i + 1 < parts.size() && trim(parts[i + 1]).starts_with(':'))) {
      words = {program};
    } else {
      out += fmt::format("\"{}\"", parts[i]);
      std::size_t last = i;
      for (; parts[i] == "--" && last + 2 < parts.size() && trim(parts[last + 1]) == ","; last += 2)
        words.emplace_back(parts[last + 2]);
      if (words.empty() || registry.by_program(words.front()) == nullptr) continue;
      out += parts[i + 1];
      words = server(std::move(words), other_servers);
      i = last;
    }
    const Result<std::string> quoted = quoted_words(words, form);
    if (!quoted) return quoted;
    out += *quoted;
  }
  return {boost::system::in_place_value, std::move(out)};
}

std::vector<std::string> LocalCommands::at_place(std::string_view place) {
  if (place == "program") return {program};
  if (place == "folder") return {folder};
  const std::string_view kind = take_part(place, ' ');
  if (kind == "file") return {fmt::format("{}/{}", folder, place)};
  std::vector<std::string> words;
  for (const std::string_view word : split(place, ' ')) words.emplace_back(word);
  if (kind == "server") return {server(std::move(words), false).front()};
  words = server(std::move(words), other_servers);
  if (kind == "command") return words;
  for (std::string& word : words) word = shell_word(word);
  return {fmt::format("{}", fmt::join(words, " "))};
}

Result<std::string> LocalCommands::in_places(std::string_view text, const StringForm& form) {
  std::string out;
  bool is_place = false;  // every other part is one
  for (const std::string_view part : split(text, '@')) {
    const Result<std::string> filled =
        is_place ? quoted_words(at_place(part), form)
                 : Result<std::string>(boost::system::in_place_value, std::string(part));
    if (!filled) return filled;
    out += *filled;
    is_place = !is_place;
  }
  return {boost::system::in_place_value, std::move(out)};
}

}  // namespace symbols::setup
