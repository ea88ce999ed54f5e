// fuzz_replay TARGET: runs the target on its kept inputs and on the seeds that are made for it. An input that
// does not hold ends the program; its name is the last one printed.
#include <cstdio>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/seeds.h"

namespace {

using symbols::fuzz::Seed;

int replay(const symbols::fuzz::NamedTarget& target) {
  const std::vector<Seed> kept = symbols::fuzz::kept_inputs_of(target.name);
  const std::vector<Seed> seeds = symbols::fuzz::seeds_of(target.name);
  for (const std::vector<Seed>& inputs : {kept, seeds}) {
    for (const Seed& input : inputs) {
      std::printf("%s\n", input.name.c_str());
      std::fflush(stdout);
      target.run(input.bytes);
    }
  }
  std::printf("%zu kept inputs and %zu seeds hold\n", kept.size(), seeds.size());
  return kept.empty() ? 1 : 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 2) {
    for (const symbols::fuzz::NamedTarget& target : symbols::fuzz::targets()) {
      if (target.name == arguments[1]) return replay(target);
    }
  }
  std::fprintf(stderr, "usage: fuzz_replay TARGET\n");
  return 2;
}
