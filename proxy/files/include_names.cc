#include "proxy/files/include_names.h"

#include <re2/re2.h>

#include <set>

namespace symbols::files {

std::vector<std::string> include_names(std::string_view text) {
  // Up to the end of the line, as the next search takes the place behind for the start of one.
  static const re2::RE2 line(
      R"((?m)^(?:\xEF\xBB\xBF)?[ \t]*#[ \t]*(?:include|include_next|import)[ \t]*(?:("[^"\r\n]+)"|(<[^>\r\n]+)>)[^\n]*)",
      re2::RE2::Latin1);
  std::set<std::string> names;
  re2::StringPiece rest(text.data(), text.size());
  for (std::string quoted, angled; re2::RE2::FindAndConsume(&rest, line, &quoted, &angled);)
    names.insert(quoted + angled);
  return {names.begin(), names.end()};
}

}  // namespace symbols::files
