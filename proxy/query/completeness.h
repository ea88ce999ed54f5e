// Whether the references and callers of a symbol are all there are: what follows their count in a heading.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace symbols::query {

// Where a server looks for them, as far as is known.
struct SearchScope {
  bool open_files_only = false;  // clangd without an index
  // The folder that the server was given, absolute, where that may not be the whole project: nothing marks it
  // as the root, or a repository around it has more. Else empty.
  std::string part_of_project{};
};

// The progress of a server that is still loading.
struct Loading {
  std::optional<unsigned> percentage{};
  std::string text{};  // the server's; may be empty
};

inline constexpr std::string_view whole_project = "whole project";

// As short as it can be, escaped for a heading: "whole project", "index 82 %", "still loading: 3/7", "open
// files only", "in packages/core only", "loaded files only" where no more is known. `loading`: of a server
// that has not loaded all. Paths are from `folder`, absolute, if it is set.
std::string completeness(const SearchScope& scope, const std::optional<Loading>& loading,
                         const std::optional<std::string>& folder);

}  // namespace symbols::query
