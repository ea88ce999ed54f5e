#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "base/filesystem.h"
#include "base/text.h"
#include "proxy/cli/command_line.h"
#include "proxy/files/project_root.h"
#include "proxy/files/regular_file.h"
#include "proxy/servers/program_search.h"
#include "proxy/setup/setup_plan.h"
#include "proxy/setup/setup_targets.h"
#include "table/escape.h"

namespace symbols::cli {
namespace {

// "PATH", or "PATH -> TARGET" where the file or a folder above it is a link, as a project may have it.
std::string name_of(const setup::FileState& file) {
  std::error_code failure;
  const fs::path target = fs::weakly_canonical(file.path, failure);
  return file.path.string() + (failure || target == file.path ? "" : " -> " + target.string());
}

// A path as people write it.
std::string shown(const fs::path& path, const files::UserFolders& folders) {
  std::string text = path.string();
  const std::string home = folders.home.string() + "/";
  if (home.size() > 1 && text.starts_with(home)) text = "~/" + text.substr(home.size());
  return table::terminal_text(text);
}

// The editors and harnesses, the file or folder that setup writes for each, and whether that exists.
std::string setup_list(const files::UserFolders& folders) {
  std::vector<std::vector<std::string>> rows{{"NAME", "FILE OR FOLDER", "EXISTS"}};
  for (const setup::SetupTarget& target : setup::setup_targets()) {
    const Result<setup::SetupPaths> paths = setup::setup_paths(target, folders, {});
    if (target.pieces.empty() || !paths) {
      rows.push_back({setup::setup_words(target), "-", paths ? "nothing to write" : paths.error().message});
      continue;
    }
    rows.push_back({setup::setup_words(target), shown(paths->place(), folders),
                    files::is_there(paths->place()) ? "yes" : "no"});
  }
  return terminal::columns(rows);
}

// Says why the target's name or option is wrong, and of which targets `has` is true.
template <class Has>
int refuse_name(std::string why, std::string_view these, Has has) {
  std::vector<std::string> names;
  for (const setup::SetupTarget& target : setup::setup_targets()) {
    if (has(target) && std::ranges::count(names, target.name) == 0) names.emplace_back(target.name);
  }
  return terminal::tell_error({std::move(why), fmt::format("{}: {}", these, fmt::join(names, ", "))}, 2);
}

int unknown_name(const std::string& name) {
  std::vector<std::string> names;
  for (const setup::SetupTarget& target : setup::setup_targets()) names.emplace_back(target.name);
  return refuse_name(
      fmt::format("setup does not know {}{}", table::quoted(name), options::did_you_mean(name, names)),
      "known names", [](const setup::SetupTarget&) { return true; });
}

// The target has no configuration for this option.
int without_form(const setup::SetupTarget& target, std::string_view option, bool setup::SetupTarget::*has) {
  return refuse_name(fmt::format("{} has no configuration for {}", target.name, option), "these have",
                     std::mem_fn(has));
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

// Whether existing files may be changed: there are none, or a flag or the user at the terminal allows it.
bool has_consent(const setup::SetupPlan& plan, bool yes) {
  std::vector<std::string> changed;
  for (const setup::PlannedFile& file : plan.files) {
    if (file.before.exists && file.changes()) changed.push_back(name_of(file.before));
  }
  if (changed.empty() || yes) return true;
  const std::string files = fmt::format("{}", fmt::join(changed, ", "));
  // Ask only if the changes can be seen.
  if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDOUT_FILENO) != 1 || ::isatty(STDERR_FILENO) != 1) {
    terminal::tell(
        fmt::format("{} already exist{}, so nothing was written; --yes allows the change, which is "
                    "shown without --write",
                    files, changed.size() == 1 ? "s" : ""));
    return false;
  }
  terminal::print(plan_text(plan));
  std::fputs(("Change " + table::terminal_text(files) + " and keep a backup? [y/N] ").c_str(), stderr);
  char line[8];
  const std::string_view answer = trim(std::fgets(line, sizeof line, stdin) == nullptr ? "" : line, "\n");
  if (answer == "y" || answer == "Y" || answer == "yes") return true;
  terminal::tell("nothing was written");
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
  std::vector<std::string> shown;
  std::ranges::transform(words, std::back_inserter(shown), setup::shell_word);
  if (!terminal::print(table::terminal_text(fmt::format("{}", fmt::join(shown, " "))) + "\n")) return 1;
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
  fs::path path = fs::absolute(text, failure).lexically_normal();
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

Result<void> check_options(const Given& given) {
  if (given.has("--yes") && !given.has("--write")) return Error{"--yes needs --write", ""};
  if (given.argument(0).empty() && !given.flags.empty())
    return Error{"setup needs a name with these options", "'symbols setup' lists the names"};
  if (given.has("--table") && given.has("--mcp")) return Error{"--table and --mcp exclude each other", ""};
  if (given.has("--to") && given.text("--to").empty()) return Error{"--to is empty", "give a path"};
  return {};
}

}  // namespace

Result<int> run_setup(const Given& given) {
  if (const Result<void> fit = check_options(given); !fit) return fit.error();
  const std::string name = given.argument(0);
  const bool write = given.has("--write");
  const files::UserFolders folders = files::UserFolders::from_environment();
  if (name.empty()) return terminal::print(setup_list(folders)) ? 0 : 1;
  const setup::SetupTarget* const target = setup::setup_target(name, given.has("--mcp"));
  if (target == nullptr) {
    const setup::SetupTarget* const other = setup::setup_target(name);
    return other == nullptr ? unknown_name(name) : without_form(*other, "--mcp", &setup::SetupTarget::is_mcp);
  }
  if (target->pieces.empty()) {
    const bool printed = terminal::print(fmt::format("{}\n", target->next));
    if (write) terminal::tell(fmt::format("there is nothing to write for {}", target->name));
    return printed && !write ? 0 : 1;
  }

  if (given.has("--table") && !target->has_table)
    return without_form(*target, "--table", &setup::SetupTarget::has_table);

  const Result<fs::path> to = chosen_path(*target, given.text("--to"));
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
  if (!target->add_command.empty() && given.text("--to").empty()) {
    const std::string_view harness = target->add_command.substr(0, target->add_command.find(' '));
    const auto found =
        servers::find_programs(harness, options.path, servers::ProjectBoundary(root, false)).found;
    if (!found.empty()) return add_through(found.front(), target->add_command, program->path, write);
  }
  // A file size limit must be an error like others, not the end of the process.
  ::signal(SIGXFSZ, SIG_IGN);
  setup::LocalCommands commands{program->path.string(), paths->own_folder.string(), *registry, options,
                                target->other_servers};

  const setup::SetupPlan plan = setup::plan_setup(*target, *paths, commands, given.has("--table"));
  if (!program->is_on_path) {
    terminal::tell(
        fmt::format("note: the configuration has the path {}, because no symbols on the PATH is this "
                    "program; if you move it, run setup again",
                    program->path.string()));
  }
  for (const std::string& refused : options.refused_installs) terminal::tell("note: " + refused);
  for (const std::string& note : commands.notes) terminal::tell("note: " + note);
  const bool done = write ? has_consent(plan, given.has("--yes")) && write_plan(*target, *paths, plan)
                          : terminal::print(plan_text(plan));
  if (!done) return 1;
  return plan.refusal ? refuse(*plan.refusal, write) : 0;
}

}  // namespace symbols::cli
