#include "proxy/index/path_role.h"

#include <algorithm>
#include <string>

#include "base/ascii.h"
#include "base/split.h"

namespace symbols::index {
namespace {

// Lists of words, which single spaces separate.
constexpr std::string_view secondary_folders =
    "test tests testing testdata __tests__ __mocks__ spec specs e2e fixture fixtures mocks example examples "
    "sample samples demo demos bench benches benchmark benchmarks doc docs templates static locale "
    "locales vendor vendored _vendor third_party third-party node_modules generated gen";
constexpr std::string_view secondary_words =
    "test tests unittest spec bench benchmark perftest stories fixture fixtures conftest min generated gen "
    "pb pb2";
constexpr std::string_view secondary_ends =
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
  if (std::ranges::any_of(parts, [](std::string_view folder) { return is_among(folder, secondary_folders); }))
    return true;
  const std::size_t dot = name.rfind('.');
  if (dot != name.npos && is_among(std::string_view(name).substr(dot + 1), secondary_ends)) return true;
  name.resize(std::min(dot, name.size()));
  std::ranges::replace_if(
      name, [](char c) { return c == '.' || c == '-'; }, '_');
  const std::vector<std::string_view> words = split(name, '_');
  return !words.empty() && (words.front() == "test" || is_among(words.back(), secondary_words));
}

}  // namespace

FileRole file_role(std::string_view path) {
  if (is_built(path)) return FileRole::built;
  return is_support(in_lower_case(path)) ? FileRole::support : FileRole::source;
}

}  // namespace symbols::index
