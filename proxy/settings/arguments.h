// The arguments of each command. The options are those of docs/spec.md, section 4.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proxy/batch/input_options.h"
#include "proxy/options/answer_options.h"
#include "proxy/session/session_state.h"

namespace symbols::settings {

// `symbols PATH…`
struct DumpArguments {
  batch::InputOptions inputs;
  std::string log;                        // file for the LSP traffic; empty for none
  options::AnswerOptions answers;         // those of flags; the run adds the settings
  std::vector<std::string> words{};       // all of the command line, without the program's name
  std::vector<std::string> configured{};  // NAME=VALUE of environment and configuration; the run adds them
  bool from_index = false;                // rows of the index where they still hold
  bool verbose = false;                   // reports the source of the rows of each file
  bool counted = false;                   // the rows of each file are counted above them
};

// `symbols context FILE:LINE[:COLUMN]`, `symbols context FILE NAME`, `symbols context NAME`
struct ContextArguments {
  DumpArguments document;  // with one path: the file if `name` is given, else the position in it or a name
  std::optional<std::string> name{};
  bool is_name = false;  // the one path is a symbol's name, were there a file of that name
};

// `symbols warm`
struct WarmArguments {
  bool stop = false;
  std::string
      serve{};  // the socket of the process that keeps servers, which this becomes; empty: it is asked
};

// `symbols convert`
struct ConvertArguments {
  table::Format from = table::Format::json;  // answers.format is the one to convert to
  std::string hovers;  // with json: a file of the hover replies, in pre-order; empty for none
  std::string file = "-";
  options::AnswerOptions answers;
};

// `symbols servers`
struct ServersArguments {
  bool trust_project = false;
};

// `symbols config [PATH]`
struct ConfigArguments {
  std::string path = ".";  // what would be asked about
  bool json = false;
};

// `symbols doctor [DIR]`
struct DoctorArguments {
  std::string folder = ".";
  bool json = false;
  bool trust_project = false;
  std::optional<bool> confine{};              // InputOptions'
  std::chrono::milliseconds timeout{20'000};  // the longest silence of a server
};

// `symbols index [DIR]`
struct IndexArguments {
  DumpArguments document;          // without paths; of the answers only the timeout counts
  std::string folder;              // empty: the whole project of the working folder
  bool rebuild = false;            // everything is asked for, whatever the index has
  bool watch = false;              // go on with what changes, until a signal
  std::string database;            // its file; empty: the project's, in the user's cache
  std::vector<std::string> merge;  // indexes to take files from, instead of asking for them
};

// `symbols find QUERY`
struct FindArguments {
  std::string query;
  std::string root;                 // empty: the nearest folder with an index
  std::vector<std::int64_t> kinds;  // empty: any
  std::size_t limit = 50;
  bool why = false;  // with the reason of each row's rank
};

// `symbols map [DIR]`
struct MapArguments {
  std::string folder;  // empty: the whole project
  std::string root;    // empty: the folder, or the working folder, is in the project
  std::optional<std::size_t> max_tokens{};
  std::optional<table::Tokenizer> tokenizer{};
};

// `symbols mcp`
struct McpArguments {
  std::vector<std::string> roots;  // folders that may be read; empty: the client's
  bool trust_project = false;
  std::optional<bool> confine{};  // InputOptions'
};

// `symbols setup [NAME]`
struct SetupArguments {
  std::string name;    // of setup_targets.h; empty: list them
  std::string to;      // file or folder to use instead of the default; empty: the default
  bool table = false;  // of two configurations, the one that answers with a table
  bool mcp = false;    // the configuration that starts `symbols mcp`
  bool write = false;  // else only print
  bool yes = false;    // existing files may be changed
};

// `symbols proxy [options] -- SERVER ARG…`
struct ProxyArguments {
  std::vector<std::string> server;  // program and arguments; at least the program
  session::ProxyOptions session;    // except its program, server_arguments and version
  std::string log;                  // file for the traffic; empty for none
};

}  // namespace symbols::settings
