#include "proxy/query/hover_cache.h"

#include <doctest/doctest.h>

using namespace symbols;
using namespace symbols::query;

namespace {

constexpr std::size_t plenty = 1U << 20U;

std::string found(HoverCache& cache, std::string_view uri, lsp::Position position, std::string_view name) {
  const table::HoverText* text = cache.find(uri, position, name);
  return text == nullptr ? "-" : text->signature;
}

// What one hover of `size` bytes costs in a document that is known already.
std::size_t cost_of(std::size_t size) {
  HoverCache cache(plenty);
  cache.store("a", {0, 0}, "s", {"", ""});
  const std::size_t before = cache.bytes();
  cache.store("a", {1, 0}, "s", {std::string(size, 'x'), ""});
  return cache.bytes() - before;
}

}  // namespace

TEST_CASE("a hover is found by its document, its position and the name there") {
  HoverCache cache(plenty);
  cache.store("a", {1, 2}, "f", {"of f", "prose"});
  cache.store("a", {1, 2}, "g", {"of g", ""});
  cache.store("b", {1, 2}, "f", {"of b", ""});
  CHECK(found(cache, "a", {1, 2}, "f") == "of f");
  CHECK(cache.find("a", {1, 2}, "f")->prose == "prose");
  CHECK(found(cache, "a", {1, 2}, "g") == "of g");
  CHECK(found(cache, "b", {1, 2}, "f") == "of b");
  CHECK(found(cache, "b", {1, 2}, "g") == "-");
  CHECK(found(cache, "a", {2, 1}, "f") == "-");
  CHECK(found(cache, "a", {1, 3}, "f") == "-");
  CHECK(found(cache, "c", {1, 2}, "f") == "-");
}

TEST_CASE("what is invalidated leaves nothing behind and takes no room") {
  HoverCache cache(plenty);
  CHECK(cache.bytes() == 0);
  cache.store("a", {0, 0}, "f", {"a", ""});
  const std::size_t one = cache.bytes();
  cache.store("b", {0, 0}, "f", {"b", ""});
  cache.invalidate("a");
  CHECK(cache.bytes() == one);
  CHECK(found(cache, "a", {0, 0}, "f") == "-");
  CHECK(found(cache, "b", {0, 0}, "f") == "b");
  cache.invalidate("a");
  cache.invalidate("never seen");
  CHECK(cache.bytes() == one);
  cache.clear();
  CHECK(cache.bytes() == 0);
  CHECK(found(cache, "b", {0, 0}, "f") == "-");
}

TEST_CASE("the newer text of a position replaces the older") {
  HoverCache cache(plenty);
  cache.store("a", {0, 0}, "f", {"old", ""});
  const std::size_t before = cache.bytes();
  cache.store("a", {0, 0}, "f", {"newer", ""});
  CHECK(found(cache, "a", {0, 0}, "f") == "newer");
  CHECK(cache.bytes() == before + 2);
}

TEST_CASE("over the bound the least recently used document is evicted whole") {
  HoverCache cache(4 * cost_of(1000) + 2000);
  const table::HoverText text{std::string(1000, 'x'), ""};
  cache.store("a", {0, 0}, "f", text);
  cache.store("a", {1, 0}, "f", text);
  cache.store("b", {0, 0}, "f", text);
  cache.store("c", {0, 0}, "f", text);
  CHECK(found(cache, "a", {0, 0}, "f") != "-");  // which uses it
  cache.store("d", {0, 0}, "f", text);
  CHECK(found(cache, "b", {0, 0}, "f") == "-");
  CHECK(found(cache, "a", {0, 0}, "f") != "-");
  CHECK(found(cache, "c", {0, 0}, "f") != "-");
  CHECK(found(cache, "d", {0, 0}, "f") != "-");
  cache.store("e", {0, 0}, "f", text);
  CHECK(found(cache, "a", {0, 0}, "f") == "-");
  CHECK(found(cache, "a", {1, 0}, "f") == "-");
  CHECK(found(cache, "c", {0, 0}, "f") != "-");
}

TEST_CASE("it never holds more than its bound, and a document too large for it keeps what fits") {
  const std::size_t bound = 10 * cost_of(1000);
  HoverCache cache(bound);
  const table::HoverText text{std::string(1000, 'x'), ""};
  cache.store("small", {0, 0}, "f", text);
  std::size_t kept = 0;
  for (std::uint32_t line = 0; line < 50; ++line) {
    cache.store("large", {line, 0}, "f", text);
    CHECK(cache.bytes() <= bound);
  }
  for (std::uint32_t line = 0; line < 50; ++line) {
    kept += cache.find("large", {line, 0}, "f") == nullptr ? 0 : 1;
  }
  CHECK(kept == 9);
  CHECK(found(cache, "large", {0, 0}, "f") != "-");
  CHECK(found(cache, "small", {0, 0}, "f") == "-");
  cache.store("other", {0, 0}, "f", {std::string(bound, 'x'), ""});
  CHECK(found(cache, "other", {0, 0}, "f") == "-");
  CHECK(found(cache, "large", {0, 0}, "f") != "-");
}

TEST_CASE("with no room at all nothing is kept") {
  HoverCache cache(0);
  cache.store("a", {0, 0}, "f", {"x", ""});
  CHECK(found(cache, "a", {0, 0}, "f") == "-");
  CHECK(cache.bytes() == 0);
}
