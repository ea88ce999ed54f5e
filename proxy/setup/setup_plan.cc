#include "proxy/setup/setup_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "proxy/setup/editor_files.h"
#include "proxy/setup/marked_block.h"
#include "proxy/setup/settings_merge.h"
#include "proxy/terminal/tell.h"
#include "table/escape.h"

namespace symbols::setup {
namespace {

namespace fs = std::filesystem;
using Kind = SetupPiece::Kind;

// "NAME/table/FILE" for "NAME/FILE".
std::string table_source(std::string_view source) {
  const std::size_t slash = source.rfind('/');
  return fmt::format("{}/table/{}", source.substr(0, slash), source.substr(slash + 1));
}

constexpr std::string_view template_prefix = "setup.";

// The shipped text, with this machine's paths.
Result<std::string> filled(const SetupPiece& piece, LocalCommands& commands, bool table) {
  const std::string source = table ? table_source(piece.source) : std::string(piece.source);
  const EditorFile* const file = editor_file(source);
  if (file == nullptr) return Error{fmt::format("this program was built without editors/{}", source), ""};
  const bool has_places = std::string_view(source).substr(source.rfind('/') + 1).starts_with(template_prefix);
  return has_places ? commands.in_places(file->text, piece.quoting, piece.separator)
                    : commands.in_lists(file->text);
}

// Whether a file below `folder` is written by another piece of the target, or is not installed.
bool is_written_otherwise(const SetupTarget& target, const SetupPiece& folder, std::string_view name) {
  const std::string_view below = name.substr(folder.source.size());
  if (below.starts_with(template_prefix) || below == "README.md") return true;
  return std::ranges::any_of(target.pieces, [name](const SetupPiece& piece) {
    return piece.kind != Kind::folder && piece.source == name;
  });
}

// `to` if that is given, else the first place in which the program looks here, else the last one.
Result<fs::path> place_of(const SetupPlaces& places, const files::UserFolders& folders, const fs::path& to) {
  if (!to.empty()) return {boost::system::in_place_value, to};
  const auto taken = std::ranges::find_if(places, [&folders](const SetupPlace& place) {
    const Result<fs::path> base = folders.at(place.folder);
    std::error_code unknown;
    const std::string_view sign = place.if_there.empty() ? place.path : place.if_there;
    return base && fs::exists(fs::symlink_status(*base / sign, unknown));
  });
  const SetupPlace& place = taken == places.end() ? places.back() : *taken;
  const Result<fs::path> base = folders.at(place.folder);
  if (!base) return base.error();
  return {boost::system::in_place_value, *base / place.path};
}

// A path as people write it.
std::string shown(const fs::path& path, const files::UserFolders& folders) {
  std::string text = path.string();
  const std::string home = folders.home.string() + "/";
  if (home.size() > 1 && text.starts_with(home)) text = "~/" + text.substr(home.size());
  return table::terminal_text(text);
}

}  // namespace

std::string setup_list(const files::UserFolders& folders) {
  std::vector<std::vector<std::string>> rows{{"NAME", "FILE OR FOLDER", "EXISTS"}};
  for (const SetupTarget& target : setup_targets()) {
    const Result<SetupPaths> paths = setup_paths(target, folders, {});
    if (target.pieces.empty() || !paths) {
      rows.push_back({setup_words(target), "-", paths ? "nothing to write" : paths.error().message});
      continue;
    }
    std::error_code unknown;
    rows.push_back({setup_words(target), shown(paths->place(), folders),
                    fs::exists(paths->place(), unknown) ? "yes" : "no"});
  }
  return terminal::columns(rows);
}

Result<SetupPaths> setup_paths(const SetupTarget& target, const files::UserFolders& folders,
                               const fs::path& to) {
  SetupPaths paths;
  const SetupPiece* const configuration = target.configuration();
  if (!target.own_folder.empty()) {
    const Result<fs::path> folder =
        place_of(target.own_folder, folders, configuration == nullptr ? to : fs::path());
    if (!folder) return folder.error();
    paths.own_folder = *folder;
  }
  if (configuration != nullptr) {
    const Result<fs::path> path = place_of(configuration->places, folders, to);
    if (!path) return path.error();
    paths.configuration = *path;
  }
  return paths;
}

SetupPlan plan_setup(const SetupTarget& target, const SetupPaths& paths, LocalCommands& commands,
                     bool table) {
  SetupPlan plan;
  const auto refuse = [&plan](FileState file, Error error, std::string lines = {}) {
    if (!plan.refusal) plan.refusal = SetupRefusal{std::move(error), std::move(file), std::move(lines)};
  };
  const auto add = [&](FileState before, std::string after, std::string lines) {
    PlannedFile file{std::move(before), std::move(after), std::move(lines)};
    // Checks in advance what can be checked, so setup does not write only some of several files.
    const Result<void> allowed = file.changes() ? check_replaceable(file.before) : Result<void>();
    if (!allowed) return refuse(std::move(file.before), allowed.error(), std::move(file.lines));
    plan.files.push_back(std::move(file));
  };
  const auto add_own = [&](const fs::path& path, std::string text) {
    Result<FileState> before = look_at_file(path);
    if (!before) return refuse({.path = path}, before.error());
    add(std::move(*before), std::move(text), {});
  };
  const auto add_piece = [&](const SetupPiece& piece) {
    const bool is_own = piece.kind == Kind::file;
    const std::string_view below =
        piece.path.empty() ? piece.source.substr(piece.source.find('/') + 1) : piece.path;
    const fs::path path = is_own ? paths.own_folder / below : paths.configuration;
    commands.reader_expands(piece.expands);
    Result<std::string> lines = filled(piece, commands, table);
    if (!lines) return refuse({.path = path}, lines.error());
    if (is_own) return add_own(path, std::move(*lines));
    Result<FileState> before = look_at_file(path);
    if (!before) return refuse({.path = path}, before.error(), std::move(*lines));
    if (piece.kind == Kind::by_hand) {
      refuse(std::move(*before),
             {fmt::format("setup does not write the configuration of {}", target.name), ""},
             std::move(*lines));
      plan.refusal->by_hand = true;
      return;
    }
    Result<std::string> after = piece.kind == Kind::json
                                    ? merged_settings(before->text, piece.dialect, *lines)
                                    : with_marked_block(before->text, piece.comment, *lines);
    if (!after) {
      const Error& error = after.error();
      const std::string what = fmt::format("cannot add to {}: {}", path.string(), error.message);
      return refuse(std::move(*before), {what, error.advice}, std::move(*lines));
    }
    add(std::move(*before), std::move(*after), std::move(*lines));
  };
  for (const SetupPiece& piece : target.pieces) {
    if (piece.kind != Kind::folder) {
      add_piece(piece);
      continue;
    }
    for (const EditorFile& file : editor_files()) {
      if (!file.name.starts_with(piece.source) || is_written_otherwise(target, piece, file.name)) continue;
      add_own(paths.own_folder / file.name.substr(piece.source.size()), std::string(file.text));
    }
  }
  return plan;
}

}  // namespace symbols::setup
