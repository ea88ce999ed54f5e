// One run of the program over documents: finds them and their servers, runs the loop, writes all output and
// leaves no process behind, whatever happens. The caller gives the question and the output.
#pragma once

#include <functional>
#include <memory>

#include "proxy/batch/document_inputs.h"
#include "proxy/cli/answer_sink.h"
#include "proxy/cli/command_line.h"
#include "proxy/query/document_inquiry.h"

namespace symbols::cli {

// `out` takes text for standard output, `tell` a message for standard error, not escaped.
using MakeSink = std::function<std::unique_ptr<AnswerSink>(const batch::DocumentInputs& inputs,
                                                           AnswerSink::Write out, AnswerSink::Write tell)>;

// Asks `inquiry` about each document in `arguments`, which also has the timeouts. Returns the exit status
// (docs/spec.md, section 8). Does not return if a signal ends the run.
int run_documents(const DumpArguments& arguments, query::InquiryOptions inquiry, const MakeSink& make_sink);

}  // namespace symbols::cli
