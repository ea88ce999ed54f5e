// The compile flags of an untrusted project that clangd gets if the kernel cannot keep it from writing
// (confinement.h). clang has dozens of flags that name a file to write or a plugin to load, and new
// ones with every release, so this is a list of flags that are known to do neither; all others are left out.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace symbols::servers {

struct AllowedFlags {
  // Each is one word that begins with `-`, its value joined to it: no word can be taken for another flag's
  // value, and none begins with `@`, which would be a file of further flags.
  std::vector<std::string> flags;
  // The number of flags left out that may matter for the answer, so without those that only say what to write
  // (-c, -o, -MD, -g) or how to link.
  std::size_t left_out = 0;
};

// The flags in the text of a compile_flags.txt: one per line, as clangd reads it.
std::vector<std::string> flags_in_lines(std::string_view text);

// The allowed flags among `arguments`, a compiler's without its own name. File names are dropped.
AllowedFlags allowed_compile_flags(const std::vector<std::string>& arguments);

// The compiler's name for clangd, from the first words of a command: "g++-12" of "/usr/bin/ccache
// /opt/bin/g++-12 …", "clang" if no known name is found. Without a folder, because clang reads flags from a
// file beside its program.
std::string allowed_compiler(const std::vector<std::string>& command);

}  // namespace symbols::servers
