// One run of the program over documents: their servers are asked, all output is written, and no process is
// left behind, whatever happens. The caller gives the question and the output.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proxy/engine/document_dispatcher.h"
#include "proxy/engine/document_inputs.h"
#include "proxy/engine/input_options.h"
#include "proxy/engine/server_pool.h"
#include "proxy/io/event_loop.h"
#include "proxy/io/timers.h"
#include "proxy/options/answer_options.h"
#include "proxy/output/run_output.h"
#include "proxy/query/document_query.h"
#include "proxy/terminal/terminal.h"

namespace symbols::output {

// What `symbols PATH…` was given.
struct DumpArguments {
  engine::InputOptions inputs;
  std::string log;                        // file for the LSP traffic; empty for none
  options::AnswerOptions answers;         // those of flags; the run adds the settings
  std::vector<std::string> words{};       // all of the command line, without the program's name
  std::vector<std::string> configured{};  // NAME=VALUE of environment and configuration; the run adds them
  bool from_index = false;                // rows of the index where they still hold
  bool verbose = false;                   // reports the source of the rows of each file
  bool counted = false;                   // the rows of each file are counted above them
};

// What `symbols context FILE:LINE[:COLUMN]`, `symbols context FILE NAME` or `symbols context NAME` was given,
// or `symbols rename` with the new name behind these.
struct ContextArguments {
  DumpArguments document;  // with one path: the file if `name` is given, else the position in it or a name
  std::optional<std::string> name{};
  bool is_name = false;  // the one path is a symbol's name, were there a file of that name
  std::optional<std::string> rename_to{};
};

// A run before it begins: what is asked of each document, and how the answers are printed.
struct Dump {
  DumpArguments arguments;  // with the settings of environment and configuration
  query::InquiryOptions inquiry{};
  // The sink may write to `output`, which outlives it.
  std::function<std::unique_ptr<AnswerSink>(const engine::DocumentInputs& inputs, RunOutput& output)>
      make_sink{};
};

// That of `symbols PATH…`, by environment and configuration file too. `console`: that of the standard output.
// Error: they are wrong, or do not go with the rest of the command line.
Result<Dump> prepare_dump(const output::DumpArguments& given, const terminal::Console& console);

// Why there is nothing to ask (index/index_answers.h, prepare_context).
struct ContextRefusal {
  std::vector<std::string> lines{};  // for standard error
  int status = 2;
};

// What is asked, and of which documents.
struct PreparedRun {
  Dump dump;
  engine::DocumentInputs inputs;
};

// Finds the documents and their servers. Errors: find_document_inputs's; the user's list of servers is wrong.
Result<PreparedRun> find_documents(Dump dump, const engine::KeptFlags& kept_flags = {});

// False where a server would have several documents open and its answers depend on what else it has open, or
// would have other texts than the files: such a run needs servers of its own.
bool may_use_kept_servers(const PreparedRun& run);

// The limits of the servers that are kept between runs, by the user's settings.
engine::PoolLimits pool_limits(const options::AnswerOptions& settings);

// Single-threaded.
class DocumentRun {
 public:
  // `loop`, `pool`, `output` and `log` outlive it. `pool` keeps servers between runs; null, or where the run
  // may not use it: the run has servers of its own, which have ended when it has. `on_end` is called once,
  // from the loop, when all is answered and written, or after stop(). It may destroy the run.
  DocumentRun(io::EventLoop& loop, engine::ServerPool* pool, RunOutput& output, PreparedRun run,
              std::function<void()> on_end, files::TrafficLog* log = nullptr);
  ~DocumentRun();

  // The first call ends the servers, which takes at most a fifth of a second; a second one changes nothing.
  // If only output is left, that ends.
  void stop(int signal_number);

  // The exit status. None: a signal, or a reader that has gone, ended the run before its answer was whole.
  std::optional<int> status() const;
  int stopped_by() const { return stopped_by_; }  // the signal that must end the program; 0 for none

 private:
  void show_progress();
  void written();
  void reader_gone(int error);
  void finished();
  void end_if_written();

  io::EventLoop& loop_;
  RunOutput& output_;
  std::function<void()> on_end_;
  std::unique_ptr<AnswerSink> sink_;
  std::vector<Error> other_errors_;
  std::vector<std::size_t> places_;  // of each job among the inputs
  std::optional<engine::ServerPool> own_pool_;
  std::optional<engine::DocumentDispatcher> dispatcher_;
  io::Timer progress_timer_{loop_};
  io::Timer abort_timer_{loop_};
  io::Timer end_timer_{loop_};
  bool held_back_ = false;  // the dispatcher waits for the output to be read
  bool finished_ = false;   // nothing more is printed, but for the note
  std::string closing_note_;
  bool out_failed_ = false;
  int stopped_by_ = 0;
};

// Ends this process by the signal.
[[noreturn]] void die_by(int signal_number);

// Asks about each document. Returns the exit status (docs/spec.md, section 8). Does not return if a signal
// ends the run.
int run_documents(const Dump& dump, engine::DocumentInputs inputs);

}  // namespace symbols::output
