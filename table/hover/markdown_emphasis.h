// Pairs emphasis marks (CommonMark 0.31, section 6.2, "delimiter runs").
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace symbols::table {

// A run of one mark, such as `**`.
struct DelimiterRun {
  char mark = '*';         // '*', '_' or '~' (struck out: `~~` only)
  std::size_t length = 0;  // in marks
  std::size_t offset = 0;  // for the caller: its position
  bool can_open = false;   // emphasis
  bool can_close = false;
  std::size_t unused = 0;  // marks not yet part of emphasis; set by add()
};

// Pairs runs as they come. Time is linear in the number of marks: an opener is found without a search, and
// the runs between two partners are dropped with them.
class EmphasisPairs {
 public:
  void add(DelimiterRun run);

  // All runs in order: `length - unused` marks of each are emphasis, the others are text.
  const std::vector<DelimiterRun>& runs() const { return runs_; }

 private:
  // Openers that are equal for a closer, the latest last. By CommonMark's rule of three, the length modulo 3
  // and whether the run can also close matter.
  static constexpr std::size_t bucket_count = 18;  // marks times "can close" times 3
  static std::size_t bucket_of(const DelimiterRun& run);

  std::vector<DelimiterRun> runs_;
  std::array<std::vector<std::size_t>, bucket_count> openers_;
};

}  // namespace symbols::table
