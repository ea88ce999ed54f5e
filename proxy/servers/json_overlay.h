// initializationOptions come from up to three places: the built-in list, a user's servers.json, and what a
// project that is not trusted needs.
#pragma once

#include <string>
#include <string_view>

namespace symbols::servers {

// `base` with the members of `over` put into it, objects within objects likewise; any other value replaces
// what was there. Each is the text of a JSON object, or empty; so is the result. What is no object counts as
// empty. Both come from ourselves or from a file whose nesting was bounded: writing JSON recurses.
std::string overlay_json(std::string_view base, std::string_view over);

}  // namespace symbols::servers
