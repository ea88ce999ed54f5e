// Our own standard streams, made fit for the event loop without a trace: the process that started us may
// share them, and goes on to use them when we are gone.
#pragma once

#include <chrono>
#include <string_view>

#include "base/descriptor.h"

namespace symbols::relay {

// A descriptor for one of our standard streams that never blocks (but where only a regular file or a device
// can do). A pipe gets a file description of its own, so that the shared one is not touched; of anything else
// the flags are put back by the destructor.
class StandardStream {
 public:
  // `descriptor` is open, and stays so.
  explicit StandardStream(int descriptor);
  ~StandardStream();
  StandardStream(const StandardStream&) = delete;
  StandardStream& operator=(const StandardStream&) = delete;

  // Gives the descriptor away; its new owner closes it.
  int release() { return descriptor_.release(); }

 private:
  int standard_;
  Descriptor descriptor_;
  int flags_to_restore_ = -1;
};

// Writes to standard error where it is shared with a server, and so cannot be made non-blocking. What has no
// room there after `patience` is dropped: a standard error that is not read must not hold up the messages.
void write_shared_error(std::string_view text, std::chrono::milliseconds patience);

}  // namespace symbols::relay
