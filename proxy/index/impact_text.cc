#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "base/filesystem.h"
#include "lsp/json/json.h"
#include "proxy/index/answer_lines.h"
#include "proxy/index/impact.h"
#include "proxy/index/name_match.h"
#include "table/context_text.h"
#include "table/escape.h"
#include "table/rows.h"

namespace symbols::index {
namespace {

using FileUses = decltype(Impact::uses)::value_type;

std::uint64_t from_one(std::uint32_t line) {
  return std::uint64_t{line} + 1;
}

// The files with uses, those with most first: sources, or tests, examples and the like.
std::vector<const FileUses*> ranked(const Impact& impact, bool is_support) {
  std::vector<const FileUses*> files;
  for (const FileUses& file : impact.uses) {
    const std::string path = fs::path(file.first).lexically_relative(impact.root).string();
    if ((file_role(path) == FileRole::support) == is_support) files.push_back(&file);
  }
  std::ranges::stable_sort(files, std::ranges::greater(),
                           [](const FileUses* file) { return file->second.size(); });
  return files;
}

std::string change_of(const TouchedSymbol& touched) {
  return std::string(touched.change ? query::change_word(*touched.change) : "given");
}

// Writes the answer line by line.
class ImpactLines {
 public:
  ImpactLines(const Impact& impact, const std::string& folder) : impact_(impact), folder_(folder) {
    std::set<std::string> files;
    for (const TouchedSymbol& touched : impact.touched) files.insert(touched.path);
    lines_.push_back(
        fmt::format("# {} in {}{}", counted(impact.touched.size(), "symbol"), counted(files.size(), "file"),
                    impact.since.empty() ? "" : ", changed since " + table::escaped(impact.since)));
    add_touched();
    add_mentions();
    add_uses("used in", false);
    add_uses("tests and the like", true);
  }

  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::string shown(const std::string& path) const { return table::escaped(table::path_from(folder_, path)); }

  void add_touched() {
    const std::string* path = nullptr;
    for (const TouchedSymbol& touched : impact_.touched) {
      if (path == nullptr || *path != touched.path) lines_.push_back(shown(touched.path));
      path = &touched.path;
      std::string line = ' ' + change_of(touched) + ' ';
      table::append_kind(line, touched.symbol.kind, false);
      line += fmt::format("{} {}", from_one(touched.symbol.range.start.line),
                          table::escaped(touched.symbol.name));
      if (touched.change == query::Change::renamed) line += " from " + table::escaped(touched.name_before);
      if (touched.completeness != query::whole_project && !touched.completeness.empty())
        line += ", " + touched.completeness;
      for (const std::string& missing : touched.missing) line += ", " + table::escaped(missing);
      lines_.push_back(std::move(line));
    }
    for (const auto& [file, what] : impact_.others)
      lines_.push_back(fmt::format("{}: {}", shown(file), table::escaped(what)));
  }

  void add_mentions() {
    for (const auto& [name, files] : impact_.mentions) {
      lines_.push_back(
          fmt::format("# {} still stands in {}", table::escaped(name), counted(files.size(), "file")));
      for (const auto& [path, numbers] : files) {
        std::string line = shown(path) + ':';
        for (const std::uint32_t number : numbers) line += fmt::format(" {}", from_one(number));
        lines_.push_back(std::move(line));
      }
    }
  }

  void add_uses(std::string_view heading, bool is_support) {
    const std::vector<const FileUses*> files = ranked(impact_, is_support);
    if (files.empty() && is_support) return;
    std::size_t places = 0;
    for (const FileUses* const file : files) places += file->second.size();
    lines_.push_back(fmt::format("# {} {} in {}, {}", heading, counted(places, "line"),
                                 counted(files.size(), "file"),
                                 impact_.is_whole ? query::whole_project : "not known to be all"));
    for (const FileUses* const file : files) {
      lines_.push_back(shown(file->first));
      for (const auto& [number, use] : file->second) {
        std::string line = fmt::format(" {}", from_one(number));
        for (const std::string& caller : use.callers) line += ' ' + table::escaped(caller);
        line += use.implements ? " implements" : ":";
        for (const std::string& name : use.symbols) line += ' ' + table::escaped(name);
        lines_.push_back(std::move(line));
      }
    }
  }

  const Impact& impact_;
  const std::string& folder_;
  std::vector<std::string> lines_;
};

}  // namespace

std::string impact_text(const Impact& impact, const std::string& folder,
                        const std::optional<table::TokenLimit>& limit) {
  const ImpactLines written(impact, folder);
  return lines_within(written.lines(), limit);
}

std::string impact_json(const Impact& impact, const std::string& folder, bool in_lines) {
  const auto shown = [&folder](const std::string& path) {
    return lsp::json_string(table::path_from(folder, path));
  };
  std::vector<std::string> changed;
  for (const TouchedSymbol& touched : impact.touched) {
    changed.push_back(fmt::format(
        R"({{"path":{},"line":{},"name":{},"kind":{},"change":"{}","name_before":{},"completeness":{},"missing":{}}})",
        shown(touched.path), from_one(touched.symbol.range.start.line), lsp::json_string(touched.symbol.name),
        touched.symbol.kind, change_of(touched),
        touched.name_before.empty() ? "null" : lsp::json_string(touched.name_before),
        lsp::json_string(touched.completeness), json_strings(touched.missing)));
  }
  std::vector<std::string> used;
  for (const bool is_support : {false, true}) {
    for (const FileUses* const file : ranked(impact, is_support)) {
      for (const auto& [line, use] : file->second) {
        used.push_back(fmt::format(
            R"({{"path":{},"line":{},"callers":{},"uses":{},"implements":{},"support":{}}})",
            shown(file->first), from_one(line), json_strings({use.callers.begin(), use.callers.end()}),
            json_strings({use.symbols.begin(), use.symbols.end()}), use.implements, is_support));
      }
    }
  }
  std::vector<std::string> mentioned;
  for (const auto& [name, files] : impact.mentions) {
    for (const auto& [path, lines] : files) {
      std::vector<std::uint64_t> numbers;
      for (const std::uint32_t line : lines) numbers.push_back(from_one(line));
      mentioned.push_back(fmt::format(R"({{"name":{},"path":{},"lines":[{}]}})", lsp::json_string(name),
                                      shown(path), fmt::join(numbers, ",")));
    }
  }
  std::vector<std::string> others;
  for (const auto& [path, what] : impact.others)
    others.push_back(fmt::format(R"({{"path":{},"what":{}}})", shown(path), lsp::json_string(what)));
  return json_of_lists({{"changed", changed}, {"used", used}, {"mentioned", mentioned}, {"others", others}},
                       fmt::format(R"("since":{},"notes":{},"is_whole":{})",
                                   impact.since.empty() ? "null" : lsp::json_string(impact.since),
                                   json_strings(impact.notes), impact.is_whole),
                       in_lines);
}

}  // namespace symbols::index
