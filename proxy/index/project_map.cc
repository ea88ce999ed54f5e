#include "proxy/index/project_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "base/text.h"
#include "table/budget.h"
#include "table/escape.h"

namespace symbols::index {
namespace {

constexpr table::CellEscape map_escape("");
constexpr table::CellEscape map_quoted_escape("\"");

// A path, in quotes if it could be read as something else.
std::string path_text(std::string_view path) {
  std::string text;
  if (path.find_first_of(" :\"") == path.npos && path != "also") {
    map_escape.append(text, path);
  } else {
    text += '"';
    map_quoted_escape.append(text, path);
    text += '"';
  }
  return text;
}

std::string_view folder_of(std::string_view path) {
  return path.substr(0, path.rfind('/') + 1);  // npos + 1 is 0
}

struct Folder {
  std::string_view path;
  std::string heading{};
  std::vector<std::size_t> files{};  // not of the folders in it
  std::string_view extension{};      // of most of its files; these are shown without it
};

std::string_view extension_of(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::size_t dot = name.ends_with(".d.ts") ? name.size() - 5 : name.rfind('.');
  return dot == name.npos || dot == 0 ? std::string_view() : name.substr(dot);
}

class ProjectMap {
 public:
  ProjectMap(const std::vector<MapItem>& files, std::string_view folder, table::TokenLimit most,
             const FolderName& called)
      : files_(files), most_(most) {
    std::map<std::string_view, std::size_t> places;
    places.emplace(folder, 0);
    for (const MapItem& file : files_) places.emplace(folder_of(file.name), 0);
    for (auto& [path, place] : places) {
      place = folders_.size();
      folders_.push_back({.path = path, .heading = path_text(called(path))});
    }
    for (std::size_t file = 0; file < files_.size(); ++file)
      folders_[places.at(folder_of(files_[file].name))].files.push_back(file);
    for (Folder& one : folders_) find_extension(one);
    for (const MapItem& file : files_) {
      names_ += file.members.size();
      for (const MapItem& name : file.members) members_ += name.members.size();
    }
  }

  std::string text() const {
    const auto fits = [&](std::size_t count) {
      return table::estimate_tokens(written(count), most_.tokenizer) <= most_.tokens;
    };
    // Each takes a token at least.
    const std::size_t most = std::min(files_.size() + names_ + members_, most_.tokens + 1);
    return written(fits(most) ? most : table::most_that_fits(most, fits));
  }

 private:
  void find_extension(Folder& folder) const {
    constexpr std::size_t few = 4;  // of which the extension is not worth a mark in the heading
    std::map<std::string_view, std::size_t> counts;
    for (const std::size_t file : folder.files) ++counts[extension_of(files_[file].name)];
    for (const auto& [extension, count] : counts) {
      if (!extension.empty() && count >= few && count * 2 > folder.files.size()) folder.extension = extension;
    }
    if (counts.contains({})) folder.extension = {};  // a file without one would look like the others
  }

  static std::string file_name(const MapItem& file, const Folder& folder) {
    std::string_view name = file.name.substr(folder.path.size());
    if (!folder.extension.empty() && extension_of(name) == folder.extension) {
      const std::string_view stem = name.substr(0, name.size() - folder.extension.size());
      if (stem.find('.') == stem.npos) name = stem;
    }
    return path_text(name);
  }

  // Only what has an order below `count`.
  std::string written(std::size_t count) const {
    std::vector<std::size_t> left_out(folders_.size());  // names, also of the folders below that have no line
    std::vector<std::size_t> lines;                      // the folders that are shown
    for (std::size_t place = 0; place < folders_.size(); ++place) {
      const Folder& folder = folders_[place];
      const bool is_shown = place == 0 || std::ranges::any_of(folder.files, [&](std::size_t file) {
                              return files_[file].order < count;
                            });
      if (is_shown) lines.push_back(place);
      // Those that were shown before it in the order of paths are the candidates for being above it.
      std::size_t above = lines.size() - 1;
      while (above > 0 && !folder.path.starts_with(folders_[lines[above]].path)) --above;
      for (const std::size_t file : folder.files)
        left_out[lines[above]] += files_[file].members.size() - shown_of(files_[file].members, count);
    }
    std::string text;
    for (const std::size_t place : lines) {
      const Folder& folder = folders_[place];
      if (folder.files.empty() && left_out[place] == 0 && lines.size() > 1) continue;
      text += folder.heading;
      if (!folder.extension.empty()) fmt::format_to(std::back_inserter(text), "*{}", folder.extension);
      if (left_out[place] > 0) text += " +" + counted(left_out[place], "name");
      text += '\n';
      append_files(text, folder, count);
    }
    append_notice(text, count);
    return text;
  }

  static std::size_t shown_of(const std::vector<MapItem>& names, std::size_t count) {
    const auto end =
        std::ranges::find_if(names, [count](const MapItem& name) { return name.order >= count; });
    return static_cast<std::size_t>(end - names.begin());
  }

  void append_files(std::string& text, const Folder& folder, std::size_t count) const {
    std::string also;
    for (const std::size_t place : folder.files) {
      const MapItem& file = files_[place];
      if (file.order >= count) continue;
      if (shown_of(file.members, count) == 0) {
        also += ' ' + file_name(file, folder);
        continue;
      }
      text += ' ' + file_name(file, folder) + ':';
      append_names(text, file.members, count);
      text += '\n';
    }
    if (!also.empty()) text += " also:" + also + '\n';
  }

  static void append_names(std::string& text, const std::vector<MapItem>& names, std::size_t count) {
    for (const MapItem& name : std::span(names).first(shown_of(names, count))) {
      text += ' ';
      map_escape.append(text, name.name);
      const std::size_t members = shown_of(name.members, count);
      if (members == 0) continue;
      std::string list;
      append_names(list, name.members, count);
      fmt::format_to(std::back_inserter(text), "{{{}{}}}", list.substr(1),
                     members < name.members.size() ? " +" : "");
    }
  }

  void append_notice(std::string& text, std::size_t count) const {
    std::size_t files = 0;
    std::size_t names = 0;
    std::size_t members = 0;
    for (const MapItem& file : files_) {
      files += file.order < count ? 1 : 0;
      names += shown_of(file.members, count);
      for (const MapItem& name : file.members) members += shown_of(name.members, count);
    }
    std::string notice;
    const auto add = [&notice](std::size_t some, std::size_t of, std::string_view what) {
      if (some < of) notice += fmt::format("{}{} of {} {}", notice.empty() ? "" : ", ", some, of, what);
    };
    add(files, files_.size(), "files");
    add(names, names_, "names");
    add(members, members_, "members");
    if (notice.empty()) return;
    table::append_notice(text, notice + "; more: --max-tokens N, or one folder");
    text += '\n';
  }

  const std::vector<MapItem>& files_;
  table::TokenLimit most_;
  std::vector<Folder> folders_;
  std::size_t names_ = 0;
  std::size_t members_ = 0;
};

}  // namespace

std::string project_map(const std::vector<MapItem>& files, std::string_view folder, table::TokenLimit most,
                        const FolderName& called) {
  return ProjectMap(files, folder, most, called).text();
}

}  // namespace symbols::index
