#include "proxy/servers/servers_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <algorithm>
#include <optional>

#include "proxy/process/program_output.h"
#include "proxy/servers/npm_package.h"
#include "proxy/terminal/terminal.h"
#include "table/escape.h"

namespace symbols::servers {
namespace {

constexpr std::chrono::seconds version_limit{5};  // some wait for input

using Row = std::vector<std::string>;

// Nothing if there is no row but that of the titles.
void append_rows(std::string& text, std::string_view heading, const std::vector<Row>& rows) {
  if (rows.size() > 1)
    text += fmt::format("{}{}:\n{}", text.empty() ? "" : "\n", heading, terminal::columns(rows, "  "));
}

// ".py .pyi SConstruct"
std::string files_of(const ServerSpec& spec) {
  std::vector<std::string> files;
  for (const auto names : {&Language::extensions, &Language::file_names}) {
    for (const Language& language : spec.languages)
      files.insert(files.end(), (language.*names).begin(), (language.*names).end());
  }
  return table::escaped(fmt::format("{}", fmt::join(files, " ")));
}

// The version in an npm package's own file; empty for any other program.
std::string version_of_package(const fs::path& program) {
  std::error_code error;
  const fs::path target = fs::canonical(program, error);
  if (error || std::find(target.begin(), target.end(), "node_modules") == target.end()) return {};
  const std::optional<NpmPackage> package = npm_package_of(target);
  return package ? package->version : std::string();
}

// A version is in the first lines; a program that writes more did not understand the question.
constexpr std::size_t max_output = std::size_t{1} << 16;

// The first thing in `text` that looks like a version, at least two numbers with a dot: "0.16.1" in "gopls
// v0.16.1". Letters, digits and marks that belong to it are kept ("0.14.0-dev.1"). Empty if there is none.
std::string version_in(std::string_view text) {
  // "v1.2" is a version, "llvm14.0" is not.
  static const re2::RE2 version(
      R"((?:^|[^A-Za-z0-9._-])[vV]?([0-9]+\.[0-9](?:[A-Za-z0-9.+_-]*[A-Za-z0-9])?))", re2::RE2::Latin1);
  std::string found;
  re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), version, &found);
  return found;
}

Result<std::string> version_of(const std::string& command, const process::ProgramOutput& asked) {
  if (asked.status.signal != 0 || asked.status.code != 0) {
    const std::string& words = asked.error_output.empty() ? asked.output : asked.error_output;
    return Error{fmt::format("{} failed: {}", command, words.substr(0, words.find('\n'))), {}};
  }
  std::string version = version_in(asked.output + "\n" + asked.error_output);
  if (version.empty()) return Error{fmt::format("{} printed no version", command), {}};
  return {boost::system::in_place_value, std::move(version)};
}

// In the order of `found`. Error: why there is none.
std::vector<Result<std::string>> server_versions(const std::vector<FoundServer>& found) {
  std::vector<Result<std::string>> versions(found.size(), Error{});
  std::vector<process::ProcessOptions> questions;
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& [spec, command] = found[i];
    if (std::string version = version_of_package(command.program); !version.empty()) {
      versions[i] = std::move(version);
      continue;
    }
    questions.push_back({.program = command.program,
                         .arguments = spec->version_arguments,
                         .environment = command.environment,
                         .inherited_environment = command.inherited_environment});
    asked.push_back(i);
  }
  std::vector<Result<std::string>> answers = ask_versions(questions, version_limit);
  for (std::size_t i = 0; i < asked.size(); ++i) versions[asked[i]] = std::move(answers[i]);
  return versions;
}

}  // namespace

std::vector<Result<std::string>> ask_versions(const std::vector<process::ProcessOptions>& programs,
                                              milliseconds limit) {
  std::vector<process::ProcessOptions> questions = programs;
  for (process::ProcessOptions& question : questions) question.working_directory = "/";
  const auto outputs = process::run_programs(questions, {.time = limit, .bytes = max_output});
  std::vector<Result<std::string>> answers;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string command =
        fmt::format("{} {}", programs[i].program, fmt::join(programs[i].arguments, " "));
    answers.push_back(outputs[i] ? version_of(command, *outputs[i]) : outputs[i].error());
  }
  return answers;
}

std::string servers_list(const ServerRegistry& registry, const LookupOptions& options,
                         const fs::path& user_file) {
  std::vector<FoundServer> found;
  std::vector<Row> missing_rows{{"SERVER", "TO INSTALL", "FILES"}};
  std::vector<std::string> notes = options.refused_installs;
  for (const ServerSpec& spec : registry.servers()) {
    // Servers that are not started for an untrusted project are listed as found, too.
    ServerSearch search = find_installed(spec, options);
    if (!search.command) {
      if (!search.is_missing) notes.push_back(search.command.error().text());
      missing_rows.push_back({table::escaped(spec.name),
                              table::escaped(spec.install.empty() ? "-" : spec.install), files_of(spec)});
      continue;
    }
    if (!options.trust_project && !spec.runs_of_project.empty())
      notes.push_back(
          fmt::format("{}: needs --trust-project, because it runs {}", spec.name, spec.runs_of_project));
    found.push_back({&spec, std::move(*search.command)});
  }
  std::vector<Row> found_rows{{"SERVER", "VERSION", "PROGRAM", "FILES"}};
  const std::vector<Result<std::string>> versions = server_versions(found);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& [spec, command] = found[i];
    if (!versions[i]) notes.push_back(fmt::format("{}: {}", spec->name, versions[i].error().text()));
    found_rows.push_back({table::escaped(spec->name), versions[i] ? table::escaped(*versions[i]) : "-",
                          table::escaped(command.program), files_of(*spec)});
  }
  std::string text;
  append_rows(text, "Found", found_rows);
  append_rows(text, "Not found", missing_rows);
  if (!notes.empty()) {
    text += "\nNotes:\n";
    for (const std::string& note : notes) text += "  " + table::escaped(note) + '\n';
  }
  if (!user_file.empty()) text += fmt::format("\nAdd others in {}\n", table::escaped(user_file.string()));
  return text;
}

}  // namespace symbols::servers
