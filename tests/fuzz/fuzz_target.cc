#include "tests/fuzz/fuzz_target.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace symbols::fuzz {
namespace {

std::vector<NamedTarget>& registered() {
  static std::vector<NamedTarget> all;
  return all;
}

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

void holds(bool condition, std::string_view what) {
  if (condition) return;
  print("does not hold: ");
  print(what);
  print("\n");
  std::abort();
}

void same_text(std::string_view left, std::string_view right, std::string_view what) {
  if (left == right) return;
  print("--- one\n");
  print(left);
  print("\n--- other\n");
  print(right);
  print("\n---\n");
  holds(false, what);
}

Registration::Registration(std::string_view name, Target run) {
  registered().push_back({name, run});
}

std::span<const NamedTarget> targets() {
  return registered();
}

}  // namespace symbols::fuzz
