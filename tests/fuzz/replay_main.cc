// fuzz_replay TARGET FOLDER: runs the target on each file in FOLDER, its kept inputs, and on the seeds that
// are made for it. An input that does not hold ends the program; its name is the last one printed.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/seeds.h"

namespace {

namespace fs = std::filesystem;

void run(const symbols::fuzz::NamedTarget& target, const std::string& name, const std::string& bytes) {
  std::printf("%s\n", name.c_str());
  std::fflush(stdout);
  target.run(bytes);
}

int replay(const symbols::fuzz::NamedTarget& target, const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::ifstream stream(file, std::ios::binary);
    run(target, file.filename().string(), {std::istreambuf_iterator<char>(stream), {}});
    if (!stream) {
      std::fprintf(stderr, "fuzz_replay: cannot read %s\n", file.c_str());
      return 1;
    }
  }
  const std::vector<symbols::fuzz::Seed> seeds = symbols::fuzz::seeds_of(target.name);
  for (const symbols::fuzz::Seed& seed : seeds) run(target, "seed " + seed.name, seed.bytes);
  std::printf("%zu kept inputs and %zu seeds hold\n", files.size(), seeds.size());
  return files.empty() && seeds.empty() ? 1 : 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 3) {
    for (const symbols::fuzz::NamedTarget& target : symbols::fuzz::targets()) {
      if (target.name == arguments[1]) return replay(target, arguments[2]);
    }
  }
  std::fprintf(stderr, "usage: fuzz_replay TARGET FOLDER\n");
  return 2;
}
