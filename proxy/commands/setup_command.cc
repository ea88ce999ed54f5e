#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "base/text.h"
#include "proxy/commands/commands.h"
#include "proxy/files/project_root.h"
#include "proxy/files/regular_file.h"
#include "proxy/options/nearest_name.h"
#include "proxy/servers/program_search.h"
#include "proxy/setup/setup_plan.h"
#include "proxy/setup/setup_targets.h"
#include "proxy/terminal/tell.h"
#include "table/escape.h"

namespace symbols::commands {
namespace {

namespace fs = std::filesystem;

// "PATH", or "PATH -> TARGET" where the file or a folder above it is a link, as a project may have it.
std::string name_of(const setup::FileState& file) {
  std::error_code failure;
  const fs::path target = fs::weakly_canonical(file.path, failure);
  return file.path.string() + (failure || target == file.path ? "" : " -> " + target.string());
}

int unknown_name(const std::string& name) {
  std::vector<std::string_view> names;
  for (const setup::SetupTarget& target : setup::setup_targets()) {
    if (setup::setup_target(target.name) == &target) names.push_back(target.name);
  }
  const std::string_view nearest = options::nearest_name(name, names);
  return terminal::tell_error({fmt::format("setup does not know {}", table::quoted(name)) +
                                   (nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest)),
                               fmt::format("known names: {}", fmt::join(names, ", "))},
                              2);
}

// The target has no configuration for this option.
int without_form(const setup::SetupTarget& target, std::string_view option,
                 bool (*has)(const setup::SetupTarget&)) {
  std::vector<std::string_view> names;
  for (const setup::SetupTarget& other : setup::setup_targets()) {
    if (has(other)) names.push_back(other.name);
  }
  return terminal::tell_error({fmt::format("{} has no configuration for {}", target.name, option),
                               fmt::format("these have: {}", fmt::join(names, ", "))},
                              2);
}

// New files in full; of a user's existing file what is set in it.
std::string plan_text(const setup::SetupPlan& plan) {
  std::string text;
  for (const setup::PlannedFile& file : plan.files) {
    const bool is_part = file.before.exists && !file.lines.empty();
    text += fmt::format("==> {} <=={}\n", table::terminal_text(name_of(file.before)),
                        !file.changes() ? " unchanged"
                        : is_part       ? " sets this in it:"
                                        : "");
    if (file.changes()) text += is_part ? file.lines : file.after;
    if (!text.ends_with('\n')) text += '\n';
  }
  return text;
}

// Prints why a file is not written, and the lines to be added to it by hand.
int refuse(const setup::SetupRefusal& refusal, bool write) {
  terminal::tell(refusal.error.text());
  if (write) terminal::tell(refusal.file.path.string() + " was not written");
  if (!refusal.lines.empty()) terminal::tell("to be added to " + refusal.file.path.string() + " by hand:");
  return terminal::print(refusal.lines) && refusal.by_hand && !write ? 0 : 1;
}

// Asks at the terminal. True only for yes.
bool confirmed_at_terminal(const std::vector<std::string>& files) {
  std::fprintf(stderr, "Change %s and keep a backup? [y/N] ",
               table::terminal_text(fmt::format("{}", fmt::join(files, ", "))).c_str());
  std::fflush(stderr);
  std::string answer;
  for (int c = std::getchar(); c != EOF && c != '\n'; c = std::getchar()) {
    if (answer.size() < 8) answer += static_cast<char>(c);
  }
  return answer == "y" || answer == "Y" || answer == "yes";
}

// Whether existing files may be changed: there are none, or the command line or the user at the terminal
// allows it.
bool has_consent(const setup::SetupPlan& plan, bool yes) {
  std::vector<std::string> changed;
  for (const setup::PlannedFile& file : plan.files) {
    if (file.before.exists && file.changes()) changed.push_back(name_of(file.before));
  }
  if (changed.empty() || yes) return true;
  // Ask only if the changes can be seen.
  if (::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1) {
    terminal::print(plan_text(plan));
    if (confirmed_at_terminal(changed)) return true;
    terminal::tell("nothing was written");
    return false;
  }
  terminal::tell(
      fmt::format("{} already exist{}, so nothing was written; --yes allows the change, which is "
                  "shown without --write",
                  fmt::join(changed, ", "), changed.size() == 1 ? "s" : ""));
  return false;
}

// SetupTarget::next, with the path of the folder.
std::string next_step(const setup::SetupTarget& target, const setup::SetupPaths& paths) {
  std::string text(target.next);
  constexpr std::string_view place = "FOLDER";
  if (const std::size_t at = text.find(place); at != text.npos)
    text.replace(at, place.size(), setup::shell_word(paths.own_folder.string()));
  return table::terminal_text(text);
}

// False, with a message: a file could not be written.
bool write_plan(const setup::SetupTarget& target, const setup::SetupPaths& paths,
                const setup::SetupPlan& plan) {
  bool any = false;
  for (const setup::PlannedFile& file : plan.files) {
    const std::string path = table::terminal_text(name_of(file.before));
    if (!file.changes()) {
      terminal::print("unchanged: " + path + "\n");
      continue;
    }
    const Result<fs::path> backup = setup::replace_file(file.before, file.after);
    if (!backup) {
      terminal::tell(backup.error().text());
      return false;
    }
    any = true;
    terminal::print("written: " + path + "\n");
    if (!backup->empty()) terminal::print("  backup: " + table::terminal_text(backup->string()) + "\n");
  }
  if (any && !plan.refusal && !target.next.empty())
    terminal::print(fmt::format("next: {}\n", next_step(target, paths)));
  return true;
}

// Prints the harness's own command that adds our tools; with `write` this process becomes that command.
int add_through(const fs::path& harness, std::string_view add_command, const fs::path& program, bool write) {
  std::vector<std::string> words;
  for (const std::string_view word : split(add_command, ' ')) words.emplace_back(word);
  words.push_back(program.string());
  words.emplace_back("mcp");
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + setup::shell_word(word);
  if (!terminal::print(table::terminal_text(line) + "\n")) return 1;
  if (!write) return 0;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(harness.c_str(), arguments.data());
  return terminal::tell_error(files::system_error("start", harness.string(), errno), 1);
}

// The absolute path of `--to`.
Result<fs::path> chosen_path(const setup::SetupTarget& target, const std::string& text) {
  if (text.empty()) return {boost::system::in_place_value, fs::path()};
  std::error_code failure;
  fs::path path = fs::absolute(text, failure);
  if (failure)
    return Error{fmt::format("cannot make {} an absolute path: {}", text, failure.message()),
                 "give an absolute path"};
  path = path.lexically_normal();
  const bool has_slash = !path.has_filename();
  if (has_slash && path.has_relative_path()) path = path.parent_path();
  const setup::SetupPiece* const configuration = target.configuration();
  if (configuration != nullptr && (has_slash || fs::is_directory(path, failure))) {
    const fs::path usual = configuration->places.back().path;
    return Error{fmt::format("--to must be a file for {}, and {} is a folder", target.name, text),
                 fmt::format("give a file in it, such as {}", (path / usual.filename()).string())};
  }
  return {boost::system::in_place_value, std::move(path)};
}

}  // namespace

int run(const settings::SetupArguments& arguments) {
  const files::UserFolders folders = files::UserFolders::from_environment();
  if (arguments.name.empty()) return terminal::print(setup::setup_list(folders)) ? 0 : 1;
  const setup::SetupTarget* const target = setup::setup_target(arguments.name, arguments.mcp);
  if (target == nullptr) {
    if (const setup::SetupTarget* const other = setup::setup_target(arguments.name)) {
      return without_form(*other, "--mcp", [](const setup::SetupTarget& any) { return any.is_mcp; });
    }
    return unknown_name(arguments.name);
  }
  if (target->pieces.empty()) {
    const bool printed = terminal::print(fmt::format("{}\n", target->next));
    if (arguments.write) terminal::tell(fmt::format("there is nothing to write for {}", target->name));
    return printed && !arguments.write ? 0 : 1;
  }

  if (arguments.table && !target->has_table) {
    return without_form(*target, "--table", [](const setup::SetupTarget& any) { return any.has_table; });
  }

  const Result<fs::path> to = chosen_path(*target, arguments.to);
  if (!to) return terminal::tell_error(to.error(), 1);
  const Result<setup::SetupPaths> paths = setup::setup_paths(*target, folders, *to);
  if (!paths) return terminal::tell_error(paths.error(), 1);
  const Result<servers::ServerRegistry> registry = servers::ServerRegistry::load();
  if (!registry) return terminal::tell_error(registry.error(), 1);
  // A server inside the project of the current folder is not permanent.
  const fs::path root = folders.working.empty()
                            ? fs::path()
                            : files::find_project_root(folders.working / "file", {}, files::home_folder());
  const servers::LookupOptions options = servers::LookupOptions::from_environment(root, false);
  const Result<setup::OwnProgram> program = setup::own_program(options);
  if (!program) return terminal::tell_error(program.error(), 1);
  if (!target->add_command.empty() && arguments.to.empty()) {
    const std::string_view harness = target->add_command.substr(0, target->add_command.find(' '));
    const auto found =
        servers::find_programs(harness, options.path, servers::ProjectBoundary(root, false)).found;
    if (!found.empty())
      return add_through(found.front(), target->add_command, program->path, arguments.write);
  }
  // A file size limit must be an error like others, not the end of the process.
  ::signal(SIGXFSZ, SIG_IGN);
  setup::LocalCommands commands(program->path.string(), paths->own_folder.string(), *registry, options,
                                target->other_servers);

  const setup::SetupPlan plan = setup::plan_setup(*target, *paths, commands, arguments.table);
  if (!program->is_on_path) {
    terminal::tell(
        fmt::format("note: the configuration has the path {}, because no symbols on the PATH is this "
                    "program; if you move it, run setup again",
                    program->path.string()));
  }
  for (const std::string& refused : options.refused_installs) terminal::tell("note: " + refused);
  for (const std::string& note : commands.notes()) terminal::tell("note: " + note);
  const bool done = arguments.write ? has_consent(plan, arguments.yes) && write_plan(*target, *paths, plan)
                                    : terminal::print(plan_text(plan));
  if (!done) return 1;
  return plan.refusal ? refuse(*plan.refusal, arguments.write) : 0;
}

}  // namespace symbols::commands
