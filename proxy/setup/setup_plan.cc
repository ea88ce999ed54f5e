#include "proxy/setup/setup_plan.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace symbols::setup {
namespace {

using Kind = SetupPiece::Kind;

// The shipped text, with this machine's paths.
Result<std::string> filled(const SetupPiece& piece, LocalCommands& commands, bool table) {
  std::string source(piece.source);
  if (table) source.insert(source.rfind('/'), "/table");  // "NAME/table/FILE" for "NAME/FILE"
  const std::string_view text = editor_file(source)->text;
  const bool has_places = source.find("/setup.") != source.npos;
  return has_places ? commands.in_places(text, piece.strings) : commands.in_lists(text, piece.strings);
}

// Whether a piece of the target writes the file, apart from those that write folders.
bool is_written_alone(const SetupTarget& target, std::string_view name) {
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

// The text of a file that has the shipped one in it, or is the shipped one.
Result<std::string> with_shipped(const SetupPiece& piece, std::string_view text, const std::string& shipped) {
  if (piece.kind == Kind::json) return merged_settings(text, piece.dialect, shipped);
  if (piece.kind == Kind::lines) return with_marked_block(text, piece.comment, shipped);
  if (piece.kind == Kind::by_hand) return Error{"setup does not edit it", ""};
  return {boost::system::in_place_value, shipped};
}

// Adds a file to the plan or, if it cannot be written, the first refusal.
void plan_file(SetupPlan& plan, const SetupPiece& piece, const fs::path& path, Result<std::string> shipped) {
  PlannedFile file{{.path = path}, {}, {}};
  const auto compose = [&]() -> Result<void> {
    if (!shipped) return shipped.error();
    if (!piece.places.empty()) file.lines = *shipped;
    Result<FileState> before = look_at_file(path);
    if (!before) return before.error();
    file.before = std::move(*before);
    Result<std::string> after = with_shipped(piece, file.before.text, *shipped);
    if (!after)
      return Error{fmt::format("cannot add to {}: {}", path.string(), after.error().message),
                   after.error().advice};
    file.after = std::move(*after);
    // Checks in advance what can be checked, so setup does not write only some of several files.
    return file.changes() ? check_replaceable(file.before) : Result<void>();
  };
  const Result<void> composed = compose();
  if (composed) {
    plan.files.push_back(std::move(file));
  } else if (!plan.refusal) {
    plan.refusal = SetupRefusal{composed.error(), std::move(file.before), std::move(file.lines),
                                piece.kind == Kind::by_hand};
  }
}

// Whether `line` sets a table of `lines`, a part of it, or the table around it: the program would refuse a
// file that sets it twice. Compares names as they are written; TOML has others for the same table.
bool sets_table_of(std::string_view line, std::string_view lines) {
  line = trim(line, " \t[");
  for (const std::string_view ours : split(lines, '\n')) {
    if (!ours.starts_with('[')) continue;
    const std::string_view table = ours.substr(1, ours.find(']') - 1);
    const std::string_view around = table.substr(0, table.rfind('.'));
    if (line.starts_with(table) || (line.starts_with(around) && !line.substr(around.size()).starts_with('.')))
      return true;
  }
  return false;
}

}  // namespace

Result<std::string> with_marked_block(std::string_view text, std::string_view comment,
                                      std::string_view lines) {
  const std::string begin_mark = fmt::format("{} >>> symbols", comment);
  const std::string end_mark = fmt::format("{} <<< symbols", comment);
  // A mark may be followed by a space and more words, as the first one is.
  constexpr const char* rest_of_line = R"((?:[ \r].*)?(?:\n|\z))";
  const std::string begin_line = RE2::QuoteMeta(begin_mark) + rest_of_line;
  const std::string end_line = RE2::QuoteMeta(end_mark) + rest_of_line;
  const RE2 mark("(?m)^(?:" + begin_line + "|" + end_line + ")", RE2::Latin1);
  const RE2 pair("(?m)^(" + begin_line + "(?s:.*)^" + end_line + ")", RE2::Latin1);
  std::size_t marks = 0;
  for (re2::StringPiece rest(text); RE2::FindAndConsume(&rest, mark);) ++marks;
  std::string_view before = text, after;
  if (re2::StringPiece old; marks == 2 && RE2::PartialMatch(text, pair, &old)) {
    before = text.substr(0, static_cast<std::size_t>(old.data() - text.data()));
    after = text.substr(before.size() + old.size());
  } else if (marks > 0) {
    return Error{fmt::format("its marks \"{}\" and \"{}\" are not one pair", begin_mark, end_mark),
                 "remove the marks and our lines between them by hand"};
  }
  for (const std::string_view part : {before, after}) {
    for (const std::string_view line : split(part, '\n')) {
      if (!sets_table_of(line, lines)) continue;
      return Error{fmt::format("line {}: {} sets a table that our lines set, too",
                               std::count(text.data(), line.data(), '\n') + 1, trim(line)),
                   "change it there by hand"};
    }
  }

  const bool is_crlf = text.ends_with('\r') || text.find("\r\n") != text.npos;
  const std::string_view ending = is_crlf ? "\r\n" : "\n";
  std::string out(before);
  if (marks == 0 && !text.empty()) out.append(text.ends_with('\n') ? "" : ending).append(ending);
  const std::string block =
      fmt::format("{} (written by symbols setup; it replaces all up to the next mark)\n{}{}\n", begin_mark,
                  lines, end_mark);
  for (const std::string_view line : split(block, '\n')) out.append(line).append(ending);
  return {boost::system::in_place_value, out.append(after)};
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
  for (const SetupPiece& piece : target.pieces) {
    if (piece.kind == Kind::folder) {
      for (const EditorFile& file : editor_files()) {
        if (!file.name.starts_with(piece.source) || is_written_alone(target, file.name)) continue;
        plan_file(plan, piece, paths.own_folder / file.name.substr(piece.source.size()),
                  {boost::system::in_place_value, std::string(file.text)});
      }
    } else {
      const std::string_view below =
          piece.path.empty() ? piece.source.substr(piece.source.find('/') + 1) : piece.path;
      plan_file(plan, piece, piece.kind == Kind::file ? paths.own_folder / below : paths.configuration,
                filled(piece, commands, table));
    }
  }
  return plan;
}

}  // namespace symbols::setup
