// A child's beginning and end, and this process's share of the processor.
#pragma once

#include <sys/types.h>

#include "base/descriptor.h"

namespace symbols::system {

// Becomes readable once the child has ended, and does not reap it. None, with errno: it cannot be watched.
Descriptor end_of(pid_t child);

// To be called by a child before exec: it is killed when its parent ends, if the system can.
void end_with_parent();

// A longer turn on the processor than others have, where the system has that. Of two processes that wake each
// other the one with the longer turn lets the other finish: without it a request and its reply took a fifth
// more, in needless switches between client, server and us. A child inherits it.
void take_long_turns(bool are_long);

}  // namespace symbols::system
