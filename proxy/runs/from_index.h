// `--from-index`: rows of the index in place of asking a server, for the documents for which they still hold.
#pragma once

#include "proxy/runs/document_run.h"

namespace symbols::runs {

// As run_documents, with the same output. Where hovers or diagnostics are asked for, 2, and where there is no
// index, 1, having said so.
int run_from_index(const Dump& dump);

}  // namespace symbols::runs
