// fuzz_seeds TARGET SEEDS KEPT: writes the seeds of a target and its kept inputs into two folders, where
// libFuzzer begins with them.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/fuzz/seeds.h"

namespace {

void write(const std::filesystem::path& folder, const std::vector<symbols::fuzz::Seed>& inputs) {
  std::filesystem::create_directories(folder);
  for (const symbols::fuzz::Seed& input : inputs)
    std::ofstream(folder / input.name, std::ios::binary) << input.bytes;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) {
    std::fprintf(stderr, "usage: fuzz_seeds TARGET SEEDS KEPT\n");
    return 2;
  }
  write(arguments[2], symbols::fuzz::seeds_of(arguments[1]));
  write(arguments[3], symbols::fuzz::kept_inputs_of(arguments[1]));
  return 0;
}
