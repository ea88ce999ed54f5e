// One run of the program over documents: finds them and their servers, runs the loop, and sees to it that
// what is printed comes out and that no process is left, whatever happens. What is asked and what is printed
// are given.
#pragma once

#include <functional>
#include <memory>

#include "proxy/batch/document_inputs.h"
#include "proxy/cli/answer_sink.h"
#include "proxy/cli/command_line.h"
#include "proxy/query/document_inquiry.h"

namespace symbols::cli {

// Whether what goes to this descriptor may be coloured.
bool colour_wanted(int descriptor);

// `out` takes what goes to standard output, `tell` a message for standard error, not escaped.
using MakeSink = std::function<std::unique_ptr<AnswerSink>(const batch::DocumentInputs& inputs,
                                                           AnswerSink::Write out, AnswerSink::Write tell)>;

// Asks `inquiry` of each document that `arguments` names; how long the servers are waited for is taken from
// these. The program's exit status (docs/spec.md, section 8). Does not return where a signal ends the run.
int run_documents(const DumpArguments& arguments, query::InquiryOptions inquiry, const MakeSink& make_sink);

// The same error as a line of standard error.
void print_error(const Error& error);

}  // namespace symbols::cli
