#include "proxy/session/freed_memory.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace symbols::session {

void FreedMemory::give_back() {
  timer_ = 0;
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

}  // namespace symbols::session
