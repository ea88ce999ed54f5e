// What `symbols setup` does to a user's file (proxy/setup/): JSON with comments, and our lines between
// marks. The user's text survives, whatever bytes it has, or nothing is written; and setting up again
// changes nothing.
// Covers: proxy/setup/jsonc_text.cc proxy/setup/marked_block.cc proxy/setup/settings_edit.cc
// Covers: proxy/setup/settings_merge.cc proxy/setup/settings_layout.cc
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/json/json_edit.h"
#include "proxy/setup/editor_files.h"
#include "proxy/setup/jsonc_text.h"
#include "proxy/setup/marked_block.h"
#include "proxy/setup/settings_edit.h"
#include "proxy/setup/settings_merge.h"
#include "proxy/setup/setup_targets.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/input.h"

namespace symbols::fuzz::setup_target {

using setup::JsonDialect;
using setup::SetupPiece;

std::vector<std::string> comments_of(std::string_view text, const setup::PlainJson& plain) {
  std::vector<std::string> comments;
  for (const auto& comment : plain.comments)
    comments.emplace_back(text.substr(comment.begin, comment.end - comment.begin));
  return comments;
}

// Whether what is in `some` is in `all`, in that order.
bool are_within(const std::vector<std::string>& some, const std::vector<std::string>& all) {
  auto at = all.begin();
  for (const std::string& one : some) {
    at = std::find(at, all.end(), one);
    if (at == all.end()) return false;
    ++at;
  }
  return true;
}

// One member, at the end of a path, against the edit of plain JSON.
void check_setting(std::string_view users, JsonDialect dialect, std::vector<std::string_view> path,
                   std::string_view value) {
  const Result<setup::PlainJson> before = setup::read_jsonc(users, dialect);
  if (before) holds(before->text.size() == users.size(), "plain JSON has the offsets of the file");
  const Result<std::string> edited = setup::with_setting(users, dialect, path, {value});
  if (!edited) return;
  holds(before.has_value(), "only what can be read is edited");
  const Result<setup::PlainJson> after = setup::read_jsonc(*edited, dialect);
  if (!after) same_text(*edited, after.error().text(), "an edited file can be read");
  holds(setup::has_setting(*edited, dialect, path), "a setting that was set is there");
  const Result<std::string> wanted = lsp::with_value_at(before->text, path, value);
  holds(wanted.has_value(), "a file of settings is an object");
  same_text(setup::minified(after->text), setup::minified(*wanted), "nothing but the setting has changed");
  // A value that is replaced takes its own comments with it.
  if (!setup::has_setting(users, dialect, path)) {
    holds(are_within(comments_of(users, *before), comments_of(*edited, *after)), "the user's comments stay");
  }
  const Result<std::string> again = setup::with_setting(*edited, dialect, path, {value});
  holds(again.has_value() && *again == *edited, "setting again changes nothing");
}

void check_element(std::string_view users, JsonDialect dialect, std::vector<std::string_view> path) {
  constexpr std::string_view value = R"({"command": ["symbols", "proxy"], "extensions": ["c", "h"]})";
  const Result<std::string> edited = setup::with_element(users, dialect, path, "extensions", {value});
  if (!edited) return;
  const Result<setup::PlainJson> after = setup::read_jsonc(*edited, dialect);
  if (!after) same_text(*edited, after.error().text(), "a file with an element more can be read");
}

const std::vector<const SetupPiece*>& pieces() {
  static const std::vector<const SetupPiece*> all = [] {
    std::vector<const SetupPiece*> found;
    for (const setup::SetupTarget& target : setup::setup_targets()) {
      for (const SetupPiece& piece : target.pieces) {
        if (piece.kind != SetupPiece::Kind::folder && piece.kind != SetupPiece::Kind::file)
          found.push_back(&piece);
      }
    }
    return found;
  }();
  return all;
}

void check_json(const SetupPiece& piece, std::string_view lines, std::string_view users) {
  // Some have places that are to be filled in first.
  if (!setup::read_jsonc(lines, piece.dialect)) return;
  const Result<std::string> merged = setup::merged_settings(users, piece.dialect, lines, piece.members);
  if (!merged) {
    holds(!merged.error().message.starts_with("the result would not"), "what setup writes reads back");
    return;
  }
  const Result<std::string> again = setup::merged_settings(*merged, piece.dialect, lines, piece.members);
  holds(again.has_value(), "setting up again is possible");
  same_text(*again, *merged, "setting up again changes nothing");
}

void check_lines(const SetupPiece& piece, std::string_view lines, std::string_view users) {
  const Result<std::string> with = setup::with_marked_block(users, piece.comment, lines);
  if (!with) return;
  if (users.find(" >>> symbols") == users.npos) holds(with->starts_with(users), "the user's text stays");
  const Result<std::string> again = setup::with_marked_block(*with, piece.comment, lines);
  holds(again.has_value(), "setting up again is possible");
  same_text(*again, *with, "setting up again changes nothing");
}

void setup(std::string_view data) {
  static constexpr std::string_view names[] = {"a", "b", "lsp", "é", "a\"b", "servers"};
  static constexpr std::string_view values[] = {"1", "{}", "[\"a\",\"b\"]", "\"x\"",
                                                "{\n  \"a\": [\n    1\n  ]\n}"};
  Input input(data);
  const std::size_t which = input.below(256);
  const JsonDialect dialect = input.flag() ? JsonDialect::with_comments : JsonDialect::strict;
  std::vector<std::string_view> path;
  for (std::size_t depth = 1 + input.below(3); depth > 0; --depth)
    path.push_back(names[input.below(std::size(names))]);
  const std::string_view value = values[input.below(std::size(values))];
  const std::string_view users = input.rest();

  check_setting(users, dialect, path, value);
  check_element(users, dialect, path);
  const SetupPiece& piece = *pieces()[which % pieces().size()];
  const setup::EditorFile* const shipped = setup::editor_file(piece.source);
  holds(shipped != nullptr, "what a piece names is shipped");
  if (piece.kind == SetupPiece::Kind::json) check_json(piece, shipped->text, users);
  if (piece.kind == SetupPiece::Kind::lines) check_lines(piece, shipped->text, users);
}

SYMBOLS_FUZZ_TARGET(setup)

}  // namespace symbols::fuzz::setup_target
