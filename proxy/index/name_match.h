// What symbols are ranked by: how well a name fits a query, and what the file is for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace symbols::index {

// From best to worst. Letters of ASCII count as equal in either case, but an equal case is better.
enum class NameFit : std::uint8_t {
  exact_case,
  exact,
  prefix_case,
  prefix,
  word_start,  // found where a word of the name begins: `cache` in `HoverCache`, `hover_cache`
  one_letter,  // with a letter missing, added or changed: `HovrCache`
  inside,      // found elsewhere
  words,  // its characters one after the other, each the next one or at the start of a word: `hc`, `hovca`
  any_order,  // several words, each the start of one of the name: `cache hover`
  two_letters,
};

// How `name` fits `query`, in its own letters and as one word; none: not at all.
std::optional<NameFit> name_fit(std::string_view name, std::string_view query);

// Whether one of the words of `name` starts with `word`.
bool has_word_start(std::string_view name, std::string_view word);

// A name and what stands before it: `A::b`, `A.b`. Without such a mark the qualifier is empty.
struct QualifiedName {
  std::string_view qualifier;
  std::string_view name;
};
QualifiedName split_name(std::string_view text);

// The scope of a name, its parts separated by `::`: `ns::Table` for `(*Table).Open` or `Table<K>::Open` in
// `ns`, also where `.` or `/` separate them.
std::string scope_of(std::string_view container, std::string_view name);

// Whether the folders of `path` and its file, with or without the extension, have the parts of `scope` one
// after the other: `b::c` is in `a/b/c.d` and `a/b/c/e.d`.
bool has_parts(std::string_view path, std::string_view scope);

// Whether one scope is the other, or its end after `::`; ASCII case does not count. Empty is only itself.
bool may_be_one_scope(std::string_view one, std::string_view other);

// What a file is for, as far as its path says so. Best first, for a search by name or an outline.
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
