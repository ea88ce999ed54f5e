#include "proxy/process/program_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "proxy/io/event_loop.h"
#include "proxy/process/server_process.h"

namespace symbols::process {
namespace {

struct Running {
  std::unique_ptr<ServerProcess> process{};
  ProgramOutput written{};
  bool wrote_too_much = false;
};

}  // namespace

std::vector<Result<ProgramOutput>> run_programs(const std::vector<ProcessOptions>& programs,
                                                const ProgramLimits& limits) {
  io::EventLoop loop;
  std::vector<Running> all(programs.size());
  std::vector<Result<ProgramOutput>> outputs;
  std::size_t running = 0;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const std::string command =
        fmt::format("{} {}", programs[i].program, fmt::join(programs[i].arguments, " "));
    outputs.emplace_back(
        Error{fmt::format("{} did not end within {} s", command, limits.time.count() / 1000), {}});
    Running& one = all[i];
    const auto keep = [&one, max_bytes = limits.bytes](std::string& written, std::string_view bytes) {
      if (written.size() + bytes.size() <= max_bytes) {
        written += bytes;
      } else {
        one.wrote_too_much = true;
        one.process->stop(milliseconds(0));
      }
    };
    Result<std::unique_ptr<ServerProcess>> started = start_server(
        loop, programs[i],
        {.on_output = [&one, keep](std::string_view bytes) { keep(one.written.output, bytes); },
         .on_error_output = [&one, keep](std::string_view bytes) { keep(one.written.error_output, bytes); },
         .on_exit =
             [&outputs, &one, &running, &loop, i, command, max_bytes = limits.bytes](ExitStatus status) {
               one.written.status = status;
               if (one.wrote_too_much) {
                 outputs[i] = Error{fmt::format("{} wrote more than {} bytes", command, max_bytes), {}};
               } else {
                 outputs[i] = std::move(one.written);
               }
               if (--running == 0) loop.stop();
             }});
    if (!started) {
      outputs[i] = Error{fmt::format("cannot run {}: {}", command, started.error().message), {}};
      continue;
    }
    one.process = std::move(*started);
    one.process->close_input();
    ++running;
  }
  loop.later(limits.time, [&loop] { loop.stop(); });
  if (running > 0) loop.run();
  return outputs;
}

}  // namespace symbols::process
