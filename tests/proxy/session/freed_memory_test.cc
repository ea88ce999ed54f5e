#include "proxy/session/freed_memory.h"

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <fstream>
#include <memory>
#include <vector>

#include "tests/proxy/relay/scripted_timers.h"

namespace symbols::session {
namespace {

using std::chrono::seconds;

TEST_CASE("freed memory: given back once after use, and an idle session sets no timer") {
  relay::ScriptedTimers timers;
  FreedMemory freed(timers);
  timers.pass(seconds(100));
  CHECK(timers.waiting() == 0);
  freed.used();
  freed.used();
  CHECK(timers.waiting() == 1);
  timers.pass(FreedMemory::kept_for);
  CHECK(timers.waiting() == 0);
  freed.used();
  CHECK(timers.waiting() == 1);
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
std::size_t resident_pages() {
  std::ifstream statm("/proc/self/statm");
  std::size_t size = 0, resident = 0;
  statm >> size >> resident;
  return resident;
}

TEST_CASE("freed memory: the system gets it though something that is used lies above it") {
  relay::ScriptedTimers timers;
  FreedMemory freed(timers);
  std::vector<std::unique_ptr<std::array<char, 1000>>> blocks(20'000);
  for (auto& block : blocks) {
    block = std::make_unique<std::array<char, 1000>>();
    block->fill('x');
  }
  blocks.erase(blocks.begin(), blocks.end() - 1);
  const std::size_t before = resident_pages();
  freed.used();
  timers.pass(FreedMemory::kept_for);
  CHECK(resident_pages() + 4000 < before);  // of 4,882
  CHECK(blocks.front()->back() == 'x');
}
#endif

}  // namespace
}  // namespace symbols::session
