// From what was named on the command line to the documents that servers are asked about, each with its
// server.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "proxy/batch/document_dispatcher.h"
#include "proxy/batch/input_options.h"
#include "proxy/process/write_confinement.h"
#include "proxy/servers/server_registry.h"

namespace symbols::batch {

// One document, in the order asked: a job, or the reason why there is none.
struct DocumentInput {
  std::string display_path;
  Result<DocumentJob> job;
};

struct DocumentInputs {
  std::vector<DocumentInput> documents;
  bool several = false;            // more than one path was given, or a folder
  std::vector<Error> errors;       // of no document: a folder that cannot be read, one without known files
  std::vector<std::string> notes;  // what a folder's walk left out
};

// Finds the files, their projects and their servers; reads standard input where `-` was given, and of files
// no more than their first line. Nothing is started.
//
// Files that a folder's walk found and whose server is not installed are left out with one note for each such
// server, as a folder of TypeScript has its package.json; they are errors where nothing of the folder could
// be answered. A file that was named is an error then.
//
// Error: --root, --language or --server is wrong whatever the files: a mistake on the command line.
//
// `may_confine`: whether the servers of a project that is not trusted can be kept from writing; else clangd
// is given less of the project's compile flags, and no server is taken that follows them and has no such
// choice.
Result<DocumentInputs> find_document_inputs(const InputOptions& options,
                                            const servers::ServerRegistry& registry,
                                            bool may_confine = process::kernel_confines_writes());

}  // namespace symbols::batch
