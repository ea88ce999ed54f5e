#include "proxy/servers/guessed_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <tuple>

#include "base/text.h"
#include "lsp/json/json.h"
#include "proxy/files/folder_walk.h"
#include "proxy/files/project_root.h"
#include "proxy/files/regular_file.h"
#include "proxy/files/source_text.h"

namespace symbols::servers {
namespace {

using std::string_view;

string_view folder_of(string_view file) {
  const std::size_t slash = file.rfind('/');
  return slash == file.npos ? string_view() : file.substr(0, slash);
}

string_view last_component(string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string joined(string_view folder, string_view name) {
  return folder.empty() ? std::string(name) : std::string(folder) + '/' + std::string(name);
}

// Empty if it leads out of the root.
std::string normal(const std::string& path) {
  std::string text = fs::path(path).lexically_normal().string();
  return text.starts_with("..") || text.starts_with('/') ? std::string() : text;
}

// Whether <name> is the system's, though a file of the project may be called like it: a header of the C++
// library, of the C library, or of the compiler, which brings those that are listed.
bool is_system_header(string_view name) {
  constexpr string_view of_compiler =
      "stddef.h stdarg.h stdbool.h float.h iso646.h limits.h stdint.h stdalign.h stdnoreturn.h";
  constexpr std::array<string_view, 5> of_system{"sys/", "bits/", "asm/", "gnu/", "linux/"};
  const auto starts = [name](string_view folder) { return name.starts_with(folder); };
  if (std::ranges::any_of(of_system, starts)) return true;
  if (name.find('/') != name.npos) return false;
  return name.find('.') == name.npos || is_among(name, of_compiler) ||
         files::is_there(fs::path("/usr/include") / name);
}

// Grammars of yacc and lex are not compiled directly.
bool is_compiled(string_view path) {
  return files::language_of(path) == files::Language::c_source && !path.ends_with(".y") &&
         !path.ends_with(".l");
}

std::ptrdiff_t common_folders(string_view one, string_view other) {
  return std::count(one.begin(), std::ranges::mismatch(one, other).in1, '/');
}

}  // namespace

std::vector<std::string> GuessedFlags::flags_for(const fs::path& file) {
  if (root_.empty() || !files::contains(root_, file)) return {};
  const std::string relative = file.lexically_relative(root_).string();
  const std::optional<std::vector<IncludeFolder>> folders = folders_for(relative);
  if (!folders) return {};
  const Dialect dialect = dialect_of(relative);
  const auto [known, is_new] = settings_.try_emplace(file.parent_path());
  if (is_new) known->second = build_settings_for(root_, file);
  const BuildSettings& settings = known->second;

  std::vector<std::string> flags;
  const std::string& standard = dialect == Dialect::c ? settings.c_standard : settings.cpp_standard;
  if (dialect != Dialect::unknown && !standard.empty()) flags.push_back("-std=" + standard);
  for (const std::string& definition : settings.definitions) flags.push_back("-D" + definition);
  for (const IncludeFolder& folder : *folders) {
    const fs::path path = folder.path.empty() ? root_ : root_ / folder.path;
    flags.push_back((folder.is_angled ? "-I" : "-iquote") + path.string());
  }
  // clangd itself takes a `.h` for Objective-C++, which most of C++ is too.
  if (file.extension() == ".h" && (dialect == Dialect::c || !flags.empty())) {
    flags.insert(flags.begin(), dialect == Dialect::c     ? "-xc-header"
                                : dialect == Dialect::cpp ? "-xc++-header"
                                                          : "-xobjective-c++-header");
  }
  return flags;
}

const std::string& GuessedFlags::database() {
  if (!database_) database_ = guess_database();
  return *database_;
}

std::string GuessedFlags::guess_database() {
  if (root_.empty() || !walk()) return {};
  std::vector<string_view> sources;
  std::ranges::copy_if(paths_, std::back_inserter(sources), is_compiled);
  if (sources.empty() || sources.size() > limits_.max_sources) return {};
  std::ranges::sort(sources);
  std::string commands;
  std::size_t lookups = 0;
  for (const string_view source : sources) {
    if ((lookups += lookups_) > limits_.max_database_lookups) return {};
    const std::string path = (root_ / source).string();
    std::string words = R"("clang")";
    for (const std::string& flag : flags_for(path)) words += "," + lsp::json_string(flag);
    commands += fmt::format("{}{{\"directory\":{},\"file\":{},\"arguments\":[{},{}]}}",
                            commands.empty() ? "[" : ",\n", lsp::json_string(root_.string()),
                            lsp::json_string(path), words, lsp::json_string(path));
  }
  return commands + "]";
}

void GuessedFlags::set_text(const fs::path& file, string_view text) {
  names_[file.lexically_relative(root_).string()] = files::include_names(text);
  database_.reset();
}

void GuessedFlags::changed(const fs::path& file) {
  names_.erase(file.lexically_relative(root_).string());
  settings_.clear();
  database_.reset();
}

bool GuessedFlags::walk() {
  if (walked_) return *walked_;
  const std::string folder = root_.string();
  const Result<files::FoundFiles> found = files::find_source_files(
      folder, [](const fs::path&) { return true; },
      {.files = limits_.files, .depth = files::FolderLimits().depth, .entries = limits_.entries});
  walked_ = static_cast<bool>(found);
  if (!found) return false;
  for (const std::string& path : found->files) {
    std::string file = path.substr(folder.size() + 1);
    count_source(file);
    paths_.insert(file);
    std::vector<std::string>& same = by_name_[std::string(last_component(file))];
    same.push_back(std::move(file));
  }
  return true;
}

void GuessedFlags::count_source(const std::string& file) {
  const std::string extension = fs::path(file).extension().string();
  std::size_t Sources::*const kind = extension == ".c" ? &Sources::c
                                     : is_among(extension, ".cc .cpp .cxx .C .c++ .cu .hpp .hh")
                                         ? &Sources::cpp
                                     : is_among(extension, ".m .mm") ? &Sources::others
                                                                     : nullptr;
  if (kind == nullptr) return;
  for (string_view folder = file; !folder.empty();) {
    folder = folder_of(folder);
    ++(sources_[std::string(folder)].*kind);
  }
}

bool GuessedFlags::has(const std::string& file) {
  ++lookups_;
  return paths_.contains(file);
}

// Null: beyond the limit.
const std::vector<std::string>* GuessedFlags::names_in(const std::string& file) {
  const auto [known, is_new] = names_.try_emplace(file);
  if (!is_new) return &known->second;
  if (bytes_ > limits_.max_bytes) {
    names_.erase(known);
    return nullptr;
  }
  const Result<std::string> text = files::read_regular_file((root_ / file).string(), limits_.max_header);
  if (!text) return &known->second;
  bytes_ += text->size();
  return &(known->second = files::include_names(*text));
}

std::string GuessedFlags::resolve(string_view name, const std::string& includer,
                                  std::vector<IncludeFolder>& folders) {
  const bool is_angled = name.starts_with('<');
  name.remove_prefix(1);
  if (!is_angled) {
    std::string beside = normal(joined(folder_of(includer), name));
    if (has(beside)) return beside;
  }
  if (normal(std::string(name)) != name) return {};
  if (is_angled && is_system_header(name)) return {};
  const auto take = [&](IncludeFolder& folder) {
    folder.is_angled = folder.is_angled || is_angled;
    return joined(folder.path, name);
  };
  for (IncludeFolder& folder : folders) {
    if (has(joined(folder.path, name))) return take(folder);
  }
  const auto same = by_name_.find(std::string(last_component(name)));
  if (same == by_name_.end()) return {};
  lookups_ += same->second.size();
  const std::string end = '/' + std::string(name);
  const std::string* best = nullptr;
  const auto order = [&](const std::string& file) {
    const string_view folder = string_view(file).substr(0, file.size() - std::min(end.size(), file.size()));
    const string_view called = last_component(folder);
    return std::tuple(-common_folders(file, includer), called != "include" && called != "inc",
                      std::ranges::count(folder, '/'), folder.size(), file);
  };
  for (const std::string& file : same->second) {
    if (file != name && !file.ends_with(end)) continue;
    if (best == nullptr || order(file) < order(*best)) best = &file;
  }
  if (best == nullptr) return {};
  const std::size_t length = best->size() - std::min(end.size(), best->size());
  folders.push_back({best->substr(0, length)});
  return take(folders.back());
}

std::optional<std::vector<GuessedFlags::IncludeFolder>> GuessedFlags::folders_for(const std::string& file) {
  if (!walk()) return {};
  lookups_ = bytes_ = 0;
  std::vector<IncludeFolder> folders;
  std::vector<std::string> files{file};  // what is included nearest comes first
  std::set<std::string> seen{file};
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::vector<std::string>* const names = names_in(files[i]);
    if (names == nullptr) return {};
    const std::string includer = files[i];
    for (const std::string& name : *names) {
      std::string found = resolve(name, includer, folders);
      if (!found.empty() && seen.insert(found).second) files.push_back(std::move(found));
      if (folders.size() > limits_.max_folders || lookups_ > limits_.max_lookups) return {};
    }
    if (files.size() > limits_.max_read) return {};
  }
  return folders;
}

// A `.h` is in what most sources are in the nearest folder above it that has any below it; unknown where they
// are in Objective-C too, or there are none.
GuessedFlags::Dialect GuessedFlags::dialect_of(const std::string& file) const {
  const std::string extension = fs::path(file).extension().string();
  if (extension == ".c") return Dialect::c;
  if (extension != ".h") return is_among(extension, ".m .M .mm .i") ? Dialect::unknown : Dialect::cpp;
  for (string_view folder = file; !folder.empty();) {
    folder = folder_of(folder);
    const auto sources = sources_.find(std::string(folder));
    if (sources == sources_.end()) continue;
    const auto& [c, cpp, others] = sources->second;
    if (others > 0) return Dialect::unknown;
    return c > cpp ? Dialect::c : Dialect::cpp;
  }
  return Dialect::unknown;
}

}  // namespace symbols::servers
