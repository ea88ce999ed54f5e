#include "proxy/process/server_process.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "proxy/io/byte_writer.h"
#include "proxy/system/descriptors.h"
#include "table/escape.h"

namespace symbols::process {
namespace {

using io::EventLoop;
// How long the pipes of an ended process are read for the rest of its output; a grandchild may hold them.
constexpr milliseconds drain_limit{500};
// How often a pipe is read at once for what is there; a process may keep writing to it.
constexpr int max_reads = 64;

class PipedProcess final : public ServerProcess {
 public:
  PipedProcess(EventLoop& loop, Callbacks callbacks)
      : loop_(loop), callbacks_(std::move(callbacks)), drain_timer_(loop) {}
  ~PipedProcess() override {
    close(output_);
    close(error_output_);
  }

  Result<void> start(const ProcessOptions& options) {
    system::Pipe input, output, error_output;
    if (!input.open() || !output.open() || !error_output.open())
      return Error{fmt::format("cannot make a pipe to it: {}", std::strerror(errno)), {}};
    Result<std::unique_ptr<ChildProcess>> child =
        start_child(loop_, options, {input.read.get(), output.write.get(), error_output.write.get()},
                    [this](ExitStatus status) { ended(status); });
    if (!child) return child.error();
    child_ = std::move(*child);
    input_.emplace(loop_, system::Pipe::give_away(input.write), io::ByteWriter::Callbacks{});
    open(output_, output, callbacks_.on_output);
    open(error_output_, error_output, callbacks_.on_error_output);
    return {};
  }

  void write(std::string_view bytes) override {
    if (input_) input_->write(bytes);
  }
  std::size_t unwritten() const override { return input_ ? input_->unwritten() : 0; }

  void close_input() override {
    if (input_) input_->close();
  }
  void kill() override { child_->kill(); }

  void stop(milliseconds grace) override {
    close_input();
    child_->stop(grace);
  }
  std::size_t memory() const override { return child_->memory(); }

 private:
  struct Output {
    Descriptor descriptor{};
    const std::function<void(std::string_view)>* callback = nullptr;
  };

  void open(Output& output, system::Pipe& pipe, const std::function<void(std::string_view)>& callback) {
    output = {.descriptor = Descriptor(system::Pipe::give_away(pipe.read)), .callback = &callback};
    loop_.watch(output.descriptor.get(), EventLoop::Wanted::input, [this, &output] {
      if (&output == &output_) read_all(error_output_);
      if (read(output) || output.descriptor) return;
      if (status_) return finish_if_drained();
      if (&output == &output_ && callbacks_.on_output_closed) callbacks_.on_output_closed();
    });
  }

  void close(Output& output) {
    if (!output.descriptor) return;
    loop_.unwatch(output.descriptor.get());
    output.descriptor = Descriptor();
  }

  // Whether there was anything to read. Closes it at its end.
  bool read(Output& output) {
    if (!output.descriptor) return false;
    char bytes[65536];
    const ssize_t size = ::read(output.descriptor.get(), bytes, sizeof bytes);
    if (size > 0) (*output.callback)({bytes, static_cast<std::size_t>(size)});
    if (size == 0 || (size < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) close(output);
    return size > 0;
  }

  void read_all(Output& output) {
    for (int i = 0; i < max_reads && read(output); ++i) {
    }
  }

  void ended(ExitStatus status) {
    status_ = status;
    input_.reset();
    drain_timer_.start(drain_limit, [this] {
      read_all(error_output_);
      read_all(output_);
      close(output_);
      close(error_output_);
      finish_if_drained();
    });
    finish_if_drained();
  }

  void finish_if_drained() {
    if (!status_ || output_.descriptor || error_output_.descriptor) return;
    drain_timer_.stop();
    const OnExit on_exit = std::move(callbacks_.on_exit);
    on_exit(*status_);
  }

  EventLoop& loop_;
  Callbacks callbacks_;
  std::unique_ptr<ChildProcess> child_;
  std::optional<io::ByteWriter> input_;  // until it has ended
  Output output_;
  Output error_output_;
  io::Timer drain_timer_;
  std::optional<ExitStatus> status_;
};

// Whether a line begins the stack of a failed program, as Rust and LLVM print it; the failure is before it.
bool is_heading(std::string_view line) {
  return line.starts_with("stack backtrace:") || line.starts_with("Stack backtrace:") ||
         line.starts_with("Stack dump:");
}

// Whether a line, without its indentation, is a frame of one: `12: main`, `at ./src/main.rs:3:5`,
// `#4 0x00005581`, `1.\tParsing`.
bool is_frame(std::string_view line) {
  if (line.starts_with("at ")) return line.find_first_of(":(") != std::string_view::npos;
  const bool marked = line.starts_with('#');
  if (marked) line.remove_prefix(1);
  constexpr std::size_t frame_digits = 4;  // more are a time
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  if (digits == 0 || digits > frame_digits) return false;
  const std::string_view behind = line.substr(digits);
  return marked ? behind.starts_with(' ') : behind.starts_with(": ") || behind.starts_with(".\t");
}

}  // namespace

Result<std::unique_ptr<ServerProcess>> start_server(EventLoop& loop, const ProcessOptions& options,
                                                    ServerProcess::Callbacks callbacks) {
  auto process = std::make_unique<PipedProcess>(loop, std::move(callbacks));
  if (const Result<void> started = process->start(options); !started) return started.error();
  return std::unique_ptr<ServerProcess>(std::move(process));
}

void StderrTail::add(std::string_view bytes) {
  if (bytes.size() > limit_) bytes.remove_prefix(bytes.size() - limit_);
  tail_.append(bytes);
  if (tail_.size() > limit_) tail_.erase(0, tail_.size() - limit_);
}

std::string StderrTail::text() const {
  constexpr std::size_t max_lines = 3;
  constexpr std::size_t max_line = 300;  // bytes
  constexpr std::string_view blanks = " \t\r";
  std::vector<std::string_view> lines;
  std::vector<std::string_view> stack;  // for a program that printed nothing else
  std::optional<std::size_t> reason;    // the line before the last stack
  bool in_stack = false;
  for (std::string_view line : split(tail_, '\n')) {
    const std::size_t first = line.find_first_not_of(blanks);
    if (first == std::string_view::npos) continue;
    line = line.substr(first, max_line);
    if (is_heading(line) || ((in_stack || first > 0) && is_frame(line))) {
      if (!std::exchange(in_stack, true) && !lines.empty()) reason = lines.size() - 1;
      stack.push_back(line);
    } else {
      in_stack = false;
      lines.push_back(line);
    }
  }
  if (lines.empty()) lines = std::move(stack);
  const std::size_t start = lines.size() - std::min(lines.size(), max_lines);
  if (reason && *reason < start) lines[start] = lines[*reason];
  std::string out;
  for (std::size_t i = start; i < lines.size(); ++i) {
    if (!out.empty()) out += " / ";
    out += table::escaped(lines[i].substr(0, lines[i].find_last_not_of(blanks) + 1));
  }
  return out;
}

}  // namespace symbols::process
