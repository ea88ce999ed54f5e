#include "proxy/index/project_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

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

// What is shown of a file.
struct Shown {
  bool file = false;
  std::size_t exported = 0;
  std::size_t others = 0;
  std::vector<std::size_t> members{};  // of each exported name
  std::size_t signatures = 0;          // of so many exported names, those without one too
  std::vector<std::size_t> member_signatures{};
};

struct Counts {
  std::size_t files = 0;
  std::size_t exported = 0;
  std::size_t members = 0;
  std::size_t others = 0;
};

// Something that may be shown; the one with the higher rank is shown first.
struct Item {
  double rank = 0;
  std::size_t file = 0;
  std::size_t name = 0;  // whose member it is
  bool is_member = false;
};

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
  ProjectMap(const std::vector<MapFile>& files, std::string_view folder, table::TokenLimit most,
             const FolderName& called, const ReadSignatures& read_signatures)
      : files_(files), most_(most), read_signatures_(read_signatures), shown_(files.size()) {
    std::map<std::string_view, std::size_t> places;
    places.emplace(folder, 0);
    for (const MapFile& file : files_) places.emplace(folder_of(file.path), 0);
    for (auto& [path, place] : places) {
      place = folders_.size();
      folders_.push_back({.path = path, .heading = path_text(called(path))});
    }
    for (std::size_t file = 0; file < files_.size(); ++file)
      folders_[places.at(folder_of(files_[file].path))].files.push_back(file);
    for (Folder& one : folders_) find_extension(one);
    all_.files = files_.size();
    for (const MapFile& file : files_) {
      all_.exported += file.exported.size();
      all_.others += file.others.size();
      for (const MapName& name : file.exported) all_.members += name.members.size();
    }
  }

  std::string text() {
    // Of what is in one list, as much is shown as fits; of the next, only where all of it did.
    const std::vector<Item> files = file_items();
    // Where the files would leave no room for names, these get half.
    const std::size_t first_files = show(files, 0, most_.tokens / 2, &ProjectMap::show_file);
    bool all = show_all(exported_items(true, 0), &ProjectMap::show_name) &&
               show(files, first_files, most_.tokens, &ProjectMap::show_file) == files.size() &&
               show_all(exported_items(false, 1), &ProjectMap::show_member);
    if (all) {
      find_signatures();
      signatures_missing_ = true;
      all = show_all(exported_items(true, 2), &ProjectMap::show_signature);
      signatures_missing_ = !all;
    }
    if (all) show_all(other_items(), &ProjectMap::show_other);
    return written();
  }

 private:
  using ShowItem = void (ProjectMap::*)(const Item&);

  // Shows the items from `first` on as far as the text has at most `tokens` then. Returns the first that is
  // not shown.
  std::size_t show(const std::vector<Item>& items, std::size_t first, std::size_t tokens,
                   ShowItem show_item) {
    const std::vector<Shown> before = shown_;
    const auto show_up_to = [&](std::size_t end) {
      shown_ = before;
      for (std::size_t item = first; item < end; ++item) (this->*show_item)(items[item]);
    };
    const auto fits = [&](std::size_t count) {
      show_up_to(first + count);
      return table::estimate_tokens(written(), most_.tokenizer) <= tokens;
    };
    const std::size_t rest = items.size() - first;
    const std::size_t count = fits(rest) ? rest : table::most_that_fits(rest, fits);
    show_up_to(first + count);
    return first + count;
  }

  // As many as fit; whether those are all.
  bool show_all(const std::vector<Item>& items, ShowItem show_item) {
    return show(items, 0, most_.tokens, show_item) == items.size();
  }

  void show_file(const Item& item) { shown_[item.file].file = true; }
  void show_name(const Item& item) {
    shown_[item.file].file = true;
    ++shown_[item.file].exported;
  }
  void show_member(const Item& item) {
    Shown& shown = shown_[item.file];
    shown.members.resize(files_[item.file].exported.size());
    ++shown.members[item.name];
  }
  void show_signature(const Item& item) {
    Shown& shown = shown_[item.file];
    shown.member_signatures.resize(files_[item.file].exported.size());
    ++(item.is_member ? shown.member_signatures[item.name] : shown.signatures);
  }
  void show_other(const Item& item) { ++shown_[item.file].others; }

  // The first of them; of more than there are tokens not all can be shown.
  std::vector<Item> first_of(std::vector<Item> items) const {
    const auto before = [](const Item& one, const Item& other) {
      return std::tuple(-one.rank, one.file, one.name) < std::tuple(-other.rank, other.file, other.name);
    };
    const std::size_t most = std::min(items.size(), most_.tokens + 1);
    std::ranges::partial_sort(items, items.begin() + static_cast<std::ptrdiff_t>(most), before);
    items.resize(most);
    return items;
  }

  // Each folder's best file, then the others: a folder's share grows as the square root of its files.
  std::vector<Item> file_items() const {
    constexpr double before_all_others = 1e9;
    std::vector<Item> items;
    for (const Folder& folder : folders_) {
      std::vector<std::size_t> best = folder.files;
      std::ranges::stable_sort(
          best, [this](std::size_t one, std::size_t other) { return files_[one].rank > files_[other].rank; });
      double rank = std::sqrt(static_cast<double>(best.size()));
      for (std::size_t place = 0; place < best.size(); ++place)
        items.push_back(
            {.rank = place == 0 ? rank + before_all_others : rank / static_cast<double>(place + 1),
             .file = best[place]});
    }
    return first_of(std::move(items));
  }

  // The exported names, if wanted, and their members, the first of which counts as much as its file's name of
  // that number (0: none). Each in its order, at less of its rank: files with few names are not left behind.
  std::vector<Item> exported_items(bool names, std::size_t first_member) const {
    std::vector<Item> items;
    for (std::size_t file = 0; file < files_.size(); ++file) {
      for (std::size_t name = 0; name < files_[file].exported.size(); ++name) {
        const MapName& one = files_[file].exported[name];
        if (names) items.push_back({one.rank / static_cast<double>(name + 1), file, name, false});
        const std::size_t members = first_member == 0 ? 0 : one.members.size();
        for (std::size_t member = 0; member < members; ++member)
          items.push_back({one.rank / static_cast<double>(first_member + member), file, name, true});
      }
    }
    return first_of(std::move(items));
  }

  void find_signatures() {
    kept_signatures_ = read_signatures_();
    for (const MapFile& file : files_) {
      const auto kept = kept_signatures_.find(std::string(file.path));
      signatures_.push_back(kept == kept_signatures_.end() ? std::vector<std::string_view>()
                                                           : signatures_of(kept->second));
    }
  }

  // Of all files the definitions before what is not exported.
  std::vector<Item> other_items() const {
    std::vector<Item> items;
    for (std::size_t file = 0; file < files_.size(); ++file) {
      for (std::size_t place = 0; place < files_[file].others.size(); ++place) {
        const bool is_definition = place < files_[file].definitions;
        items.push_back({.rank = (is_definition ? 2 : 1) / static_cast<double>(place + 2), .file = file});
      }
    }
    return first_of(std::move(items));
  }

  void find_extension(Folder& folder) const {
    constexpr std::size_t few = 4;  // of which the extension is not worth a mark in the heading
    std::map<std::string_view, std::size_t> counts;
    for (const std::size_t file : folder.files) ++counts[extension_of(files_[file].path)];
    for (const auto& [extension, count] : counts) {
      if (!extension.empty() && count >= few && count * 2 > folder.files.size()) folder.extension = extension;
    }
    if (counts.contains({})) folder.extension = {};  // a file without one would look like the others
  }

  std::string file_name(std::size_t file, const Folder& folder) const {
    std::string_view name = files_[file].path.substr(folder.path.size());
    if (!folder.extension.empty() && extension_of(name) == folder.extension) {
      const std::string_view stem = name.substr(0, name.size() - folder.extension.size());
      if (stem.find('.') == stem.npos) name = stem;
    }
    return path_text(name);
  }

  // What is left out at a folder, and at those below it that have no line.
  struct LeftOut {
    std::size_t folders = 0;
    std::size_t files = 0;
    std::size_t names = 0;
  };

  std::string written() const {
    std::vector<LeftOut> left_out(folders_.size());
    std::vector<std::size_t> lines;  // the folders that are shown
    for (std::size_t place = 0; place < folders_.size(); ++place) {
      const Folder& folder = folders_[place];
      const bool is_shown = place == 0 || std::ranges::any_of(folder.files, [this](std::size_t file) {
                              return shown_[file].file;
                            });
      if (is_shown) lines.push_back(place);
      // Those that were shown before it in the order of paths are the candidates for being above it.
      std::size_t above = lines.size() - 1;
      while (above > 0 && !folder.path.starts_with(folders_[lines[above]].path)) --above;
      LeftOut& counts = left_out[lines[above]];
      counts.folders += is_shown ? 0 : 1;
      for (const std::size_t file : folder.files) {
        counts.files += shown_[file].file ? 0 : 1;
        counts.names += files_[file].exported.size() - shown_[file].exported;
      }
    }
    std::string text;
    for (const std::size_t place : lines) {
      const LeftOut& counts = left_out[place];
      if (folders_[place].files.empty() && counts.folders == 0 && lines.size() > 1) continue;
      append_folder(text, folders_[place], counts);
    }
    append_notice(text);
    return text;
  }

  void append_folder(std::string& text, const Folder& folder, const LeftOut& left_out) const {
    text += folder.heading;
    if (!folder.extension.empty()) fmt::format_to(std::back_inserter(text), "*{}", folder.extension);
    append_count(text, left_out.folders, "folder");
    append_count(text, left_out.files, "file");
    append_count(text, left_out.names, "name");
    text += '\n';
    std::string also;
    for (const std::size_t file : folder.files) {
      if (!shown_[file].file) continue;
      if (shown_[file].exported + shown_[file].others == 0) {
        also += ' ' + file_name(file, folder);
      } else {
        text += ' ' + file_name(file, folder) + ':';
        append_names(text, file);
        text += '\n';
      }
    }
    if (!also.empty()) text += " also:" + also + '\n';
  }

  static void append_count(std::string& text, std::size_t count, std::string_view what) {
    if (count > 0) fmt::format_to(std::back_inserter(text), " +{} {}{}", count, what, count == 1 ? "" : "s");
  }

  void append_names(std::string& text, std::size_t place) const {
    const MapFile& file = files_[place];
    const Shown& shown = shown_[place];
    const auto append = [&](std::string_view name, std::size_t of_name, bool with_signature) {
      map_escape.append(text, name);
      if (!with_signature || signatures_[place].size() <= of_name || signatures_[place][of_name].empty())
        return;
      map_escape.append(text, signatures_[place][of_name]);
      text += ';';
    };
    const auto of = [](const std::vector<std::size_t>& counts, std::size_t name) {
      return name < counts.size() ? counts[name] : 0;
    };
    for (std::size_t name = 0; name < shown.exported; ++name) {
      const MapName& one = file.exported[name];
      text += ' ';
      append(one.name, one.place, name < shown.signatures);
      const std::size_t members = of(shown.members, name);
      for (std::size_t member = 0; member < members; ++member) {
        text += member == 0 ? '{' : ' ';
        append(one.members[member].name, one.members[member].place,
               member < of(shown.member_signatures, name));
      }
      if (members > 0 && text.ends_with(';')) text.pop_back();
      if (members > 0) text += members < one.members.size() ? " +}" : "}";
    }
    if (text.ends_with(';')) text.pop_back();
    for (std::size_t name = 0; name < shown.others; ++name) {
      if (name == file.definitions) text += " -";
      text += ' ';
      map_escape.append(text, file.others[name].name);
    }
  }

  void append_notice(std::string& text) const {
    Counts shown;
    for (const Shown& of_file : shown_) {
      shown.files += of_file.file ? 1 : 0;
      shown.exported += of_file.exported;
      shown.others += of_file.others;
      for (const std::size_t members : of_file.members) shown.members += members;
    }
    std::string notice;
    const auto add = [&notice](std::size_t some, std::size_t of, std::string_view what) {
      if (some < of) notice += fmt::format("{}{} of {} {}", notice.empty() ? "" : ", ", some, of, what);
    };
    add(shown.files, all_.files, "files");
    add(shown.exported, all_.exported, "exported names");
    add(shown.members, all_.members, "members");
    add(shown.others, all_.others, "other names");
    if (signatures_missing_) notice += notice.empty() ? "some signatures" : ", some signatures";
    if (notice.empty()) return;
    table::append_notice(text, notice + "; more: --max-tokens N, or one folder");
    text += '\n';
  }

  const std::vector<MapFile>& files_;
  table::TokenLimit most_;
  std::vector<Folder> folders_;
  Counts all_;
  const ReadSignatures& read_signatures_;
  bool signatures_missing_ = false;  // of those that would be shown next
  std::map<std::string, std::string> kept_signatures_;
  std::vector<std::vector<std::string_view>> signatures_;  // of each file, of each of its names
  std::vector<Shown> shown_;
};

}  // namespace

std::string project_map(const std::vector<MapFile>& files, std::string_view folder, table::TokenLimit most,
                        const FolderName& called, const ReadSignatures& signatures) {
  return ProjectMap(files, folder, most, called, signatures).text();
}

}  // namespace symbols::index
