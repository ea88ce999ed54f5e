// The files that mention a symbol's name: where references to it can be. Servers that load no more than they
// have to are shown these, and a list of references counts as whole only where it names each of them.
//
// A file mentions a name if the identifier stands in it outside of lines of comments. Files that .gitignore
// leaves out, hidden ones and links are not looked at.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/filesystem.h"

namespace symbols::servers {

struct Mentions {
  // Absolute, without symbolic links. Servers that look only in open files' projects need these open.
  std::vector<std::string> to_open{};
  // Those that a list of the whole project names.
  std::vector<std::string> to_find{};
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

// In all of these `file` is the symbol's own, absolute, which is open; `name` its identifier.

// For TypeScript's servers. `root`: of the repository, with all packages of a workspace. Opened are files of
// the package of `file` and of those that depend on it: first one of each project (a tsconfig.json's, and a
// folder below it), then others, the nearest first. An import or export from another file is no mention.
Mentions typescript_mentions(const fs::path& file, std::string_view name, const fs::path& root,
                             const MentionLimits& limits = {});

// For clangd with an index of what `database`, a compile_commands.json, names. `to_find` are sources that it
// does not name, and headers that none of its sources includes, as far as names of headers tell.
Mentions cpp_mentions(const fs::path& file, std::string_view name, const fs::path& root,
                      const fs::path& database, const MentionLimits& limits = {});

// The sources that the index of `database` has by their own compilations alone: it names them, and no file of
// the project includes them, as far as names tell. With each a number that changes with what may choose its
// headers: its text up to the last #include, and other directives. None if not all files could be read.
using CompiledSources = std::map<std::string, std::size_t>;
CompiledSources compiled_sources(const fs::path& root, const fs::path& database,
                                 const MentionLimits& limits = {});

// Removes from the index that clangd keeps below `folder`, in `.cache/clangd/index`, what may be outdated:
// all of it where compile_commands.json in `folder` has other flags for a file than at the last call, and
// what may depend on sources that have come, gone or changed. clangd itself keeps what it knew of a file that
// is gone, reads one alone of the sources that use a changed header again, and answers before it has. To be
// called before clangd is started. Where not all files can be looked at (`limits`), changes are not noticed.
// The index is in use until the result is closed. Until then others write what may be outdated: the next that
// is alone removes it again.
Descriptor forget_outdated_index(const fs::path& folder, const fs::path& root,
                                 const MentionLimits& limits = {});

// For pyright, whose types and configuration may leave files out.
Mentions python_mentions(const fs::path& file, std::string_view name, const fs::path& root,
                         const MentionLimits& limits = {});

// For intelephense, which loads all files.
Mentions php_mentions(const fs::path& file, std::string_view name, const fs::path& root,
                      const MentionLimits& limits = {});

// For gopls, which loads all packages of the module or workspace at `root`, for one system and without build
// tags: `to_find` are the files that it may leave out.
Mentions go_mentions(const fs::path& file, std::string_view name, const fs::path& root,
                     const MentionLimits& limits = {});

// The files that may depend on `files`, which are absolute and may be gone, as to_find: those that name one
// of them, in an #include, an import or a quoted path, and those that name these, and so on, nearest first. A
// name is what the last part of a path has before its first dot; a Go package has that of its folder and
// depends on all of it. In languages of which nothing else is known, each word of a file may be a name, and
// the files of a folder depend on each other. `known`: of files that are sources. In dependents.cc.
Mentions dependents(const std::vector<std::string>& files, const fs::path& root,
                    const std::function<bool(const fs::path&)>& known, const MentionLimits& limits = {});

// LSP's language id of a file to be opened, by its extension.
std::string language_of(const fs::path& file);

}  // namespace symbols::servers
