// What is shipped for a settings file, put into somebody's: as deep as the settings are that they may have
// put members of their own into.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "proxy/setup/jsonc_text.h"

namespace symbols::setup {

// A member of the shipped JSON, and how it is put into the user's.
struct SetupMember {
  std::string_view name;
  // Down to how many levels below its value, where that is an object, members are put in one by one; what the
  // user has beside them there stays. 0: the value replaces the user's as a whole.
  std::size_t depth = 0;
  bool only_if_absent = false;  // such as "$schema"
  // Not empty: the value is an array of objects, which are told apart by this member of theirs.
  std::string_view element_key = {};
};

// `users` with the `members` of `shipped`, which is JSON laid out as in editors/. A text of blanks becomes
// the shipped one. Read back and merged again, the result is the same. Errors: with_setting's and
// with_element's.
Result<std::string> merged_settings(std::string_view users, JsonDialect dialect, std::string_view shipped,
                                    std::span<const SetupMember> members);

}  // namespace symbols::setup
