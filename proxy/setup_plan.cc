#include "proxy/setup_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lsp/json_elements.h"
#include "lsp/json_members.h"
#include "proxy/config_conflicts.h"
#include "proxy/editor_files.h"
#include "proxy/marked_block.h"
#include "proxy/settings_edit.h"

namespace symbols::proxy {
namespace {

namespace fs = std::filesystem;
using Kind = SetupPiece::Kind;

constexpr std::string_view blanks = " \t\r\n";

// A value of the shipped JSON, with its place in the user's.
struct ShippedValue {
  std::vector<std::string> path;
  SettingValue value;
  const SetupMember* member;
};

// The blanks before the line of `offset`.
std::size_t indent_at(std::string_view text, std::size_t offset) {
  const std::size_t line = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  return text.find_first_not_of(' ', line) - line;
}

// Collects what is `depth` levels below the object at `begin`.
void collect(std::string_view text, std::string_view plain, std::size_t begin, std::size_t depth,
             const std::vector<std::string>& path, const SetupMember& member,
             std::vector<ShippedValue>& out) {
  lsp::JsonMembers members(plain.substr(begin));
  while (members.next() && members.value()) {
    if (path.empty() && members.name() != member.name) continue;
    std::vector<std::string> below = path;
    below.emplace_back(members.name());
    const std::size_t value = begin + members.value_offset();
    const std::size_t end = begin + members.offset();
    if (depth > 0 && plain[value] == '{') {
      collect(text, plain, value, depth - 1, below, member, out);
    } else {
      const std::size_t indent = indent_at(text, begin + members.member_offset());
      out.push_back({std::move(below), {text.substr(value, end - value), indent}, &member});
    }
  }
}

// The user's JSON with what of the shipped one belongs there.
Result<std::string> merged_json(const SetupPiece& piece, std::string_view shipped, std::string_view users) {
  if (users.find_first_not_of(blanks) == users.npos)
    return {boost::system::in_place_value, std::string(shipped)};
  const Result<PlainJson> plain = read_jsonc(shipped, JsonDialect::with_comments);
  if (!plain) return plain.error();
  std::vector<ShippedValue> values;
  const std::size_t begin = plain->text.find_first_not_of(blanks);
  for (const SetupMember& member : piece.members)
    collect(shipped, plain->text, begin, member.depth, {}, member, values);

  std::string text(users);
  for (const ShippedValue& shipped_value : values) {
    const std::vector<std::string_view> path(shipped_value.path.begin(), shipped_value.path.end());
    const SetupMember& member = *shipped_value.member;
    if (member.element_key.empty()) {
      Result<EditedSettings> edited =
          with_setting(text, piece.dialect, path, shipped_value.value,
                       member.only_if_absent ? WhenThere::keep : WhenThere::replace);
      if (!edited) return edited.error();
      text = std::move(edited->text);
      continue;
    }
    const std::string_view array = shipped_value.value.json;
    std::optional<Error> fault;
    lsp::for_each_element(array, [&](std::string_view element) {
      if (fault) return;
      const auto at = static_cast<std::size_t>(element.data() - shipped.data());
      Result<EditedSettings> edited =
          with_element(text, piece.dialect, path, member.element_key, {element, indent_at(shipped, at)});
      if (!edited) {
        fault = edited.error();
      } else {
        text = std::move(edited->text);
      }
    });
    if (fault) return *fault;
  }
  // What was composed is read back: a file that its program cannot read must never come to be.
  if (const Result<PlainJson> result = read_jsonc(text, piece.dialect); !result) {
    return Error{"the file that would be written is no JSON (" + result.error().message + ")",
                 "put the members in by hand, and please report this"};
  }
  return {boost::system::in_place_value, std::move(text)};
}

Result<std::string> with_lines(const SetupPiece& piece, std::string_view lines, std::string_view users) {
  Result<std::string> rest = without_marked_block(users, piece.comment);
  if (!rest) return rest.error();
  std::string with_place;
  if (piece.check == SetupPiece::Check::yaml) {
    if (const std::optional<LineSpan> empty = empty_yaml_key(*rest, lines); empty && *rest == users) {
      const Result<std::string> marks = with_marked_block("", piece.comment, "");
      if (!marks) return marks.error();
      with_place = rest->substr(0, empty->begin) + *marks + rest->substr(empty->end);
      rest->erase(empty->begin, empty->end - empty->begin);
      users = with_place;
    }
  }
  Result<void> fits{};
  if (piece.check == SetupPiece::Check::toml) fits = check_toml_tables(*rest, lines);
  if (piece.check == SetupPiece::Check::yaml) fits = check_yaml_keys(*rest, lines);
  if (!fits) return fits.error();
  return with_marked_block(users, piece.comment, lines);
}

// "NAME/table/FILE" for "NAME/FILE".
std::string table_source(std::string_view source) {
  const std::size_t slash = source.rfind('/');
  return fmt::format("{}/table/{}", source.substr(0, slash), source.substr(slash + 1));
}

// What is shipped, with this machine's paths.
Result<std::string> filled(const SetupPiece& piece, LocalCommands& commands, bool table) {
  const std::string source = table ? table_source(piece.source) : std::string(piece.source);
  const EditorFile* const file = editor_file(source);
  if (file == nullptr) return Error{fmt::format("this program was built without editors/{}", source), ""};
  if (piece.has_places) return commands.in_places(file->text, piece.quoting, piece.separator);
  if (piece.comment.empty()) return {boost::system::in_place_value, std::string(file->text)};
  return commands.in_lists(file->text, piece.comment);
}

// Whether a file below `folder` is written by another piece of the target, or is no part of what is
// installed.
bool is_written_otherwise(const SetupTarget& target, const SetupPiece& folder, std::string_view name) {
  const std::string_view below = name.substr(folder.source.size());
  if (below.starts_with("setup.") || below == "README.md") return true;
  return std::any_of(target.pieces.begin(), target.pieces.end(), [name](const SetupPiece& piece) {
    return piece.kind != Kind::folder && piece.source == name;
  });
}

}  // namespace

Result<SetupPaths> setup_paths(const SetupTarget& target, const UserFolders& folders, const fs::path& to) {
  SetupPaths paths;
  const SetupPiece* const configuration = target.configuration();
  const bool has_folder = std::any_of(
      target.pieces.begin(), target.pieces.end(),
      [](const SetupPiece& piece) { return piece.kind == Kind::folder || piece.kind == Kind::file; });
  if (has_folder) {
    if (configuration == nullptr && !to.empty()) {
      paths.own_folder = to;
    } else {
      const Result<fs::path> base = folders.at(target.own_folder.folder);
      if (!base) return base.error();
      paths.own_folder = *base / target.own_folder.path;
    }
  }
  if (configuration == nullptr) return paths;
  if (!to.empty()) {
    paths.configuration = to;
    return paths;
  }
  for (const SetupPlace& place : configuration->places) {
    const Result<fs::path> base = folders.at(place.folder);
    std::error_code unknown;
    if (base && fs::exists(fs::symlink_status(*base / place.path, unknown))) {
      paths.configuration = *base / place.path;
      return paths;
    }
  }
  const SetupPlace& usual = configuration->places[configuration->usual];
  const Result<fs::path> base = folders.at(usual.folder);
  if (!base) return base.error();
  paths.configuration = *base / usual.path;
  return paths;
}

SetupPlan plan_setup(const SetupTarget& target, const SetupPaths& paths, LocalCommands& commands,
                     bool table) {
  SetupPlan plan;
  const auto refuse = [&plan](const fs::path& path, Error error, std::string lines = {}) {
    if (!plan.refusal) plan.refusal = SetupRefusal{std::move(error), path, std::move(lines)};
  };
  const auto add = [&](const fs::path& path, std::string text) {
    Result<FileState> before = look_at_file(path);
    if (!before) return refuse(path, before.error());
    plan.files.push_back({std::move(*before), std::move(text)});
  };
  for (const SetupPiece& piece : target.pieces) {
    if (piece.kind == Kind::folder) {
      for (const EditorFile& file : editor_files()) {
        if (!file.name.starts_with(piece.source) || is_written_otherwise(target, piece, file.name)) continue;
        add(paths.own_folder / file.name.substr(piece.source.size()), std::string(file.text));
      }
      continue;
    }
    const bool is_own = piece.kind == Kind::file;
    const fs::path path = is_own ? paths.own_folder / piece.path : paths.configuration;
    Result<std::string> lines = filled(piece, commands, table);
    if (!lines) {
      refuse(path, lines.error());
      continue;
    }
    if (is_own) {
      add(path, std::move(*lines));
      continue;
    }
    Result<FileState> before = look_at_file(path);
    if (!before) {
      refuse(path, before.error(), *lines);
      continue;
    }
    if (piece.must_exist && !before->exists) {
      refuse(path,
             {fmt::format("{} is not there, and {} does not start with one that has nothing else",
                          path.string(), target.title),
              "start it once, which writes it, and run this again"},
             *lines);
      continue;
    }
    Result<std::string> after = piece.kind == Kind::json ? merged_json(piece, *lines, before->text)
                                                         : with_lines(piece, *lines, before->text);
    if (!after) {
      const Error& error = after.error();
      refuse(path, {fmt::format("cannot add to {}: {}", path.string(), error.message), error.advice}, *lines);
      continue;
    }
    plan.files.push_back({std::move(*before), std::move(*after)});
  }
  return plan;
}

}  // namespace symbols::proxy
