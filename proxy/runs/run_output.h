// Where a run over documents writes: our standard streams, or those of a call that another process passes on.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace symbols::runs {

class RunOutput {
 public:
  virtual ~RunOutput() = default;

  virtual void write(std::string_view text) = 0;    // to standard output
  virtual void tell(std::string_view message) = 0;  // to standard error, in one line; not escaped yet
  // The progress line of a terminal: replaced, and gone where the text is empty.
  virtual bool shows_progress() const { return false; }
  virtual void show_progress(std::string_view) {}
  // Bytes that wait for a slow reader, of standard output and in all.
  virtual std::size_t unwritten_answers() const { return 0; }
  virtual std::size_t unwritten() const { return 0; }

  std::function<void()> on_written = [] {};         // what waited has been read
  std::function<void(int)> on_broken = [](int) {};  // with errno: nobody reads standard output any more
};

// For runs whose answers are kept elsewhere.
class NoOutput : public RunOutput {
 public:
  void write(std::string_view) override {}
  void tell(std::string_view) override {}
};

}  // namespace symbols::runs
