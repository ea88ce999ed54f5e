// A fuzz target: a function that takes any bytes and says, with holds(), what must be true of what the
// program makes of them. Each is built twice: with clang's libFuzzer, as a program of its own that invents
// inputs (preset fuzz), and by every compiler into fuzz_replay, which runs the kept inputs
// (docs/development.md, "Fuzzing").
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace symbols::fuzz {

// Ends the process where `condition` is false, having said `what` should be true. Unlike an assertion it is
// always there.
void holds(bool condition, std::string_view what);
// The same where two texts have to be equal: shows both.
void same_text(std::string_view left, std::string_view right, std::string_view what);

using Target = void (*)(std::string_view data);

struct NamedTarget {
  std::string_view name;
  Target run = nullptr;
};

// Enters a target among those that fuzz_replay knows.
struct Registration {
  Registration(std::string_view name, Target run);
};
std::span<const NamedTarget> targets();

}  // namespace symbols::fuzz

// SYMBOLS_FUZZ_TARGET(name): once in each target's file, after its function `name` and in the same namespace,
// which is the target's own: fuzz_replay is compiled as one source.
#ifdef SYMBOLS_LIBFUZZER
#define SYMBOLS_FUZZ_TARGET(name)                                                     \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    name(std::string_view(reinterpret_cast<const char*>(data), size));                \
    return 0;                                                                         \
  }
#else
#define SYMBOLS_FUZZ_TARGET(name) const ::symbols::fuzz::Registration name##_registration(#name, name);
#endif
