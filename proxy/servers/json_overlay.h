// Merges initializationOptions, which come from up to three places: the built-in list, a user's servers.json,
// and the additions for untrusted projects.
#pragma once

#include <string>
#include <string_view>

namespace symbols::servers {

// `base` with the members of `over` merged into it, nested objects too; any other value replaces the old one.
// Each is the text of a JSON object, or empty; so is the result. Anything but an object counts as empty. Both
// must come from ourselves or from a file whose nesting was bounded: writing JSON recurses.
std::string overlay_json(std::string_view base, std::string_view over);

}  // namespace symbols::servers
