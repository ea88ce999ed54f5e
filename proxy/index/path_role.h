// What a file is for, as far as its path says so.
#pragma once

#include <cstdint>
#include <string_view>

namespace symbols::index {

// Best first, for somebody who wants to know what a project has, or searches for a name.
enum class FileRole : std::uint8_t {
  source,
  support,  // tests, fixtures, examples, benchmarks, documents, templates, styles, data, and what is
            // generated or somebody else's
  // Usually made from another file, or restates it: `a.d.ts`, `a.cjs`, `a.min.js`, JavaScript in `build/`,
  // `dist/` or `out/`, Python in `build/lib/`, `a.pyi`.
  built,
};
FileRole file_role(std::string_view path);

}  // namespace symbols::index
