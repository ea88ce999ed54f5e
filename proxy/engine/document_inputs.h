// Turns the paths on the command line into the documents that servers are asked about, each with its server.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "proxy/engine/clangd_jobs.h"
#include "proxy/engine/document_dispatcher.h"
#include "proxy/engine/input_options.h"
#include "proxy/servers/server_registry.h"

namespace symbols::engine {

// One document, in the order of the paths: a job, or the reason why there is none.
struct DocumentInput {
  std::string display_path;
  Result<DocumentJob> job;
};

struct DocumentInputs {
  std::vector<DocumentInput> documents;
  bool several = false;       // more than one path was given, or a folder, a list or a shard
  std::vector<Error> errors;  // not about a document: a folder that cannot be read, one without known files
  std::vector<std::string> notes;  // what a folder's walk left out, servers that are not used
};

// Finds the files, their projects and their servers. Reads standard input if `-` was given, and no more than
// the first line of files. Starts nothing. A list of paths is not read here: with_listed_paths. Of a shard
// only its documents are in the answer; what is not about one document is told by every shard.
//
// Files found by walking a folder are left out if their server is not installed, with one note per server: a
// folder of TypeScript has its package.json, too. If no file of the folder can be answered the notes become
// errors. For a file that was named it is always an error.
//
// Error: --root, --language or --server is wrong for any file: a mistake on the command line. Or servers are
// to be confined, and this kernel cannot do it.
//
// Where this kernel cannot keep servers from writing, or with `confine` false, for a project that is not
// trusted clangd gets fewer of the project's compile flags, and servers that follow these and cannot be
// restricted (ccls) are refused. `kept_flags`: clangd_jobs.h.
Result<DocumentInputs> find_document_inputs(const InputOptions& options,
                                            const servers::ServerRegistry& registry,
                                            const KeptFlags& kept_flags = {});

}  // namespace symbols::engine
