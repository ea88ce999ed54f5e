#include "proxy/index/name_match.h"

#include <algorithm>

#include "base/text.h"

namespace symbols::index {
namespace {

bool is_equal(char one, char other) {
  return lower_case(one) == lower_case(other);
}
bool is_of_word(char c) {
  return is_letter(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80;
}

// `HTTPServer_v2`: at H, S, v, 2.
bool starts_word(std::string_view name, std::size_t at) {
  if (!is_of_word(name[at])) return false;
  if (at == 0 || !is_of_word(name[at - 1])) return true;
  const char before = name[at - 1];
  if (is_upper(name[at])) return !is_upper(before) || (at + 1 < name.size() && is_lower(name[at + 1]));
  return is_digit(name[at]) && !is_digit(before);
}

// Names and queries are short: trying each start of a word anew is quick. `steps` bounds the cost of others.
bool fits_words(std::string_view name, std::string_view query, std::size_t from, bool goes_on, int& steps) {
  if (query.empty()) return true;
  if (++steps > 2000) return false;
  if (goes_on && from < name.size() && is_equal(name[from], query.front()) &&
      fits_words(name, query.substr(1), from + 1, true, steps)) {
    return true;
  }
  for (std::size_t at = from; at < name.size(); ++at) {
    if (is_equal(name[at], query.front()) && starts_word(name, at) &&
        fits_words(name, query.substr(1), at + 1, true, steps)) {
      return true;
    }
  }
  return false;
}

// Lists of words, which single spaces separate.
constexpr std::string_view support_folders =
    "test tests testing testdata __tests__ __mocks__ spec specs e2e fixture fixtures mocks example examples "
    "sample samples demo demos bench benches benchmark benchmarks doc docs templates static locale "
    "locales vendor vendored _vendor third_party third-party node_modules generated gen";
constexpr std::string_view support_words =
    "test tests unittest spec bench benchmark perftest stories fixture fixtures conftest min generated gen "
    "pb pb2";
constexpr std::string_view support_ends =
    "css scss sass less html htm svg xml json jsonc yaml yml toml md rst txt po";
bool ends_with_any(std::string_view path, std::initializer_list<std::string_view> ends) {
  return std::ranges::any_of(ends, [path](std::string_view end) { return path.ends_with(end); });
}

bool is_built(std::string_view path) {
  if (ends_with_any(path, {".d.ts", ".d.mts", ".d.cts", ".cjs", ".min.js", ".pyi"})) return true;
  const std::string folders = "/" + std::string(path);
  const auto is_in = [&](std::string_view folder) { return folders.find(folder) != folders.npos; };
  if (path.ends_with(".py")) return is_in("/build/lib/");
  return ends_with_any(path, {".js", ".mjs"}) && (is_in("/build/") || is_in("/dist/") || is_in("/out/"));
}

bool is_support(std::string_view path) {
  std::vector<std::string_view> parts = split(path, '/');
  std::string name(parts.back());
  parts.pop_back();
  if (std::ranges::any_of(parts, [](std::string_view folder) { return is_among(folder, support_folders); }))
    return true;
  const std::size_t dot = name.rfind('.');
  if (dot != name.npos && is_among(std::string_view(name).substr(dot + 1), support_ends)) return true;
  name.resize(std::min(dot, name.size()));
  std::ranges::replace_if(
      name, [](char c) { return c == '.' || c == '-'; }, '_');
  const std::vector<std::string_view> words = split(name, '_');
  return !words.empty() && (words.front() == "test" || is_among(words.back(), support_words));
}

}  // namespace

std::optional<NameFit> name_fit(std::string_view name, std::string_view query) {
  if (query.empty() || query.size() > name.size()) return {};
  const auto begin = name.begin();
  auto found = std::search(begin, name.end(), query.begin(), query.end(), is_equal);
  if (found == name.end()) {
    int steps = 0;
    if (fits_words(name, query, 0, false, steps)) return NameFit::words;
    return {};
  }
  if (found == begin) {
    const bool same_case = name.starts_with(query);
    if (query.size() == name.size()) return same_case ? NameFit::exact_case : NameFit::exact;
    return same_case ? NameFit::prefix_case : NameFit::prefix;
  }
  return has_word_start(name, query) ? NameFit::word_start : NameFit::inside;
}

bool has_word_start(std::string_view name, std::string_view word) {
  const auto next = [&](auto from) {
    return std::search(from, name.end(), word.begin(), word.end(), is_equal);
  };
  for (auto found = next(name.begin()); found != name.end(); found = next(found + 1)) {
    if (starts_word(name, static_cast<std::size_t>(found - name.begin()))) return true;
  }
  return false;
}

QualifiedName split_name(std::string_view text) {
  const std::size_t colons = text.rfind("::");
  const std::size_t dot = text.rfind('.');
  const std::size_t start = std::max(colons == text.npos ? 0 : colons + 2, dot == text.npos ? 0 : dot + 1);
  if (start == 0 || start == text.size()) return {{}, text};
  return {text.substr(0, start == colons + 2 && colons != text.npos ? colons : start - 1),
          text.substr(start)};
}

std::string scope_of(std::string_view container, std::string_view name) {
  std::string scope;
  for (const std::string_view part : {container, split_name(name).qualifier}) {
    if (!scope.empty() && !part.empty()) scope += "::";
    int depth = 0;
    for (const char c : part) {
      if (c == '>') --depth;
      if (c == '.' || c == '/')
        scope += "::";
      else if (depth == 0 && std::string_view("(*)&<>").find(c) == std::string_view::npos)
        scope += c;
      if (c == '<') ++depth;
    }
  }
  return scope;
}

bool has_parts(std::string_view path, std::string_view scope) {
  const std::string parts = "::" + scope_of(path, {}) + "::";
  return parts.find("::" + std::string(scope) + "::") != parts.npos;
}

bool may_be_one_scope(std::string_view one, std::string_view other) {
  if (one.size() < other.size()) std::swap(one, other);
  if (other.empty()) return one.empty();
  const std::string_view before = one.substr(0, one.size() - other.size());
  return std::ranges::equal(one.substr(before.size()), other, is_equal) &&
         (before.empty() || before.ends_with("::"));
}

FileRole file_role(std::string_view path) {
  if (is_built(path)) return FileRole::built;
  return is_support(in_lower_case(path)) ? FileRole::support : FileRole::source;
}

}  // namespace symbols::index
