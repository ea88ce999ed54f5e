// Finds programs on the PATH and in what we have installed, and nowhere else, and tells whether they may be
// run, and by what if they are scripts: the project is not trusted, so a program inside it is skipped,
// however the PATH or a symbolic link leads there.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace symbols::servers {

class ProjectBoundary {
 public:
  // `project_root`: if it is empty, nothing is inside. The account's own home folder and `/` are not projects
  // that someone else wrote: as roots they forbid nothing. `other_root`: likewise, another folder that is not
  // trusted.
  ProjectBoundary(const std::filesystem::path& project_root, bool trust_project,
                  const std::filesystem::path& other_root = {});

  // Whether running `path` (absolute) would run something in an untrusted project: because the path itself, a
  // folder or symbolic link on the way, or the file at its end is inside.
  bool forbids(const std::filesystem::path& path) const;

 private:
  bool contains(const std::filesystem::path& canonical) const;

  std::vector<std::filesystem::path> roots_;  // canonical; none: forbids nothing
};

// The programs found: absolute paths, in the PATH's order, symbolic links not followed.
struct ProgramSearch {
  std::vector<std::filesystem::path> found;
  std::vector<std::filesystem::path> forbidden;  // inside the untrusted project
};

// Whether `path` is a regular file, or a link to one, that we may execute.
bool is_program(const std::filesystem::path& path);

// Searches the folders of `path`, the value of PATH, for programs called `name`. Empty and relative entries
// are skipped: they refer to the current folder.
ProgramSearch find_programs(std::string_view name, std::string_view path, const ProjectBoundary& boundary);

// The same for each program whose name satisfies `wanted`.
ProgramSearch find_programs_if(const std::function<bool(std::string_view)>& wanted, std::string_view path,
                               const ProjectBoundary& boundary);

// `path` without the entries that are empty, relative or forbidden: the PATH for a server, which searches it
// for programs, too (`#!/usr/bin/env node`, python, go, cargo).
std::string allowed_path(std::string_view path, const ProjectBoundary& boundary);

// The program that the "#!" line at the start of `text` names, unchanged: "/usr/bin/python3" or, through env,
// "node". Empty if there is no such line.
std::string_view interpreter_in(std::string_view text);

// The same for the file `script`.
std::string interpreter_of(const std::filesystem::path& script);

// Directories with npm packages of servers that are ours: tried after the PATH.
struct OwnInstalls {
  std::vector<std::filesystem::path> folders;  // each has a node_modules
  std::vector<std::string> refused;            // sentences: which one is not used, and why
};

// Of these, in this order: `named` ($SYMBOLS_SERVERS_DIR), .local/lib/symbols/servers in `home`, and beside
// `program`, which is the running one, ../lib/symbols/servers (installed) and ../scripts/servers (built from
// source). Of paths that are not absolute there are none. One that the user has not named is refused if other
// users can write to it (files/writable_by_others.h), and that in `home` if it is in the project; the project
// may contain the others, as ours does. What is inside is not checked: only those who may write to it can
// have put it there.
OwnInstalls find_own_installs(const std::filesystem::path& named, const std::filesystem::path& home,
                              const std::filesystem::path& program, const ProjectBoundary& boundary);

}  // namespace symbols::servers
