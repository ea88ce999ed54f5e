#include "proxy/setup/configured_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/ascii.h"
#include "base/split.h"
#include "lsp/json/json.h"
#include "proxy/setup/jsonc_text.h"
#include "proxy/setup/replace_file.h"
#include "proxy/setup/setup_plan.h"
#include "proxy/setup/toml_entries.h"

namespace symbols::setup {
namespace {

namespace fs = std::filesystem;

struct QuotedString {
  std::string text;
  bool is_key = false;  // a `:` follows
};

// Those that begin and end on one line. Escapes of a backslash are undone, for paths: others do not matter.
std::vector<QuotedString> quoted_strings(std::string_view text, Quoting quoting, std::string_view comment) {
  const char quote = quoting == Quoting::doubled ? '\'' : '"';
  std::vector<QuotedString> strings;
  for (const std::string_view line : split(text, '\n')) {
    if (!comment.empty() && trim(line).starts_with(comment)) continue;
    for (std::size_t at = line.find(quote); at != line.npos; at = line.find(quote, at)) {
      QuotedString string;
      for (++at; at < line.size() && line[at] != quote; ++at) {
        if (line[at] == '\\' && quoting == Quoting::backslash && at + 1 < line.size()) ++at;
        string.text += line[at];
      }
      if (at == line.size()) break;
      const std::size_t behind = line.find_first_not_of(lsp::json_whitespace, ++at);
      string.is_key = behind != line.npos && line[behind] == ':';
      strings.push_back(std::move(string));
    }
  }
  return strings;
}

bool is_ours(std::string_view word) {
  return word == "symbols" || (word.starts_with('/') && word.ends_with("/symbols"));
}

// A command line in one string, as Kate and others have it.
std::optional<StartedProgram> command_line(const std::string& text) {
  const std::size_t end = text.find(' ');
  if (end == text.npos || !is_ours(text.substr(0, end))) return {};
  const std::string_view rest = std::string_view(text).substr(end + 1);
  if (!rest.starts_with("proxy ") && !rest.starts_with("mcp")) return {};
  StartedProgram started{text.substr(0, end), {}};
  if (const std::size_t dashes = rest.find(" -- "); dashes != rest.npos) {
    const std::string_view server = rest.substr(dashes + 4);
    started.server = server.substr(0, server.find(' '));
  }
  return started;
}

Result<void> check_language(const SetupPiece& piece, std::string_view text) {
  if (trim(text).empty()) return {};
  if (piece.kind == SetupPiece::Kind::json) {
    const Result<PlainJson> json = read_jsonc(text, piece.dialect);
    if (!json) return json.error();
  }
  return piece.check == SetupPiece::Check::toml ? check_toml_tables(text, {}) : Result<void>();
}

std::optional<FoundConfiguration> configuration_in(const SetupTarget& target, const SetupPiece& piece,
                                                   const fs::path& file) {
  std::error_code unknown;
  if (!fs::exists(fs::symlink_status(file, unknown))) return {};
  FoundConfiguration found{.target = &target, .file = file};
  const Result<FileState> state = look_at_file(file);
  if (!state) {
    found.error = state.error();
    return found;
  }
  if (const Result<void> language = check_language(piece, state->text); !language)
    found.error = Error{fmt::format("{}:{}", file.string(), language.error().message), "correct it there"};
  // A line of JSON cannot begin with `//` but for a comment, where the reader knows comments.
  found.programs = started_programs(state->text, piece.quoting, piece.comment);
  return found;
}

}  // namespace

std::vector<StartedProgram> started_programs(std::string_view text, Quoting quoting,
                                             std::string_view comment) {
  std::vector<StartedProgram> programs;
  std::optional<StartedProgram> open;
  const auto close = [&] {
    if (open && std::ranges::find(programs, *open) == programs.end()) programs.push_back(*open);
    open.reset();
  };
  bool after_dashes = false;
  for (const QuotedString& string : quoted_strings(text, quoting, comment)) {
    const bool is_server = std::exchange(after_dashes, false);
    if (string.is_key) continue;
    if (is_ours(string.text)) {
      close();
      open = StartedProgram{string.text, {}};
    } else if (std::optional<StartedProgram> line = command_line(string.text)) {
      close();
      open = std::move(line);
      close();
    } else if (open && is_server && string.text != "proxy") {
      open->server = string.text;
      close();
    } else {
      after_dashes = open && string.text == "--";
    }
  }
  close();
  return programs;
}

std::vector<FoundConfiguration> found_configurations(const files::UserFolders& folders) {
  std::vector<FoundConfiguration> all;
  for (const SetupTarget& target : setup_targets()) {
    const Result<SetupPaths> paths = setup_paths(target, folders, {});
    if (!paths) continue;
    for (const SetupPiece& piece : target.pieces) {
      if (piece.kind == SetupPiece::Kind::folder) continue;
      const bool is_own = piece.kind == SetupPiece::Kind::file;
      // A plugin's own sources name no program of this machine.
      if (is_own && !piece.has_places && piece.comment.empty()) continue;
      const fs::path file = is_own ? paths->own_folder / piece.path : paths->configuration;
      // Language servers and tools may be in the same one.
      if (std::ranges::find(all, file, &FoundConfiguration::file) != all.end()) continue;
      std::optional<FoundConfiguration> found = configuration_in(target, piece, file);
      if (found) all.push_back(std::move(*found));
    }
  }
  return all;
}

}  // namespace symbols::setup
