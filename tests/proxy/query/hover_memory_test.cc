#include "proxy/query/hover_memory.h"

#include <doctest/doctest.h>

using namespace symbols;
using namespace symbols::query;

namespace {

constexpr std::size_t plenty = 1U << 20U;

std::string found(HoverMemory& memory, std::string_view uri, lsp::Position position, std::string_view name) {
  const table::HoverText* text = memory.find(uri, position, name);
  return text == nullptr ? "-" : text->signature;
}

// What one hover of `size` bytes costs in a document that is known already.
std::size_t cost_of(std::size_t size) {
  HoverMemory memory(plenty);
  memory.remember("a", {0, 0}, "s", {"", ""});
  const std::size_t before = memory.bytes();
  memory.remember("a", {1, 0}, "s", {std::string(size, 'x'), ""});
  return memory.bytes() - before;
}

}  // namespace

TEST_CASE("a hover is found by its document, its place and the name there") {
  HoverMemory memory(plenty);
  memory.remember("a", {1, 2}, "f", {"of f", "prose"});
  memory.remember("a", {1, 2}, "g", {"of g", ""});
  memory.remember("b", {1, 2}, "f", {"of b", ""});
  CHECK(found(memory, "a", {1, 2}, "f") == "of f");
  CHECK(memory.find("a", {1, 2}, "f")->prose == "prose");
  CHECK(found(memory, "a", {1, 2}, "g") == "of g");
  CHECK(found(memory, "b", {1, 2}, "f") == "of b");
  CHECK(found(memory, "b", {1, 2}, "g") == "-");
  CHECK(found(memory, "a", {2, 1}, "f") == "-");
  CHECK(found(memory, "a", {1, 3}, "f") == "-");
  CHECK(found(memory, "c", {1, 2}, "f") == "-");
}

TEST_CASE("what is forgotten leaves nothing, and takes nothing") {
  HoverMemory memory(plenty);
  CHECK(memory.bytes() == 0);
  memory.remember("a", {0, 0}, "f", {"a", ""});
  const std::size_t one = memory.bytes();
  memory.remember("b", {0, 0}, "f", {"b", ""});
  memory.forget("a");
  CHECK(memory.bytes() == one);
  CHECK(found(memory, "a", {0, 0}, "f") == "-");
  CHECK(found(memory, "b", {0, 0}, "f") == "b");
  memory.forget("a");
  memory.forget("never seen");
  CHECK(memory.bytes() == one);
  memory.forget_all();
  CHECK(memory.bytes() == 0);
  CHECK(found(memory, "b", {0, 0}, "f") == "-");
}

TEST_CASE("the newer text of a place replaces the older") {
  HoverMemory memory(plenty);
  memory.remember("a", {0, 0}, "f", {"old", ""});
  const std::size_t before = memory.bytes();
  memory.remember("a", {0, 0}, "f", {"newer", ""});
  CHECK(found(memory, "a", {0, 0}, "f") == "newer");
  CHECK(memory.bytes() == before + 2);
}

TEST_CASE("over the bound the document that was used longest ago goes, whole") {
  HoverMemory memory(4 * cost_of(1000) + 2000);
  const table::HoverText text{std::string(1000, 'x'), ""};
  memory.remember("a", {0, 0}, "f", text);
  memory.remember("a", {1, 0}, "f", text);
  memory.remember("b", {0, 0}, "f", text);
  memory.remember("c", {0, 0}, "f", text);
  CHECK(found(memory, "a", {0, 0}, "f") != "-");  // which uses it
  memory.remember("d", {0, 0}, "f", text);
  CHECK(found(memory, "b", {0, 0}, "f") == "-");
  CHECK(found(memory, "a", {0, 0}, "f") != "-");
  CHECK(found(memory, "c", {0, 0}, "f") != "-");
  CHECK(found(memory, "d", {0, 0}, "f") != "-");
  memory.remember("e", {0, 0}, "f", text);
  CHECK(found(memory, "a", {0, 0}, "f") == "-");
  CHECK(found(memory, "a", {1, 0}, "f") == "-");
  CHECK(found(memory, "c", {0, 0}, "f") != "-");
}

TEST_CASE("it never holds more than its bound, and a document too large for it keeps what fits") {
  const std::size_t bound = 10 * cost_of(1000);
  HoverMemory memory(bound);
  const table::HoverText text{std::string(1000, 'x'), ""};
  memory.remember("small", {0, 0}, "f", text);
  std::size_t kept = 0;
  for (std::uint32_t line = 0; line < 50; ++line) {
    memory.remember("large", {line, 0}, "f", text);
    CHECK(memory.bytes() <= bound);
  }
  for (std::uint32_t line = 0; line < 50; ++line) {
    kept += memory.find("large", {line, 0}, "f") == nullptr ? 0 : 1;
  }
  CHECK(kept == 9);
  CHECK(found(memory, "large", {0, 0}, "f") != "-");
  CHECK(found(memory, "small", {0, 0}, "f") == "-");
  memory.remember("other", {0, 0}, "f", {std::string(bound, 'x'), ""});
  CHECK(found(memory, "other", {0, 0}, "f") == "-");
  CHECK(found(memory, "large", {0, 0}, "f") != "-");
}

TEST_CASE("with no room at all nothing is kept") {
  HoverMemory memory(0);
  memory.remember("a", {0, 0}, "f", {"x", ""});
  CHECK(found(memory, "a", {0, 0}, "f") == "-");
  CHECK(memory.bytes() == 0);
}
