#include "proxy/setup_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "lsp/unicode.h"
#include "proxy/line_diff.h"
#include "proxy/nearest_name.h"
#include "proxy/project_root.h"
#include "proxy/setup_plan.h"
#include "proxy/setup_targets.h"
#include "proxy/terminal_text.h"
#include "proxy/user_servers.h"
#include "table/escape.h"

namespace symbols::proxy {
namespace {

namespace fs = std::filesystem;

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void tell(const std::string& message) {
  const std::string line = "symbols: " + terminal_text(message) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

int fail(const Error& error, int status = 1) {
  tell(error.text());
  return status;
}

int finish(int status) {
  if (std::fflush(stdout) == 0) return status;
  return fail({fmt::format("cannot write to standard output: {}", std::strerror(errno)), ""});
}

// A path as a person writes it.
std::string shown(const fs::path& path, const UserFolders& folders) {
  std::string text = path.string();
  const std::string home = folders.home.string() + "/";
  if (home.size() > 1 && text.starts_with(home)) text = "~/" + text.substr(home.size());
  return terminal_text(text);
}

// Without a name: what there is, and where.
int list_targets(const UserFolders& folders) {
  struct Row {
    std::array<std::string, 3> cells;
  };
  std::vector<Row> rows{{{"NAME", "FILE OR FOLDER", "THERE"}}};
  for (const SetupTarget& target : setup_targets()) {
    if (target.pieces.empty()) {
      rows.push_back({{std::string(target.name), "-", "nothing to write"}});
      continue;
    }
    const Result<SetupPaths> paths = setup_paths(target, folders, {});
    if (!paths) {
      rows.push_back({{std::string(target.name), "-", paths.error().message}});
      continue;
    }
    const fs::path& path = paths->configuration.empty() ? paths->own_folder : paths->configuration;
    std::error_code unknown;
    rows.push_back(
        {{std::string(target.name), shown(path, folders), fs::exists(path, unknown) ? "yes" : "no"}});
  }
  std::array<std::size_t, 2> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i)
      widths[i] = std::max(widths[i], lsp::scalar_count(row.cells[i]));
  }
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      line += row.cells[i];
      line.append(widths[i] + 2 - lsp::scalar_count(row.cells[i]), ' ');
    }
    print(line + row.cells[2] + "\n");
  }
  return finish(0);
}

int unknown_name(const std::string& name) {
  std::vector<std::string_view> names;
  for (const SetupTarget& target : setup_targets()) names.push_back(target.name);
  const std::string_view nearest = nearest_name(name, names);
  return fail({fmt::format("setup knows no {}", table::quoted(name)) +
                   (nearest.empty() ? "" : fmt::format(" (is {} meant?)", nearest)),
               fmt::format("it knows {}", fmt::join(names, ", "))},
              2);
}

std::string file_text(const fs::path& path, const std::string& text) {
  return fmt::format("==> {} <==\n{}{}", terminal_text(path.string()), text,
                     text.ends_with('\n') ? "" : "\n");
}

void print_plan(const SetupPlan& plan) {
  for (const PlannedFile& file : plan.files) {
    const fs::path& path = file.before.path;
    if (!file.changes()) {
      print(fmt::format("==> {} <== unchanged\n", terminal_text(path.string())));
    } else if (!file.before.exists) {
      print(file_text(path, file.after));
    } else {
      print(line_diff(terminal_text(path.string()), file.before.text, file.after));
    }
  }
}

int refuse(const SetupRefusal& refusal, bool write) {
  tell(refusal.error.text());
  if (write) tell("nothing was written");
  if (!refusal.lines.empty()) {
    tell("this would be added to " + refusal.path.string() + ":");
    print(refusal.lines);
  }
  return finish(1);
}

// Asks the person at the terminal; false at anything but a yes.
bool is_allowed_by_person(std::size_t files) {
  std::fflush(stdout);
  std::fprintf(stderr, "Change %s, keeping a copy of what is there? [y/N] ",
               files == 1 ? "this file" : fmt::format("these {} files", files).c_str());
  std::fflush(stderr);
  std::string answer;
  for (int c = std::getchar(); c != EOF && c != '\n'; c = std::getchar()) {
    if (answer.size() < 8) answer += static_cast<char>(c);
  }
  return answer == "y" || answer == "Y" || answer == "yes";
}

// Whether what is there may be changed: nothing is, the command line says so, or the person.
bool has_consent(const SetupPlan& plan, const SetupArguments& arguments) {
  std::vector<std::string> changed;
  for (const PlannedFile& file : plan.files) {
    if (file.before.exists && file.changes()) changed.push_back(file.before.path.string());
  }
  if (changed.empty() || arguments.yes) return true;
  if (::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1) {
    print_plan(plan);
    if (is_allowed_by_person(changed.size())) return true;
    tell("nothing was written");
    return false;
  }
  tell(fmt::format(
      "{} {} there and would change, so nothing was written; see what would change with symbols setup {}{}, "
      "and allow it with --yes",
      fmt::join(changed, ", "), changed.size() == 1 ? "is" : "are", arguments.name,
      arguments.table ? " --table" : ""));
  return false;
}

int write_plan(const SetupTarget& target, const SetupPlan& plan) {
  // What can be known beforehand is, so that of several files not only the first is written.
  for (const PlannedFile& file : plan.files) {
    if (!file.changes()) continue;
    if (const Result<void> allowed = check_replaceable(file.before); !allowed) {
      tell(allowed.error().text());
      tell("nothing was written");
      return finish(1);
    }
  }
  bool any = false;
  for (const PlannedFile& file : plan.files) {
    const std::string path = terminal_text(file.before.path.string());
    if (!file.changes()) {
      print("unchanged: " + path + "\n");
      continue;
    }
    const Result<fs::path> backup = replace_file(file.before, file.after);
    if (!backup) {
      std::fflush(stdout);
      return fail(backup.error());
    }
    any = true;
    print("written: " + path + "\n");
    if (!backup->empty()) print("  what was there: " + terminal_text(backup->string()) + "\n");
  }
  if (any && !target.next.empty()) print(fmt::format("next: {}\n", target.next));
  return finish(0);
}

Result<fs::path> absolute_path(const std::string& text) {
  if (text.empty()) return {boost::system::in_place_value, fs::path()};
  std::error_code failure;
  fs::path path = fs::absolute(text, failure);
  if (failure)
    return Error{fmt::format("cannot tell which file {} is: {}", text, failure.message()), "name it from /"};
  return {boost::system::in_place_value, path.lexically_normal()};
}

}  // namespace

int run_setup(const SetupArguments& arguments) {
  // A disk quota is an error like others.
  ::signal(SIGXFSZ, SIG_IGN);
  const UserFolders folders = UserFolders::from_environment();
  if (arguments.name.empty()) return list_targets(folders);
  const SetupTarget* const target = setup_target(arguments.name);
  if (target == nullptr) return unknown_name(arguments.name);
  if (target->pieces.empty()) {
    print(fmt::format("{}\n", target->next));
    if (!arguments.write) return finish(0);
    tell(fmt::format("there is nothing to write for {}", target->title));
    return finish(1);
  }

  if (arguments.table && !target->has_table) {
    std::vector<std::string_view> names;
    for (const SetupTarget& other : setup_targets()) {
      if (other.has_table) names.push_back(other.name);
    }
    return fail({fmt::format("{} has no other configuration for --table", target->name),
                 fmt::format("these have: {}", fmt::join(names, ", "))},
                2);
  }

  const Result<fs::path> to = absolute_path(arguments.to);
  if (!to) return fail(to.error());
  const Result<SetupPaths> paths = setup_paths(*target, folders, *to);
  if (!paths) return fail(paths.error());
  const Result<ServerRegistry> registry = ServerRegistry::load(user_servers_file());
  if (!registry) return fail(registry.error());
  // A server that lies in the project that we stand in is not for good.
  const fs::path root =
      folders.working.empty() ? fs::path() : find_project_root(folders.working / "file", {}, home_folder());
  const LookupOptions options = LookupOptions::from_environment(root, false);
  const Result<OwnProgram> program = own_program(options);
  if (!program) return fail(program.error());
  LocalCommands commands(program->path.string(), paths->own_folder.string(), *registry, options,
                         target->other_servers);

  const SetupPlan plan = plan_setup(*target, *paths, commands, arguments.table);
  if (!program->is_on_path) {
    tell(fmt::format(
        "note: the configuration names {}, as no symbols on the PATH is this program; after it is moved "
        "run setup again",
        program->path.string()));
  }
  for (const std::string& note : commands.notes()) tell("note: " + note);
  if (plan.refusal) return refuse(*plan.refusal, arguments.write);
  if (!arguments.write) {
    print_plan(plan);
    return finish(0);
  }
  if (!has_consent(plan, arguments)) return finish(1);
  return write_plan(*target, plan);
}

}  // namespace symbols::proxy
