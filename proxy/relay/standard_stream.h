// Our own standard input and output, made fit for the proxy's loop without a trace: whoever started us may
// share them, and goes on to use them when we are gone.
#pragma once

namespace symbols::relay {

// A descriptor for one of our standard streams that never blocks (but where only a regular file or a device
// can do). A pipe gets a file description of its own, so that the shared one is not touched; of anything else
// the flags are put back by the destructor.
class StandardStream {
 public:
  // `descriptor` is 0 or 1 and open.
  explicit StandardStream(int descriptor);
  ~StandardStream();
  StandardStream(const StandardStream&) = delete;
  StandardStream& operator=(const StandardStream&) = delete;

  // Gives the descriptor away; who has it closes it.
  int release();

 private:
  int standard_;
  int descriptor_;
  int flags_to_restore_ = -1;
};

}  // namespace symbols::relay
