#include "proxy/setup/local_commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/split.h"
#include "lsp/json/json.h"
#include "lsp/unicode.h"
#include "proxy/servers/program_search.h"

namespace symbols::setup {
namespace {

namespace fs = std::filesystem;

// Whether a configuration cannot contain it: control characters (C0, DEL, C1), U+2028 and U+2029, which end
// lines for some readers, and invalid UTF-8.
bool is_no_text(std::string_view word) {
  if (lsp::find_invalid_utf8(word) != word.npos) return true;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const auto byte = static_cast<unsigned char>(word[i]);
    if (byte < 0x20 || byte == 0x7F) return true;
    if (byte == 0xC2 && static_cast<unsigned char>(word[i + 1]) < 0xA0) return true;
  }
  return word.find("\u2028") != word.npos || word.find("\u2029") != word.npos;
}

// A string of a shipped configuration, which has no escapes.
struct StringToken {
  std::size_t begin;
  std::size_t end;  // after its closing quote
  std::string_view text;
};

std::vector<StringToken> strings_of(std::string_view text, std::string_view comment) {
  std::vector<StringToken> strings;
  for (std::size_t i = 0; i < text.size();) {
    if (text.substr(i).starts_with(comment)) {
      i = std::min(text.find('\n', i), text.size());
    } else if (text[i] == '"') {
      const std::size_t end = text.find('"', i + 1);
      if (end == text.npos) break;
      strings.push_back({i, end + 1, text.substr(i + 1, end - i - 1)});
      i = end + 1;
    } else {
      ++i;
    }
  }
  return strings;
}

char first_behind(std::string_view text, std::size_t offset) {
  const std::size_t at = text.find_first_not_of(lsp::json_whitespace, offset);
  return at == text.npos ? '\0' : text[at];
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
  const fs::path self = fs::read_symlink("/proc/self/exe", failure);
  if (failure) {
    return Error{"cannot find the path of this program: " + failure.message(), "is /proc mounted?"};
  }
  // The kernel then appends " (deleted)" to the path.
  if (!fs::exists(self, failure)) {
    return Error{"the file of this program no longer exists", "run the one that replaced it"};
  }
  for (const fs::path& program :
       servers::find_programs("symbols", options.path, servers::ProjectBoundary({}, true)).found) {
    if (fs::equivalent(program, self, failure) && !failure) return OwnProgram{program, true};
  }
  return OwnProgram{self, false};
}

LocalCommands::LocalCommands(std::string program, std::string folder, const servers::ServerRegistry& registry,
                             servers::LookupOptions options, bool other_servers)
    : program_(std::move(program)),
      folder_(std::move(folder)),
      registry_(registry),
      options_(std::move(options)),
      other_servers_(other_servers) {}

Result<std::string> LocalCommands::quoted_word(std::string_view word, Quoting quoting) const {
  if (is_no_text(word)) {
    return Error{
        fmt::format("cannot write the path {} into a configuration: it has bytes that are not text", word),
        "install it in another folder"};
  }
  for (const std::string_view beginning : expanded_) {
    if (word.find(beginning) == word.npos) continue;
    return Error{
        fmt::format("cannot write {} into this configuration: its reader would expand {}", word, beginning),
        "install it in another folder"};
  }
  const char quote = quoting == Quoting::backslash ? '"' : '\'';
  std::string out(1, quote);
  for (const char c : word) {
    if (quoting == Quoting::backslash && (c == '"' || c == '\\')) out += '\\';
    if (quoting == Quoting::doubled && c == '\'') out += '\'';
    out += c;
  }
  out += quote;
  return {boost::system::in_place_value, std::move(out)};
}

Result<std::string> LocalCommands::quoted_words(const std::vector<std::string>& words, Quoting quoting,
                                                std::string_view separator) const {
  std::string out;
  for (const std::string& word : words) {
    const Result<std::string> text = quoted_word(word, quoting);
    if (!text) return text.error();
    if (!out.empty()) out += separator;
    out += *text;
  }
  return {boost::system::in_place_value, std::move(out)};
}

void LocalCommands::note(std::string text) {
  if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) notes_.push_back(std::move(text));
}

// A desktop's PATH has the system's folders, and rarely those of version managers.
void LocalCommands::note_interpreter(const std::string& program) {
  const std::string interpreter = servers::interpreter_of(program);
  if (interpreter.empty() || interpreter.find('/') != std::string::npos) return;
  const std::vector<fs::path> found =
      servers::find_programs(interpreter, options_.path, servers::ProjectBoundary({}, true)).found;
  const bool is_of_system = std::any_of(found.begin(), found.end(), [](const fs::path& path) {
    return path.parent_path() == "/usr/bin" || path.parent_path() == "/usr/local/bin" ||
           path.parent_path() == "/bin";
  });
  if (found.empty() || is_of_system) return;
  note(
      fmt::format("{} is run by {}, which an editor started from a desktop may not find: it is in {}, which "
                  "must be on the editor's PATH",
                  program, interpreter, found.front().parent_path().string()));
}

std::vector<std::string> LocalCommands::server(std::vector<std::string> words, bool other_servers) {
  const servers::ServerSpec* const spec = words.empty() ? nullptr : registry_.by_program(words.front());
  if (spec == nullptr) return words;
  // It is unknown here whether the editor's project is trusted; the editor runs the server as before.
  const servers::ServerSearch found = servers::find_installed(*spec, options_);
  if (found.command) {
    words.front() = found.command->program;
    note_interpreter(found.command->program);
    return words;
  }
  if (other_servers) {
    for (const servers::ServerSpec& other : registry_.servers()) {
      if (&other == spec || !(other.languages == spec->languages)) continue;
      const servers::ServerSearch instead = servers::find_installed(other, options_);
      if (!instead.command) continue;
      note(fmt::format("{} is not installed, {} is used instead", words.front(), instead.command->display));
      note_interpreter(instead.command->program);
      words = {instead.command->program};
      words.insert(words.end(), instead.command->arguments.begin(), instead.command->arguments.end());
      return words;
    }
  }
  note(found.command.error().text());
  return words;
}

Result<std::string> LocalCommands::in_lists(std::string_view text, std::string_view comment) {
  const std::vector<StringToken> strings = strings_of(text, comment);
  std::string out;
  std::size_t copied = 0;
  const auto put = [&](std::size_t begin, std::size_t end, const std::string& with) {
    out += text.substr(copied, begin - copied);
    out += with;
    copied = end;
  };
  for (std::size_t i = 0; i < strings.size(); ++i) {
    const StringToken& string = strings[i];
    if (string.text == "symbols" && first_behind(text, string.end) != ':') {
      const Result<std::string> program = quoted_word(program_, Quoting::backslash);
      if (!program) return program.error();
      put(string.begin, string.end, *program);
    } else if (string.text == "--") {
      std::vector<std::string> words;
      std::size_t last = i;
      while (last + 1 < strings.size() && first_behind(text, strings[last].end) == ',') {
        words.emplace_back(strings[++last].text);
      }
      if (words.empty() || registry_.by_program(words.front()) == nullptr) continue;
      const Result<std::string> command =
          quoted_words(server(std::move(words), other_servers_), Quoting::backslash, ", ");
      if (!command) return command.error();
      put(strings[i + 1].begin, strings[last].end, *command);
      i = last;
    }
  }
  out += text.substr(copied);
  return {boost::system::in_place_value, std::move(out)};
}

std::optional<std::vector<std::string>> LocalCommands::at_place(std::vector<std::string> words) {
  if (words.empty()) return {};
  const std::string place = words.front();
  words.erase(words.begin());
  if (words.empty()) {
    if (place == "program") return {{program_}};
    if (place == "folder") return {{folder_}};
    return {};
  }
  if (place == "file" && words.size() == 1) return {{folder_ + "/" + words.front()}};
  if (place == "server") return {{server(std::move(words), false).front()}};
  if (place != "command" && place != "line") return {};
  std::vector<std::string> command = server(std::move(words), other_servers_);
  if (place == "command") return command;
  for (std::string& word : command) word = shell_word(word);
  return {{fmt::format("{}", fmt::join(command, " "))}};
}

Result<std::string> LocalCommands::in_places(std::string_view text, Quoting quoting,
                                             std::string_view separator) {
  std::string out;
  for (;;) {
    const std::size_t begin = text.find('@');
    const std::size_t end = begin == text.npos ? text.npos : text.find('@', begin + 1);
    if (end == text.npos) {
      out += text;
      return {boost::system::in_place_value, std::move(out)};
    }
    std::vector<std::string> words;
    for (const std::string_view word : split(text.substr(begin + 1, end - begin - 1), ' ')) {
      if (!word.empty()) words.emplace_back(word);
    }
    const std::optional<std::vector<std::string>> filled = at_place(std::move(words));
    out += text.substr(0, begin);
    if (!filled) {  // an @ of the text itself
      out += '@';
      text.remove_prefix(begin + 1);
      continue;
    }
    const Result<std::string> quoted = quoted_words(*filled, quoting, separator);
    if (!quoted) return quoted.error();
    out += *quoted;
    text.remove_prefix(end + 1);
  }
}

}  // namespace symbols::setup
