#include "proxy/io/byte_writer.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <string>
#include <utility>

namespace symbols::io {
namespace byte_writer_test {

// A writer before a pipe, whose other end is read by hand.
struct Stage {
  EventLoop loop;
  int times_empty = 0;
  int times_broken = 0;
  int ends[2] = {-1, -1};
  ByteWriter writer;

  Stage()
      : writer(loop, open(),
               {.on_empty = [this] { ++times_empty; }, .on_broken = [this](int) { ++times_broken; }}) {}
  ~Stage() {
    if (ends[0] >= 0) ::close(ends[0]);
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  // All that is in the pipe.
  std::string read() {
    std::string all;
    char bytes[4096];
    for (ssize_t size; (size = ::read(ends[0], bytes, sizeof bytes)) > 0;)
      all.append(bytes, static_cast<std::size_t>(size));
    return all;
  }
  // Reads until the writer says that all is written, or for two seconds.
  std::string read_to_the_end() {
    std::string all;
    int steps = 2000;
    const std::function<void()> step = [&] {
      all += read();
      if (times_empty > 0 || --steps == 0) {
        loop.stop();
      } else {
        loop.later(std::chrono::milliseconds(1), step);
      }
    };
    step();
    loop.run();
    return all + read();
  }

 private:
  int open() {
    REQUIRE(::pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
    return ends[1];
  }
};

const std::string more_than_fits(std::size_t{1} << 18U, 'x');

TEST_CASE("byte writer: what is held goes at once when it is released, and nobody is told") {
  Stage stage;
  stage.writer.hold();
  stage.writer.write("a");
  stage.writer.write("b");
  CHECK(stage.read().empty());
  CHECK(stage.writer.unwritten() == 2);
  stage.writer.release();
  CHECK(stage.read() == "ab");
  CHECK(stage.times_empty == 0);
  stage.writer.release();
  CHECK(stage.times_empty == 0);
}

TEST_CASE("byte writer: who waits for the queue is told once it is empty, held meanwhile or not") {
  Stage stage;
  SUBCASE("written at once") {
    stage.writer.write(more_than_fits);
  }
  SUBCASE("held before") {
    stage.writer.hold();
    stage.writer.write(more_than_fits);
    stage.writer.release();
  }
  SUBCASE("held afterwards") {
    stage.writer.write(more_than_fits.substr(1));
    stage.writer.hold();
    stage.writer.write("x");
    stage.writer.release();
  }
  CHECK(stage.times_empty == 0);
  CHECK(stage.read_to_the_end() == more_than_fits);
  CHECK(stage.times_empty == 1);
}

TEST_CASE("byte writer: closed while it holds, it writes all of it first") {
  Stage stage;
  stage.writer.hold();
  stage.writer.write("last");
  stage.writer.close();
  CHECK(stage.times_empty == 0);
  stage.writer.release();
  CHECK(stage.read() == "last");
  char byte = 0;
  CHECK(::read(stage.ends[0], &byte, 1) == 0);
  CHECK(stage.times_empty == 1);
}

TEST_CASE("byte writer: a reader that is gone while it holds is told of once") {
  Stage stage;
  const auto before = std::signal(SIGPIPE, SIG_IGN);  // as the program has it
  ::close(std::exchange(stage.ends[0], -1));
  stage.writer.hold();
  stage.writer.write("lost");
  stage.writer.release();
  CHECK(stage.times_broken == 1);
  CHECK(stage.times_empty == 1);
  CHECK(stage.writer.unwritten() == 0);
  std::signal(SIGPIPE, before);
}

TEST_CASE("byte writer: another reader gets nothing of what the one before did not take") {
  Stage stage;
  stage.writer.write("for the first");
  CHECK(stage.read() == "for the first");
  stage.writer.hold();
  stage.writer.write("held for the first");
  stage.writer.write("own");
  stage.writer.replace(-1);
  CHECK(stage.writer.unwritten() == 0);
  stage.writer.write("for nobody");
  stage.writer.release();
  char byte = 0;
  CHECK(::read(stage.ends[0], &byte, 1) == 0);
  int second[2] = {-1, -1};
  REQUIRE(::pipe2(second, O_CLOEXEC | O_NONBLOCK) == 0);
  ::close(std::exchange(stage.ends[0], second[0]));
  stage.writer.replace(second[1]);
  stage.writer.write("for the second");
  CHECK(stage.read() == "for the second");
  CHECK(stage.times_empty == 0);
  CHECK(stage.times_broken == 0);
}

TEST_CASE("byte writer: what is lent goes in its order, and is copied where it cannot stay") {
  for (const bool held : {false, true}) {
    for (const bool stays : {false, true}) {
      CAPTURE(held);
      CAPTURE(stays);
      Stage stage;
      if (held) stage.writer.hold();
      std::string lent = more_than_fits;
      stage.writer.lend(lent);
      CHECK(stage.writer.borrows());
      stage.writer.write("second");
      stage.writer.lend("third");  // behind what is queued
      if (held) stage.writer.release();
      if (!stays) {
        stage.writer.keep_lent();
        lent.assign(lent.size(), '?');
      }
      CHECK(stage.writer.borrows() == stays);
      CHECK(stage.read_to_the_end() == more_than_fits + "secondthird");
      CHECK(stage.writer.unwritten() == 0);
    }
  }
}

TEST_CASE("byte writer: a queue of many megabytes goes whole to a reader that takes it in portions") {
  Stage stage;
  (void)::fcntl(stage.ends[0], F_SETPIPE_SZ, 1 << 20);
  constexpr std::size_t size = std::size_t{100} << 20;
  stage.writer.write(std::string(size, 'x'));
  CHECK(stage.read_to_the_end().size() == size);
}

}  // namespace byte_writer_test
}  // namespace symbols::io
