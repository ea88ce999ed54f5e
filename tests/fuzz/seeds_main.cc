// fuzz_seeds TARGET FOLDER: writes the seeds of a target into FOLDER, where libFuzzer begins with them.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/fuzz/seeds.h"

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: fuzz_seeds TARGET FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = arguments[2];
  std::filesystem::create_directories(folder);
  for (const symbols::fuzz::Seed& seed : symbols::fuzz::seeds_of(arguments[1])) {
    std::ofstream(folder / seed.name, std::ios::binary) << seed.bytes;
  }
  return 0;
}
