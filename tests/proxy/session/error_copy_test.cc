#include "proxy/session/error_copy.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace symbols::session {
namespace error_copy_test {

using std::chrono::milliseconds;

// A server's standard error, and what reads ours.
struct ErrorStage {
  enum class Ours { pipe, terminal };

  io::EventLoop loop;
  Descriptor server;
  Descriptor reader;
  Descriptor ours;
  std::optional<ErrorCopy> copy;
  void (*sigpipe_before)(int) = std::signal(SIGPIPE, [](int) {});  // as the program has it

  explicit ErrorStage(Ours kind) {
    system::Pipe errors;
    REQUIRE(errors.open());
    if (kind == Ours::pipe) {
      system::Pipe pipe;
      REQUIRE(pipe.open());
      reader = Descriptor(system::Pipe::give_away(pipe.read));
      ours = std::move(pipe.write);
    } else {
      reader = Descriptor(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
      REQUIRE(::grantpt(reader.get()) == 0);
      REQUIRE(::unlockpt(reader.get()) == 0);
      ours = Descriptor(::open(::ptsname(reader.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
      termios settings{};
      REQUIRE(::tcgetattr(ours.get(), &settings) == 0);
      ::cfmakeraw(&settings);
      REQUIRE(::tcsetattr(ours.get(), TCSANOW, &settings) == 0);
    }
    copy.emplace(loop, ours.get());
    copy->copy_from(system::Pipe::give_away(errors.read));
    server = Descriptor(system::Pipe::give_away(errors.write));
  }
  ~ErrorStage() {
    copy.reset();
    std::signal(SIGPIPE, sigpipe_before);
  }
  ErrorStage(const ErrorStage&) = delete;
  ErrorStage& operator=(const ErrorStage&) = delete;

  // What the pipe takes of it now.
  std::size_t write(std::string_view bytes) const {
    const ssize_t size = ::write(server.get(), bytes.data(), bytes.size());
    return size < 0 ? 0 : static_cast<std::size_t>(size);
  }
  std::string read() const {
    std::string all;
    std::array<char, 65536> bytes{};
    for (ssize_t size; (size = ::read(reader.get(), bytes.data(), bytes.size())) > 0;)
      all.append(bytes.data(), static_cast<std::size_t>(size));
    return all;
  }
  // Runs the loop until `is_done`, which is called at each turn; once. Whether it was within ten seconds.
  bool run_until(const std::function<bool()>& is_done) {
    bool late = false;
    loop.later(milliseconds(10'000), [&] {
      late = true;
      loop.stop();
    });
    const std::function<void()> turn = [&] {
      if (is_done()) return loop.stop();
      loop.later(milliseconds(0), turn);
    };
    turn();
    loop.run();
    return !late;
  }
};

using Ours = ErrorStage::Ours;

TEST_CASE("error copy: byte for byte, and the last ones of a server that has ended") {
  ErrorStage stage(Ours::pipe);
  const std::string bytes("a\x1B[2J\xFF\r\0é\n", 11);
  CHECK(stage.write(bytes) == bytes.size());
  stage.server = Descriptor();
  stage.copy->finish(milliseconds(0));
  CHECK(stage.read() == bytes);
}

TEST_CASE("error copy: what a server has left comes before what the next one writes") {
  ErrorStage stage(Ours::pipe);
  system::Pipe next;
  REQUIRE(next.open());
  stage.write("first\n");
  REQUIRE(::write(next.write.get(), "second\n", 7) == 7);
  stage.copy->copy_from(system::Pipe::give_away(next.read));
  stage.copy->finish(milliseconds(0));
  CHECK(stage.read() == "first\nsecond\n");
}

TEST_CASE("error copy: a terminal gets control characters as text, and whole characters") {
  ErrorStage stage(Ours::terminal);
  std::string shown;
  stage.write("\x1B[31m\xC3");
  bool continued = false;
  CHECK(stage.run_until([&] {
    shown += stage.read();
    if (!shown.empty() && !std::exchange(continued, true)) stage.write("\xA9\tx\xE2\x80\xAE\n\xC3");
    return shown.ends_with("\n");
  }));
  stage.copy->finish(milliseconds(0));
  CHECK(shown + stage.read() == "\\x1B[31mé\tx\\u{202E}\n\xEF\xBF\xBD");
}

TEST_CASE("error copy: where nobody reads, the server goes on, and what is dropped is counted") {
  ErrorStage stage(Ours::pipe);
  constexpr std::size_t size = std::size_t{1} << 20;
  const std::string bytes(size, 'x');
  std::size_t written = 0;
  int turns_after = 0;
  std::string all;
  CHECK(stage.run_until([&] {
    written += stage.write(std::string_view(bytes).substr(written));
    // A pipe holds less than is copied in ten turns.
    if (written == size && ++turns_after > 10) all += stage.read();
    return all.ends_with("was not read\n");
  }));
  const std::size_t kept = all.find('\n');
  CHECK(kept >= ErrorCopy::max_waiting / 2);
  CHECK(kept <= ErrorCopy::max_waiting + (std::size_t{128} << 10));
  CHECK(all.substr(kept) == "\nsymbols: " + std::to_string(size - kept) +
                                " bytes that the server wrote to its standard error here are dropped: it was "
                                "not read\n");
}

TEST_CASE("error copy: a standard error without a reader stops nobody") {
  ErrorStage stage(Ours::pipe);
  stage.reader = Descriptor();
  const std::string bytes(std::size_t{300} << 10, 'x');
  std::size_t written = 0;
  CHECK(stage.run_until([&] {
    written += stage.write(std::string_view(bytes).substr(written));
    return written == bytes.size();
  }));
  stage.copy->finish(milliseconds(0));
}

}  // namespace error_copy_test
}  // namespace symbols::session
