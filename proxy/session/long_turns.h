// A longer turn on the processor for the proxy than others have (SCHED_OTHER's slice, which Linux 6.12 and
// later take from here). Of two processes that wake each other the one with the longer turn lets the other
// finish: without it a request and its reply took a fifth more, in needless switches between client, server
// and us. Measured with other work on the same core too, where it helps more.
#pragma once

namespace symbols::session {

// A child inherits it: to be taken after a server is started, and given back before the next one is.
void take_long_turns();
void take_usual_turns();

}  // namespace symbols::session
