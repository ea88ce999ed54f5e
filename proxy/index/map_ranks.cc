// A name is worth the number of files that mention it and declare nothing that is called so, divided by the
// square root of the number of files that declare something called so, if only as a local variable.
// `QuerySet`, which 60 files mention and one declares, is worth 60; `name`, which 200 mention and 150
// declare, 16. So words of everyday text need no list, nor do names that are private to their file, which no
// other mentions. Cost: a look-up for each distinct word of each file. Test: project_map_test.cc.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "proxy/files/source_text.h"
#include "proxy/index/project_map.h"

namespace symbols::index {
namespace {

using files::Language;

// Parts of paths by which files differ that restate each other; single spaces separate them.
constexpr std::string_view folders_of_copies = "src lib dist build out esm cjs dts types";
// The longer ones first.
constexpr std::array script_ends{".d.ts", ".d.mts", ".d.cts", ".min.js", ".ts",  ".tsx", ".mts",
                                 ".cts",  ".js",    ".jsx",   ".mjs",    ".cjs", ".pyi", ".py"};

// Equal for the files of which one may be made from another one, or restate it: `src/a.ts`, `src/a.js`,
// `dist/esm/a.js`, `a.d.cts`. Empty for other languages than JavaScript, TypeScript and Python.
std::string source_key(std::string_view path) {
  const auto end =
      std::ranges::find_if(script_ends, [path](std::string_view one) { return path.ends_with(one); });
  if (end == script_ends.end()) return {};
  path.remove_suffix(std::string_view(*end).size());
  std::string key;
  for (const std::string_view part : split(path, '/')) {
    if (!is_among(part, folders_of_copies)) (key += '/') += part;
  }
  return key;
}

// Of files with one key the lowest is the source.
int distance_from_source(std::string_view path) {
  if (file_role(path) == FileRole::built) return 2;
  return path.ends_with(".js") || path.ends_with(".jsx") || path.ends_with(".mjs") ? 1 : 0;
}

void fold_built_files(std::vector<OutlinedFile>& files, std::string_view folder) {
  std::map<std::string, std::size_t> sources;
  for (std::size_t file = 0; file < files.size(); ++file) {
    const auto [known, is_new] = sources.emplace(source_key(files[file].path), file);
    if (!is_new && distance_from_source(files[file].path) < distance_from_source(files[known->second].path))
      known->second = file;
  }
  for (OutlinedFile& file : files) {
    const std::string key = source_key(file.path);
    if (key.empty()) continue;
    OutlinedFile& source = files[sources.at(key)];
    const bool is_copy = file_role(file.path) == FileRole::built ||
                         distance_from_source(source.path) < distance_from_source(file.path);
    // A map of `dist` shows what is in it.
    const bool is_shown_instead = source.path.starts_with(folder) || !file.path.starts_with(folder);
    if (&source == &file || !is_copy || !is_shown_instead) continue;
    // Compiled code has names of its compiler's, but declarations may be written by hand.
    if (file.path.ends_with("ts") || file.path.ends_with(".pyi")) source.outline.names += file.outline.names;
    file.path.clear();
  }
  std::erase_if(files, [](const OutlinedFile& file) { return file.path.empty(); });
}

// Tiers use up the budget in this order. Files other than sources (FileRole) have the same tiers again, after
// all of these; but C and C++ headers are there for others to use, also those of tests and of others' code.
enum class Tier { mentioned_name, file, other_name, name_of_other_header, member, name_of_c_source };
constexpr int tiers = 6;

using Orders = std::vector<std::pair<MapRank, std::size_t*>>;

// None comes before what it is in, whose rank is `owner`.
void add_orders(Orders& orders, std::vector<MapItem>& items, MapRank owner) {
  for (MapItem& item : items) {
    const MapRank rank = std::max(item.rank, owner);
    orders.emplace_back(rank, &item.order);
    add_orders(orders, item.members, rank);
  }
}

class Ranks {
 public:
  explicit Ranks(const std::vector<OutlinedFile>& files) {
    for (const OutlinedFile& file : files) {
      for (const OutlineName& name : names_of(file.outline)) counts_.try_emplace(word_number(name.name));
    }
    for (const OutlinedFile& file : files) {
      for (const OutlineWord& word : words_of(file.outline)) {
        const auto counts = counts_.find(word.number);
        if (counts != counts_.end())
          ++(word.is_declared ? counts->second.declaring : counts->second.mentioning);
      }
    }
  }

  // `place`: of the file among those of its folder, from 1.
  MapItem of(const OutlinedFile& file, double place) const {
    const bool is_source = file_role(file.path) == FileRole::source;
    const auto tier_of = [is_source](Tier tier) {
      return static_cast<int>(tier) + (is_source || tier == Tier::name_of_other_header ? 0 : tiers);
    };
    // Other files use a C or C++ source through a header.
    const Language language = files::language_of(file.path);
    const bool is_c_source = language == Language::c_source;
    const bool is_other_header = language == Language::c_header && !is_source;
    MapItem ranked{.name = file.path};
    constexpr auto none = static_cast<std::size_t>(-1);
    std::map<std::pair<std::size_t, std::string_view>, std::size_t> places;  // of the names of each owner
    std::size_t owner = none;
    for (const OutlineName& name : names_of(file.outline)) {
      const bool has_owner = name.is_member && owner != none;
      std::vector<MapItem>& names = has_owner ? ranked.members[owner].members : ranked.members;
      const auto [known, is_new] =
          places.emplace(std::pair(has_owner ? owner : none, name.name), names.size());
      if (!has_owner) owner = known->second;
      if (!is_new) continue;
      const Counts& counts = counts_.at(word_number(name.name));
      const Tier tier = is_c_source                    ? Tier::name_of_c_source
                        : has_owner || name.is_private ? Tier::member
                        : is_other_header              ? Tier::name_of_other_header
                        : counts.mentioning > 0        ? Tier::mentioned_name
                                                       : Tier::other_name;
      names.push_back({.name = name.name, .rank = {tier_of(tier), -worth(name, counts)}});
    }
    sort_names(ranked.members);
    // Each folder's first file before the second of any.
    ranked.rank = {tier_of(Tier::file), -1 / place};
    if (!ranked.members.empty()) ranked.rank = std::min(ranked.rank, ranked.members.front().rank);
    return ranked;
  }

 private:
  struct Counts {
    double declaring = 0;
    double mentioning = 0;
  };

  static double kind_weight(std::int64_t kind) {
    if (lsp::is_type_kind(kind)) return 1.5;
    if (lsp::is_function_kind(kind)) return 1;
    // Keys of data and of a module's default object, but members too: their methods come first.
    const bool is_key = kind == lsp::SymbolKind::property || kind == lsp::SymbolKind::field ||
                        kind > lsp::SymbolKind::constant;
    return is_key ? 0.05 : 0.5;
  }

  static double worth(const OutlineName& name, const Counts& counts) {
    constexpr double unmentioned = 0.01;
    const double hidden = name.name.starts_with('_') ? 0.1 : 1;
    return kind_weight(name.kind) * hidden *
           (unmentioned + counts.mentioning / std::sqrt(std::max(counts.declaring, 1.0)));
  }

  // Each in its order at less of its worth: files with few names are not left behind.
  static void sort_names(std::vector<MapItem>& names) {
    std::ranges::stable_sort(names, {}, &MapItem::rank);
    for (std::size_t place = 0; place < names.size(); ++place) {
      names[place].rank.second /= std::sqrt(static_cast<double>(place + 1));
      sort_names(names[place].members);
    }
  }

  std::unordered_map<std::uint32_t, Counts> counts_;
};

}  // namespace

std::vector<MapItem> ranked_files(std::vector<OutlinedFile>& files, std::string_view folder) {
  fold_built_files(files, folder);
  const Ranks ranks(files);
  std::vector<MapItem> ranked;
  std::map<std::string_view, double> in_folder;  // how many files
  for (const OutlinedFile& file : files) {
    const std::string_view path = file.path;
    if (path.starts_with(folder))
      ranked.push_back(ranks.of(file, ++in_folder[path.substr(0, path.rfind('/') + 1)]));
  }
  Orders orders;
  add_orders(orders, ranked, {-1, 0});
  std::ranges::stable_sort(orders, {}, &Orders::value_type::first);
  for (std::size_t order = 0; order < orders.size(); ++order) *orders[order].second = order;
  return ranked;
}

}  // namespace symbols::index
