#include "proxy/servers/servers_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "lsp/unicode.h"
#include "proxy/process/program_version.h"
#include "proxy/servers/npm_package.h"
#include "table/escape.h"

namespace symbols::servers {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds version_limit{5};
constexpr std::string_view unknown_version = "-";

using Row = std::vector<std::string>;

// Columns as wide as their widest cell, except for the last, each line indented by two.
void append_rows(std::string& text, const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], lsp::scalar_count(row[i]));
  }
  for (const Row& row : rows) {
    std::string line = "  ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line.append(widths[i] - lsp::scalar_count(row[i]) + 2, ' ');
    }
    text += line;
    text += '\n';
  }
}

// ".py .pyi SConstruct"
std::string files_of(const ServerSpec& spec) {
  std::vector<std::string> files;
  for (const Language& language : spec.languages) {
    files.insert(files.end(), language.extensions.begin(), language.extensions.end());
  }
  for (const Language& language : spec.languages) {
    files.insert(files.end(), language.file_names.begin(), language.file_names.end());
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

// One server of the list.
struct Entry {
  const ServerSpec* spec;
  Result<ServerCommand> command;
  std::string version;
};

// Fills in the versions, and adds to `notes` why one is missing.
void find_versions(std::vector<Entry>& entries, std::vector<std::string>& notes) {
  std::vector<VersionedServer> found;
  std::vector<Entry*> asked;
  for (Entry& entry : entries) {
    if (!entry.command) continue;
    found.push_back({entry.spec, &*entry.command});
    asked.push_back(&entry);
  }
  const std::vector<Result<std::string>> answers = server_versions(found);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    asked[i]->version = answers[i] ? *answers[i] : std::string(unknown_version);
    if (!answers[i]) notes.push_back(fmt::format("{}: {}", asked[i]->spec->name, answers[i].error().text()));
  }
}

}  // namespace

std::vector<Result<std::string>> server_versions(const std::vector<VersionedServer>& found) {
  std::vector<Result<std::string>> versions(found.size(), Error{"it is not known", {}});
  std::vector<process::VersionQuestion> questions;
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [spec, command] = found[i];
    if (spec == nullptr) continue;
    if (std::string version = version_of_package(command->program); !version.empty()) {
      versions[i] = std::move(version);
      continue;
    }
    questions.push_back({command->program, spec->version_arguments, command->environment});
    asked.push_back(i);
  }
  std::vector<Result<std::string>> answers = process::ask_versions(questions, version_limit);
  for (std::size_t i = 0; i < asked.size(); ++i) versions[asked[i]] = std::move(answers[i]);
  return versions;
}

std::string servers_list(const ServerRegistry& registry, const LookupOptions& options,
                         const fs::path& user_file) {
  std::vector<Entry> entries;
  std::vector<std::string> notes;
  for (const ServerSpec& spec : registry.servers()) {
    // Servers that are not started for an untrusted project are listed as found, too.
    ServerSpec harmless = spec;
    harmless.runs_of_project.clear();
    ServerSearch search = search_server(harmless, options);
    if (search.command && !options.trust_project && !spec.runs_of_project.empty())
      notes.push_back(
          fmt::format("{}: needs --trust-project, because it runs {}", spec.name, spec.runs_of_project));
    if (!search.command && !search.is_missing) notes.push_back(search.command.error().text());
    entries.push_back({&spec, std::move(search.command), {}});
  }
  find_versions(entries, notes);

  std::vector<Row> found{{"SERVER", "VERSION", "PROGRAM", "FILES"}};
  std::vector<Row> missing{{"SERVER", "TO INSTALL", "FILES"}};
  for (const Entry& entry : entries) {
    const std::string name = table::escaped(entry.spec->name);
    if (entry.command) {
      found.push_back({name, table::escaped(entry.version), table::escaped(entry.command->program),
                       files_of(*entry.spec)});
    } else {
      const std::string install = entry.spec->install.empty() ? "-" : entry.spec->install;
      missing.push_back({name, table::escaped(install), files_of(*entry.spec)});
    }
  }
  std::string text;
  if (found.size() > 1) {
    text += "Found:\n";
    append_rows(text, found);
  }
  if (missing.size() > 1) {
    text += text.empty() ? "Not found:\n" : "\nNot found:\n";
    append_rows(text, missing);
  }
  if (!notes.empty()) {
    text += "\nNotes:\n";
    for (const std::string& note : notes) text += "  " + table::escaped(note) + '\n';
  }
  if (!user_file.empty()) text += fmt::format("\nAdd others in {}\n", table::escaped(user_file.string()));
  return text;
}

}  // namespace symbols::servers
