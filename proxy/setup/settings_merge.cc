#include "proxy/setup/settings_merge.h"

#include <optional>
#include <utility>
#include <vector>

#include "lsp/json/json.h"
#include "lsp/json/json_elements.h"
#include "lsp/json/json_members.h"
#include "proxy/setup/jsonc_text.h"
#include "proxy/setup/settings_edit.h"
#include "proxy/setup/settings_layout.h"

namespace symbols::setup {
namespace {

// The user's file, into which the values of the shipped one are set one by one.
class Merge {
 public:
  Merge(std::string_view users, JsonDialect dialect, std::string_view shipped, std::string_view plain)
      : text_(users), dialect_(dialect), shipped_(shipped), plain_(plain) {}

  // The value at `value` (byte offsets in the shipped text) under `path`. The depth comes from the table of
  // targets: at most three levels.
  Result<void> put(const SetupMember& member, const std::vector<std::string_view>& path, std::size_t line,
                   std::size_t value, std::size_t end, std::size_t depth) {
    if (!member.element_key.empty()) return put_elements(member, path, value);
    if (depth > 0 && plain_[value] == '{' && has_setting(text_, dialect_, path)) {
      lsp::JsonMembers members(plain_.substr(value));
      while (members.next() && members.value()) {
        std::vector<std::string_view> below = path;
        below.push_back(members.name());
        const Result<void> done = put(member, below, value + members.member_offset(),
                                      value + members.value_offset(), value + members.offset(), depth - 1);
        if (!done) return done;
      }
      return {};
    }
    return take(with_setting(text_, dialect_, path,
                             {shipped_.substr(value, end - value), indent_of_line(shipped_, line).size()},
                             member.only_if_absent ? WhenThere::keep : WhenThere::replace));
  }

  std::string text() && { return std::move(text_); }

 private:
  Result<void> put_elements(const SetupMember& member, const std::vector<std::string_view>& path,
                            std::size_t value) {
    Result<void> done{};
    lsp::for_each_element(plain_.substr(value), [&](std::string_view element) {
      if (!done) return;
      const auto at = static_cast<std::size_t>(element.data() - plain_.data());
      const std::size_t begin = plain_.find_first_not_of(lsp::json_whitespace, at);
      const std::size_t end = plain_.find_last_not_of(lsp::json_whitespace, at + element.size() - 1) + 1;
      done =
          take(with_element(text_, dialect_, path, member.element_key,
                            {shipped_.substr(begin, end - begin), indent_of_line(shipped_, begin).size()}));
    });
    return done;
  }

  Result<void> take(Result<EditedSettings> edited) {
    if (!edited) return edited.error();
    text_ = std::move(edited->text);
    return {};
  }

  std::string text_;
  JsonDialect dialect_;
  std::string_view shipped_;
  std::string_view plain_;
};

Result<std::string> merged_once(std::string_view users, JsonDialect dialect, std::string_view shipped,
                                std::span<const SetupMember> members) {
  const Result<PlainJson> plain = read_jsonc(shipped, JsonDialect::with_comments);
  if (!plain) return plain.error();
  Merge merge(users, dialect, shipped, plain->text);
  const std::size_t begin = plain->text.find_first_not_of(lsp::json_whitespace);
  for (const SetupMember& member : members) {
    lsp::JsonMembers root(std::string_view(plain->text).substr(begin));
    while (root.next() && root.value()) {
      if (root.name() != member.name) continue;
      const Result<void> done = merge.put(member, {member.name}, begin + root.member_offset(),
                                          begin + root.value_offset(), begin + root.offset(), member.depth);
      if (!done) return done.error();
    }
  }
  return {boost::system::in_place_value, std::move(merge).text()};
}

}  // namespace

Result<std::string> merged_settings(std::string_view users, JsonDialect dialect, std::string_view shipped,
                                    std::span<const SetupMember> members) {
  if (users.find_first_not_of(lsp::json_whitespace) == users.npos)
    return {boost::system::in_place_value, std::string(shipped)};
  Result<std::string> text = merged_once(users, dialect, shipped, members);
  if (!text) return text;
  // The result is read back: setup must never write a file that its program cannot read, or in which it does
  // not see our values.
  const Result<std::string> again = merged_once(*text, dialect, shipped, members);
  if (!again || *again != *text) {
    return Error{"the result would not read back as intended" +
                     (again ? std::string() : " (" + again.error().message + ")"),
                 "add the members by hand, and please report this"};
  }
  return text;
}

}  // namespace symbols::setup
