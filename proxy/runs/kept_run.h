// A run over documents by servers that stay, for the doors that have a call after the other: the process of
// --warm and the server of the Model Context Protocol.
#pragma once

#include <functional>
#include <memory>

#include "proxy/batch/document_inputs.h"
#include "proxy/batch/warm_servers.h"
#include "proxy/relay/event_loop.h"
#include "proxy/runs/document_run.h"
#include "proxy/runs/run_output.h"

namespace symbols::runs {

// The limits of the servers that stay, by the user's settings.
batch::WarmLimits warm_limits(const options::AnswerOptions& settings);

// What is asked, and of which documents.
struct KeptRun {
  Dump dump;
  batch::DocumentInputs inputs;
};

// False where a server would have several documents open and its answers depend on what else it has open:
// such a run needs servers of its own.
bool may_use_kept_servers(const KeptRun& run);

// The run, by servers of `servers`; where it may not use them, by servers of its own. `loop`, `servers` and
// `output` outlive it; `on_end` as DocumentRun's. The words of the question's arguments, without the paths at
// their end, tell its answers from those to other questions.
std::unique_ptr<DocumentRun> make_kept_run(relay::EventLoop& loop, batch::WarmServers& servers, KeptRun run,
                                           RunOutput& output, std::function<void()> on_end);

}  // namespace symbols::runs
