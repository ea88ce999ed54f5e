#include "proxy/setup/settings_merge.h"

#include <utility>
#include <vector>

#include "lsp/json/json.h"
#include "proxy/setup/settings_edit.h"
#include "proxy/setup/settings_layout.h"

namespace symbols::setup {
namespace {

// The user's file, into which the values of the shipped one are set one by one.
struct Merge {
  std::string text;
  JsonDialect dialect;
  std::string_view shipped;
  std::string_view plain;  // the shipped one as plain JSON

  // The shipped value `item` under `path`. The depth comes from the table of targets: at most three levels.
  Result<void> put(const SetupMember& member, const std::vector<std::string_view>& path,
                   const Container::Item& item, std::size_t depth) {
    if (!member.element_key.empty()) {
      for (const Container::Item& element : array_at(plain, item.value).items) {
        const Result<void> done =
            take(with_element(text, dialect, path, member.element_key, value_of(element)));
        if (!done) return done;
      }
      return {};
    }
    if (depth > 0 && plain[item.value] == '{' && has_setting(text, dialect, path)) {
      for (const Container::Item& within : object_at(plain, item.value).items) {
        std::vector<std::string_view> below = path;
        below.push_back(within.name);
        if (const Result<void> done = put(member, below, within, depth - 1); !done) return done;
      }
      return {};
    }
    return take(with_setting(text, dialect, path, value_of(item),
                             member.only_if_absent ? WhenThere::keep : WhenThere::replace));
  }

 private:
  SettingValue value_of(const Container::Item& item) const {
    return {shipped.substr(item.value, item.end - item.value), indent_of_line(shipped, item.begin).size()};
  }

  Result<void> take(Result<std::string> edited) {
    if (!edited) return edited.error();
    text = std::move(*edited);
    return {};
  }
};

Result<std::string> merged_once(std::string_view users, JsonDialect dialect, std::string_view shipped,
                                std::span<const SetupMember> members) {
  const Result<PlainJson> plain = read_jsonc(shipped, JsonDialect::with_comments);
  if (!plain) return plain.error();
  Merge merge{std::string(users), dialect, shipped, plain->text};
  const Container root = object_at(plain->text, lsp::skip_json_whitespace(plain->text));
  for (const SetupMember& member : members) {
    for (const Container::Item& item : root.items) {
      if (item.name != member.name) continue;
      const Result<void> done = merge.put(member, {member.name}, item, member.depth);
      if (!done) return done.error();
    }
  }
  return {boost::system::in_place_value, std::move(merge.text)};
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
