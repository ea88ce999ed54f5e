// What `symbols setup` does to a user's file (proxy/setup/): JSON with comments, and our lines between marks.
// The user's text survives, whatever bytes it has, or nothing is written; and setting up again changes
// nothing.
// Covers: proxy/setup/settings_merge.cc
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/json/json.h"
#include "proxy/setup/setup_plan.h"
#include "proxy/setup/setup_targets.h"
#include "tests/fuzz/fuzz_target.h"

namespace symbols::fuzz::setup_target {

using setup::JsonDialect;
using setup::SetupPiece;

const std::vector<const SetupPiece*>& pieces() {
  static const std::vector<const SetupPiece*> all = [] {
    std::vector<const SetupPiece*> found;
    for (const setup::SetupTarget& target : setup::setup_targets()) {
      for (const SetupPiece& piece : target.pieces) {
        if (piece.kind == SetupPiece::Kind::json || piece.kind == SetupPiece::Kind::lines)
          found.push_back(&piece);
      }
    }
    return found;
  }();
  return all;
}

// Whether the bytes of `text` but for whitespace are in `whole`, in that order.
bool is_within(std::string_view text, std::string_view whole) {
  std::size_t at = 0;
  for (const char c : text) {
    if (lsp::is_json_whitespace(c)) continue;
    at = whole.find(c, at);
    if (at++ == whole.npos) return false;
  }
  return true;
}

// `is_new`: the user's file has no member of this name, so nothing of it is replaced.
void check_json(JsonDialect dialect, std::string_view shipped, std::string_view users, bool is_new) {
  const Result<std::string> before = setup::read_jsonc(users, dialect);
  if (before) holds(before->size() == users.size(), "plain JSON has the offsets of the file");
  const Result<std::string> merged = setup::merged_settings(users, dialect, shipped);
  if (!merged) {
    holds(!merged.error().message.starts_with("the result would not"), "what setup writes reads back");
    return;
  }
  if (is_new) holds(is_within(users, *merged), "the user's text stays");
  const Result<std::string> again = setup::merged_settings(*merged, dialect, shipped);
  if (!again) same_text(*merged, again.error().text(), "setting up again is possible");
  same_text(*again, *merged, "setting up again changes nothing");
}

void check_lines(std::string_view comment, std::string_view lines, std::string_view users) {
  const Result<std::string> with = setup::with_marked_block(users, comment, lines);
  if (!with) return;
  if (users.find(" >>> symbols") == users.npos) holds(with->starts_with(users), "the user's text stays");
  const Result<std::string> again = setup::with_marked_block(*with, comment, lines);
  holds(again.has_value(), "setting up again is possible");
  same_text(*again, *with, "setting up again changes nothing");
}

void setup(std::string_view data) {
  static constexpr std::string_view values[] = {"1", "{}", "{\"a\": [{\"b\": [\"c\", \"h\"], \"x\": 1}]}",
                                                "\"x\"", "{\n  \"a\": [\n    1\n  ]\n}"};
  Input input(data);
  const std::size_t which = input.below(256);
  const JsonDialect dialect = input.flag() ? JsonDialect::with_comments : JsonDialect::strict;
  const std::string_view value = values[input.below(std::size(values))];
  const std::string_view users = input.rest();

  check_json(dialect, "{\n  \"lsp\": " + std::string(value) + "\n}\n", users,
             users.find("lsp") == users.npos && users.find('\\') == users.npos);
  const SetupPiece& piece = *pieces()[which % pieces().size()];
  const setup::EditorFile* const shipped = setup::editor_file(piece.source);
  holds(shipped != nullptr, "what a piece names is shipped");
  if (piece.kind == SetupPiece::Kind::lines) check_lines(piece.comment, shipped->text, users);
  // Some have placeholders.
  if (piece.kind == SetupPiece::Kind::json && setup::read_jsonc(shipped->text, JsonDialect::strict))
    check_json(piece.dialect, shipped->text, users, false);
}

const Registration registration("setup", setup);

}  // namespace symbols::fuzz::setup_target
