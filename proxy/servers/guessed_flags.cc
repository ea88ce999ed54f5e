#include "proxy/servers/guessed_flags.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "proxy/files/project_root.h"

namespace symbols::servers {
namespace {

using Dialect = ProjectHeaders::Dialect;

// Of a file that is no `.h`.
Dialect dialect_by(std::string_view extension) {
  constexpr std::array<std::string_view, 4> others{".m", ".M", ".mm", ".i"};
  if (extension == ".c") return Dialect::c;
  return std::ranges::count(others, extension) > 0 ? Dialect::unknown : Dialect::cpp;
}

}  // namespace

std::vector<std::string> GuessedFlags::flags_for(const std::filesystem::path& file) {
  if (root_.empty() || !files::contains(root_, file)) return {};
  const std::string relative = file.lexically_relative(root_).string();
  const std::optional<std::vector<IncludeFolder>> folders = headers_.folders_for(relative);
  if (!folders) return {};
  const bool is_header = file.extension() == ".h";
  const Dialect dialect =
      is_header ? headers_.dialect_of_header(relative) : dialect_by(file.extension().string());
  const auto [known, is_new] = settings_.try_emplace(file.parent_path());
  if (is_new) known->second = build_settings_for(root_, file);
  const BuildSettings& settings = known->second;

  std::vector<std::string> flags;
  const std::string& standard = dialect == Dialect::c ? settings.c_standard : settings.cpp_standard;
  if (dialect != Dialect::unknown && !standard.empty()) flags.push_back("-std=" + standard);
  for (const std::string& definition : settings.definitions) flags.push_back("-D" + definition);
  for (const IncludeFolder& folder : *folders) {
    const std::filesystem::path path = folder.path.empty() ? root_ : root_ / folder.path;
    flags.push_back((folder.is_angled ? "-I" : "-iquote") + path.string());
  }
  // clangd itself takes a `.h` for Objective-C++, which most of C++ is too.
  if (is_header && (dialect == Dialect::c || !flags.empty())) {
    flags.insert(flags.begin(), dialect == Dialect::c     ? "-xc-header"
                                : dialect == Dialect::cpp ? "-xc++-header"
                                                          : "-xobjective-c++-header");
  }
  return flags;
}

void GuessedFlags::set_text(const std::filesystem::path& file, std::string_view text) {
  headers_.set_text(file.lexically_relative(root_).string(), text);
}

void GuessedFlags::changed(const std::filesystem::path& file) {
  headers_.forget(file.lexically_relative(root_).string());
  settings_.clear();
}

}  // namespace symbols::servers
