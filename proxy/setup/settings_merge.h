// Merges the shipped settings into a user's file, down to the depth at which users add their own members.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "proxy/setup/jsonc_text.h"

namespace symbols::setup {

// A member of the shipped JSON, and how it is merged into the user's file.
struct SetupMember {
  std::string_view name;
  // The number of levels below its value (if that is an object) at which members are set one by one; the
  // user's other members there stay. 0: the value replaces the user's as a whole.
  std::size_t depth = 0;
  bool only_if_absent = false;  // such as "$schema"
  // Not empty: the value is an array of objects, which are identified by this member.
  std::string_view element_key = {};
};

// `users` with the `members` of `shipped`, which is JSON laid out as in editors/. A blank text becomes the
// shipped one. Merging again does not change the result. Errors: those of with_setting and with_element.
Result<std::string> merged_settings(std::string_view users, JsonDialect dialect, std::string_view shipped,
                                    std::span<const SetupMember> members);

}  // namespace symbols::setup
