// What a server wrote last on its standard error: most often the only reason that anybody gives for its end.
#pragma once

#include <string>
#include <string_view>

namespace symbols::process {

// Keeps the last few KiB, whatever comes.
class StderrTail {
 public:
  void add(std::string_view bytes);

  // The last lines that are not blank, at most three, as one quoted piece of text that can do a terminal no
  // harm; empty where nothing was written.
  std::string text() const;

 private:
  static constexpr std::size_t limit_ = 4096;
  std::string tail_;
};

}  // namespace symbols::process
