#include "proxy/files/ignore_glob.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

namespace symbols::files {
namespace {

constexpr std::size_t npos = std::string_view::npos;

struct CharacterClass {
  std::string_view name;
  int (*has)(int);
};

constexpr std::array<CharacterClass, 12> character_classes{{
    {"alnum", std::isalnum},
    {"alpha", std::isalpha},
    {"blank", std::isblank},
    {"cntrl", std::iscntrl},
    {"digit", std::isdigit},
    {"graph", std::isgraph},
    {"lower", std::islower},
    {"print", std::isprint},
    {"punct", std::ispunct},
    {"space", std::isspace},
    {"upper", std::isupper},
    {"xdigit", std::isxdigit},
}};

// What a pattern's `[…]` says of one byte.
struct SetMatch {
  bool matches = false;
  std::size_t end = npos;  // just after the `]`; npos where the set is malformed
};

// `open` is the place of the `[`.
SetMatch match_set(std::string_view pattern, std::size_t open, char byte) {
  const auto value = static_cast<unsigned char>(byte);
  std::size_t p = open + 1;
  const bool negated = p < pattern.size() && (pattern[p] == '!' || pattern[p] == '^');
  if (negated) ++p;

  bool found = false;
  bool range_may_start = false;
  unsigned char range_start = 0;
  const auto take = [&](char member) {
    range_start = static_cast<unsigned char>(member);
    range_may_start = true;
    found = found || range_start == value;
  };
  // A `]` in first place is a member.
  for (const std::size_t first = p; p < pattern.size(); ++p) {
    const char c = pattern[p];
    const char next = p + 1 < pattern.size() ? pattern[p + 1] : '\0';
    if (c == ']' && p != first) return {found != negated && byte != '/', p + 1};
    if (c == '\\') {
      if (++p == pattern.size()) return {};
      take(pattern[p]);
    } else if (c == '-' && range_may_start && next != '\0' && next != ']') {
      if (pattern[++p] == '\\' && ++p == pattern.size()) return {};
      found = found || (range_start <= value && value <= static_cast<unsigned char>(pattern[p]));
      range_may_start = false;
    } else if (c == '[' && next == ':') {
      const std::size_t close = pattern.find(']', p + 2);
      if (close == npos) return {};
      if (close < p + 3 || pattern[close - 1] != ':') {
        take('[');
        continue;
      }
      const std::string_view name = pattern.substr(p + 2, close - 1 - (p + 2));
      bool named = false;
      for (const CharacterClass& known : character_classes) {
        if (known.name != name) continue;
        named = true;
        found = found || (value < 0x80 && known.has(value) != 0);
      }
      if (!named) return {};
      range_may_start = false;
      p = close;
    } else {
      take(c);
    }
  }
  return {};
}

// Matches the one-byte element at pattern[p] against `byte`; the place after the element, or npos for no
// match.
std::size_t match_one(std::string_view pattern, std::size_t p, char byte) {
  switch (pattern[p]) {
    case '?':
      return byte != '/' ? p + 1 : npos;
    case '[': {
      const SetMatch set = match_set(pattern, p, byte);
      return set.matches ? set.end : npos;
    }
    case '\\':
      return p + 1 < pattern.size() && pattern[p + 1] == byte ? p + 2 : npos;
    default:
      return pattern[p] == byte ? p + 1 : npos;
  }
}

// Where to go on after a mismatch: what follows a `*` or `**` in the pattern, tried from a later place of the
// path.
struct Retry {
  std::size_t pattern = npos;  // npos: none
  std::size_t path = 0;
};

}  // namespace

bool ignore_glob_matches(std::string_view pattern, std::string_view path) {
  // One place to go back to is enough for `*`, and one for `**`: what an earlier star could still give up
  // lies within what the later one can reach. A `*` has at most the rest of its path part, a `**` all that
  // follows.
  Retry star;
  Retry folders;
  bool whole_folders = false;
  std::size_t p = 0;
  std::size_t t = 0;
  for (;;) {
    if (p < pattern.size() && pattern[p] == '*') {
      const std::size_t after = std::min(pattern.find_first_not_of('*', p), pattern.size());
      const bool at_start = p == 0 || pattern[p - 1] == '/';
      const std::string_view rest = pattern.substr(after);
      if (after - p >= 2 && at_start && rest.empty()) return true;
      if (after - p >= 2 && at_start && (rest.starts_with('/') || rest.starts_with("\\/"))) {
        // Before a `/`, no folder at all will do, and then there is no `/` either; before an escaped one it
        // must be.
        whole_folders = rest.starts_with('/');
        p = whole_folders ? after + 1 : after;
        folders = {p, t};
        star = {};
      } else {
        p = after;
        star = {p, t};
      }
      continue;
    }
    if (p == pattern.size() && t == path.size()) return true;
    if (p < pattern.size() && t < path.size()) {
      const std::size_t next = match_one(pattern, p, path[t]);
      if (next != npos) {
        p = next;
        ++t;
        continue;
      }
    }
    if (star.pattern != npos && star.path < path.size() && path[star.path] != '/') {
      p = star.pattern;
      t = ++star.path;
      continue;
    }
    if (folders.pattern == npos) return false;
    const std::size_t passed = whole_folders ? path.find('/', folders.path) : folders.path;
    if (passed >= path.size()) return false;
    p = folders.pattern;
    t = folders.path = passed + 1;
    star = {};
  }
}

}  // namespace symbols::files
