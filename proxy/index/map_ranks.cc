#include "proxy/index/map_ranks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "proxy/index/exported.h"

namespace symbols::index {
namespace {

// Of one name in the whole project.
struct NameCounts {
  std::uint32_t number = 0;     // word_number() of it
  std::uint32_t declaring = 0;  // files that export it; 0: no name
  std::uint32_t mentioning = 0;
  bool is_in_header = false;
};

// By the number of the name. A project has hundreds of thousands of words to look up: open addressing takes a
// fifth of what std::unordered_map does.
class CountsTable {
 public:
  explicit CountsTable(std::size_t most_names) : slots_(std::bit_ceil(2 * most_names + 1)) {}

  // The place of that name, or the empty one where it would be.
  NameCounts& operator[](std::uint32_t number) { return slots_[place_of(number)]; }
  const NameCounts& operator[](std::uint32_t number) const { return slots_[place_of(number)]; }

 private:
  std::size_t place_of(std::uint32_t number) const {
    std::size_t place = number & (slots_.size() - 1);
    while (slots_[place].declaring > 0 && slots_[place].number != number)
      place = (place + 1) & (slots_.size() - 1);
    return place;
  }

  std::vector<NameCounts> slots_;
};

// The names of `file`, read once.
struct NamedFile {
  const OutlinedFile* file = nullptr;
  std::vector<OutlineName> names;
};

std::vector<NamedFile> named_files(const std::vector<OutlinedFile>& files) {
  std::vector<NamedFile> named;
  for (const OutlinedFile& file : files) named.push_back({&file, names_of(file.outline)});
  return named;
}

std::size_t count_names(const std::vector<NamedFile>& files) {
  std::size_t count = 0;
  for (const NamedFile& file : files) count += file.names.size();
  return count;
}

class Ranks {
 public:
  explicit Ranks(const std::vector<NamedFile>& files) : counts_(count_names(files)) {
    for (const auto& [file, names] : files) {
      const bool is_header = language_of(file->path) == Language::c_header;
      for (const OutlineName& name : names) {
        if (name.role != NameRole::top || !name.is_exported) continue;
        const std::uint32_t number = word_number(name.name);
        NameCounts& counts = counts_[number];
        counts.number = number;
        ++counts.declaring;
        counts.is_in_header |= is_header;
      }
    }
    for (const auto& [file, names] : files) {
      for (const std::uint32_t word : words_of(file->outline)) {
        if (NameCounts& counts = counts_[word]; counts.declaring > 0) ++counts.mentioning;
      }
    }
  }

  // The mentions of the name by files that do not declare it, shared by those that do.
  double mentions(const NameCounts& counts) const {
    return counts.mentioning <= counts.declaring
               ? 0
               : static_cast<double>(counts.mentioning - counts.declaring) / counts.declaring;
  }

  MapFile of(const NamedFile& file) const {
    const Language language = language_of(file.file->path);
    MapFile ranked{.path = file.file->path};
    std::vector<MapName> definitions;
    std::vector<MapName> hidden;
    std::vector<std::size_t> members;  // places
    MapName* owner = nullptr;
    const auto finish_members = [&] {
      if (owner == nullptr) return;
      std::ranges::stable_sort(
          members, {}, [&](std::size_t member) { return !is_function_kind(file.names[member].kind); });
      for (const std::size_t member : members) owner->members.push_back({file.names[member].name, member});
      members.clear();
    };
    for (std::size_t place = 0; place < file.names.size(); ++place) {
      const OutlineName& name = file.names[place];
      if (name.role == NameRole::member) {
        if (name.is_exported) members.push_back(place);
        continue;
      }
      finish_members();
      std::vector<MapName>* list = &hidden;
      double weight = 0;
      if (name.is_exported && name.role == NameRole::definition) {
        list = &definitions;
      } else if (name.is_exported) {
        const NameCounts& counts = counts_[word_number(name.name)];
        weight = mentions(counts);
        // What a header declares is shown there, and of what none declares others seldom know.
        const bool is_late = language == Language::c_source && (counts.is_in_header || weight == 0);
        list = is_late ? &definitions : &ranked.exported;
        if (!is_late) ranked.rank += weight;
      }
      list->push_back({.name = name.name,
                       .rank = (0.2 + std::log2(1 + weight)) * kind_weight(name.kind, language),
                       .place = place});
      owner = &list->back();
    }
    finish_members();
    for (std::vector<MapName>* list : {&ranked.exported, &definitions, &hidden})
      std::ranges::stable_sort(*list, std::greater(), &MapName::rank);
    ranked.definitions = definitions.size();
    ranked.others = std::move(definitions);
    std::ranges::move(hidden, std::back_inserter(ranked.others));
    return ranked;
  }

 private:
  static double kind_weight(std::uint8_t kind, Language language) {
    if (is_type_kind(kind)) return 1.5;
    // A function may be a variable's value there.
    return is_function_kind(kind) || language == Language::script ? 1 : 0.5;
  }

  CountsTable counts_;
};

}  // namespace

std::vector<MapFile> ranked_files(const std::vector<OutlinedFile>& files, std::string_view folder) {
  const std::vector<NamedFile> named = named_files(files);
  const Ranks ranks(named);
  std::vector<MapFile> ranked;
  for (const NamedFile& file : named) {
    if (file.file->path.starts_with(folder)) ranked.push_back(ranks.of(file));
  }
  return ranked;
}

}  // namespace symbols::index
