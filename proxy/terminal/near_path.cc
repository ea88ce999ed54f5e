#include "proxy/terminal/near_path.h"

#include <system_error>

#include "proxy/files/project_root.h"

namespace symbols::terminal {

NearPaths::NearPaths(const std::filesystem::path& root) {
  std::error_code failure;
  std::filesystem::path here = std::filesystem::current_path(failure);
  if (!failure && (files::contains(root, here) || files::contains(here, root))) here_ = std::move(here);
}

std::string NearPaths::of(const std::filesystem::path& path) const {
  return (here_.empty() ? path : path.lexically_relative(here_)).string();
}

}  // namespace symbols::terminal
