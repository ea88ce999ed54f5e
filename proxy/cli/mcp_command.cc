#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "proxy/cli/command_line.h"
#include "proxy/io/byte_writer.h"
#include "proxy/io/event_loop.h"
#include "proxy/mcp/mcp_tools.h"
#include "proxy/options/configuration.h"
#include "proxy/output/document_run.h"
#include "proxy/system/confinement.h"

namespace symbols::cli {
namespace {

// A message of a client is a few hundred bytes.
constexpr std::size_t max_message = std::size_t{8} << 20;
constexpr std::size_t read_size = 64 << 10;
// Bytes of queued replies above which no more requests are read.
constexpr std::size_t max_unread = std::size_t{4} << 20;

// The standard streams of this process as one client of the protocol: a message a line.
class StdioServer {
 public:
  StdioServer(const mcp::McpArguments& arguments, engine::PoolLimits limits)
      : input_(STDIN_FILENO),
        output_(STDOUT_FILENO),
        writer_(loop_, output_.release(),
                {.on_empty = [this] { read_on(); }, .on_broken = [this](int) { stop(0); }}),
        tools_(loop_, limits, arguments),
        session_({.version = SYMBOLS_VERSION,
                  .instructions = mcp::tools_instructions,
                  .tools = mcp::tool_schemas(),
                  .start =
                      [this](mcp::ToolCall call, mcp::ToolEvents events) {
                        return tools_.start(std::move(call), std::move(events));
                      },
                  .asks_for_roots = arguments.roots.empty()},
                 loop_, [this](std::string message) { send(std::move(message)); }) {
    session_.on_idle = [this] { end_if_done(); };
  }

  // The signal that must end this process; 0 for none.
  int run() {
    loop_.on_signals({SIGINT, SIGTERM, SIGHUP}, [this](int signal_number) { stop(signal_number); });
    read_on();
    loop_.run();
    // The last replies. A client that does not read them is not waited for for ever.
    if (signal_ == 0) writer_.write_rest(std::chrono::seconds(5));
    return signal_;
  }

 private:
  void send(std::string message) {
    message += '\n';
    writer_.write(message);
    if (writer_.unwritten() > max_unread) pause();
  }

  void read_on() {
    if (reading_ || ended_ || stopping_) return;
    reading_ = true;
    loop_.watch(descriptor_, io::EventLoop::Wanted::input, [this] { read(); });
  }

  void pause() {
    if (std::exchange(reading_, false)) loop_.unwatch(descriptor_);
  }

  void read() {
    char bytes[read_size];
    const ssize_t size = ::read(descriptor_, bytes, sizeof bytes);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (size <= 0) return input_ended();
    take({bytes, static_cast<std::size_t>(size)});
  }

  void take(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      // Of a message that is too long no more is kept than shows that.
      if (line_.size() <= max_message) line_ += bytes.substr(0, end);
      if (end == std::string_view::npos) return;
      bytes.remove_prefix(end + 1);
      end_line();
    }
  }

  void end_line() {
    const std::string line = std::exchange(line_, {});
    if (line.size() <= max_message) return session_.receive(line);
    session_.refuse("the message is longer than 8 MiB");
  }

  // What was asked for is still answered, unless nobody reads it.
  void input_ended() {
    pause();
    ended_ = true;
    if (!line_.empty()) end_line();
    session_.end_input();
    if (!session_.is_busy()) return end_if_done();
    // The writer watches its own.
    reader_ = Descriptor(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
    if (reader_) loop_.watch(reader_.get(), io::EventLoop::Wanted::hangup, [this] { stop(0); });
  }

  void end_if_done() {
    if (ended_ && !session_.is_busy()) stop(0);
  }

  void stop(int signal_number) {
    if (signal_ == 0) signal_ = signal_number;
    if (std::exchange(stopping_, true)) return;
    pause();
    if (reader_) loop_.unwatch(reader_.get());
    tools_.stop([this] { loop_.stop(); });
  }

  io::EventLoop loop_;
  io::StandardStream input_;
  io::StandardStream output_;
  Descriptor reader_{};  // of the output, to see it go
  int descriptor_ = input_.release();
  io::ByteWriter writer_;
  mcp::ToolCalls tools_;
  mcp::McpSession session_;
  std::string line_;
  bool reading_ = false;
  bool ended_ = false;
  bool stopping_ = false;
  int signal_ = 0;
};

}  // namespace

Result<int> run_mcp(const Given& given) {
  const mcp::McpArguments arguments{.roots = given.texts("--root"),
                                    .trust_project = given.has("--trust-project"),
                                    .confine = given.answers.confine};
  for (const std::string& root : arguments.roots) {
    if (const Result<mcp::AllowedRoots> good = mcp::AllowedRoots::of({root}); !good)
      return terminal::tell_error(good.error(), 2);
  }
  const Result<options::AnswerOptions> settings = options::user_settings();
  if (!settings) return terminal::tell_error(settings.error(), 2);
  // Told now, not with each answer.
  if (arguments.confine.value_or(settings->confine.value_or(false))) {
    if (const std::optional<Error> error = system::confinement_error())
      return terminal::tell_error(*error, 2);
  }
  const int signal_number = StdioServer(arguments, output::pool_limits(*settings)).run();
  if (signal_number != 0) output::die_by(signal_number);
  return 0;
}

}  // namespace symbols::cli
