// What a file is for, as far as its path says so.
#pragma once

#include <string>
#include <string_view>

namespace symbols::index {

// Whether the file at `path` is usually made from another one of the project, or restates it: `a.d.ts`,
// `a.cjs`, `a.min.js`, JavaScript in `build/`, `dist/` or `out/`, Python in `build/lib/`, `a.pyi`.
bool is_built(std::string_view path);

// Whether somebody who wants to know what a project has reads it last: tests, fixtures, examples, benchmarks,
// documents, templates, styles, data, and what is built, generated or somebody else's.
bool is_secondary(std::string_view path);

// Equal for the files of which one may be made from another one, or restate it: `src/a.ts`, `src/a.js`,
// `dist/esm/a.js`, `a.d.cts`. Empty for other languages than JavaScript, TypeScript and Python.
std::string source_key(std::string_view path);

// Of files with one key the lowest is the source.
int distance_from_source(std::string_view path);

}  // namespace symbols::index
