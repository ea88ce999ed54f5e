// The files that mention a symbol's name: where references to it can be. Servers that load no more than they
// have to are shown these, and a list of references is whole only if nothing is left to look at.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace symbols::servers {

struct Mentions {
  // Absolute, without symbolic links. A server that looks only in the projects of open files needs these
  // open.
  std::vector<std::string> to_open{};
  // Those that the server may not understand even so. If a list of references names each, it lacks none.
  std::vector<std::string> others{};
  // False: there are more than could be read, or a reference need not have the name: `import {f as g}`.
  bool are_all = true;
};

struct MentionLimits {
  std::size_t files = 50'000;                 // of the project
  std::size_t entries = 200'000;              // of its folders, looked at
  std::size_t bytes = std::size_t{64} << 20;  // read
  std::size_t packages = 500;                 // that depend on one
  std::size_t opened = 24;
};

// For TypeScript's servers. `file`: an absolute_source_path, of which the symbol is; `name`: its identifier;
// `workspace`: the folder that is searched, with all packages of a workspace. Of other packages than that of
// `file` only files count that may use it: they mention its name or folder, or are in one that depends on it.
// Links are not followed. Opened are first a file of each project (a tsconfig.json's, and a folder below it),
// then others, the nearest first.
Mentions typescript_mentions(const std::filesystem::path& file, std::string_view name,
                             const std::filesystem::path& workspace, const MentionLimits& limits = {});

// For clangd with an index of what `database`, a compile_commands.json, names. `others` are sources that it
// does not name, and headers that none of its sources includes; without `file`, which is open. Headers are
// told apart by their names alone.
Mentions cpp_mentions(const std::filesystem::path& file, std::string_view name,
                      const std::filesystem::path& root, const std::filesystem::path& database,
                      const MentionLimits& limits = {});

// For pyright, where `root` has a configuration of it, which may leave files out. Opened are the first files.
Mentions python_mentions(const std::filesystem::path& root, std::string_view name,
                         const MentionLimits& limits = {});
// Whether there is such a configuration.
bool has_pyright_configuration(const std::filesystem::path& root);

// LSP's language id of a file to be opened, by its extension.
std::string language_of(const std::filesystem::path& file);

// For gopls, which loads all packages of the module or workspace at `root`, for one system and without build
// tags: `others` are the files that it may leave out.
Mentions go_mentions(const std::filesystem::path& root, std::string_view name,
                     const MentionLimits& limits = {});

}  // namespace symbols::servers
