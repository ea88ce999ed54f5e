#include <fmt/format.h>
#include <re2/re2.h>

#include <system_error>
#include <utility>

#include "base/text.h"
#include "proxy/servers/server_lookup.h"
#include "proxy/servers/server_registry.h"

namespace symbols::servers {

namespace {

Error unbalanced(std::string_view text, std::string_view what, std::string_view advice) {
  return {fmt::format("cannot read the command line {}: {}", text, what), std::string(advice)};
}

// "--config=/where/we/are/./a" for "--config=./a", for it may be started elsewhere; likewise the value of an
// option that names something that is there, and what has a slash in it and is there.
std::string with_absolute_path(const std::string& argument, const fs::path& working_folder) {
  const bool is_option = argument.starts_with('-');
  const std::size_t equals = argument.find('=');
  const std::size_t begin = equals == argument.npos ? 0 : equals + 1;
  const std::string path = argument.substr(begin);
  if (path.empty() || (is_option && begin == 0) || path.starts_with('/')) return argument;
  std::error_code failure;
  const bool is_path =
      path.starts_with("./") || path.starts_with("../") ||
      ((begin > 0 || path.find('/') != path.npos) && fs::exists(working_folder / path, failure));
  return is_path ? argument.substr(0, begin) + (working_folder / path).string() : argument;
}

}  // namespace

Result<std::vector<std::string>> split_command_line(std::string_view text) {
  // What is between words, in quotes, escaped, or plain.
  static const RE2 part(R"re((?s)([\s\v]+|'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s\v'"\\]+))re", RE2::Latin1);
  static const RE2 escaped(R"re(\\(["\\]))re", RE2::Latin1);
  std::vector<std::string> words;
  bool in_word = false;
  re2::StringPiece rest(text);
  for (std::string token; RE2::Consume(&rest, part, &token);) {
    const char first = token.front();
    if (is_whitespace(first)) {
      in_word = false;
      continue;
    }
    if (!std::exchange(in_word, true)) words.emplace_back();  // also for "", which is a word
    if (first == '"') RE2::GlobalReplace(&token, escaped, R"(\1)");
    const bool is_quoted = first == '"' || first == '\'';
    words.back() += is_quoted ? token.substr(1, token.size() - 2) : token.substr(first == '\\' ? 1 : 0);
  }
  if (rest.starts_with("\\"))
    return unbalanced(text, "it ends in a backslash", "write \\\\ for the backslash itself");
  if (!rest.empty()) {
    return unbalanced(text, fmt::format("a {} is not closed", rest[0]),
                      fmt::format("close it, or write \\{} for the mark itself", rest[0]));
  }
  if (words.empty() || words.front().empty())
    return unbalanced(text.empty() ? "''" : text, "it names no program", "give a known server or a program");
  return words;
}

Result<FoundServer> server_from_text(std::string_view text, const ServerRegistry& registry,
                                     const LookupOptions& options) {
  if (const ServerSpec* spec = registry.by_name(text)) {
    Result<ServerCommand> command = find_server(*spec, options).command;
    if (!command) return command.error();
    return FoundServer{spec, std::move(*command)};
  }
  Result<std::vector<std::string>> parts = split_command_line(text);
  if (!parts) return parts.error();
  const std::string name = parts->front();
  parts->erase(parts->begin());
  for (std::string& argument : *parts) argument = with_absolute_path(argument, options.working_folder);

  fs::path program;
  if (name.find('/') != name.npos) {
    program = (options.working_folder / name).lexically_normal();
    if (!is_program(program)) {
      return Error{fmt::format("cannot start the server {}: there is no program {}", text, program.string()),
                   "check the path, and that the file is executable"};
    }
  } else {
    const ProgramSearch search = find_programs(name, options.path, options.boundary());
    if (search.found.empty() && !search.forbidden.empty())
      return in_project(text, search.forbidden.front(), options, "give its path");
    if (search.found.empty()) {
      return Error{
          fmt::format(
              "cannot start the server {}: no server of that name is known, and there is no {} on the PATH",
              text, name),
          "'symbols servers' lists those that are known; install it, or give its path"};
    }
    program = search.found.front();
  }
  const ServerSpec* spec = registry.by_program(program.filename().string());
  Result<ServerCommand> command = command_of_program(program, std::move(*parts), spec, options);
  if (!command) return command.error();
  return FoundServer{spec, std::move(*command)};
}

}  // namespace symbols::servers
