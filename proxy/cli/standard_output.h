// The standard streams of this process as the output of a run.
#pragma once

#include "proxy/cli/progress_line.h"
#include "proxy/cli/run_output.h"
#include "proxy/cli/terminal.h"
#include "proxy/relay/byte_writer.h"
#include "proxy/relay/event_loop.h"
#include "proxy/relay/standard_stream.h"

namespace symbols::cli {

class StandardOutput final : public RunOutput {
 public:
  // `loop` outlives it. `colour`: of what is told.
  StandardOutput(relay::EventLoop& loop, ColourUse colour);

  void write(std::string_view text) override;
  void tell(std::string_view message) override;
  bool shows_progress() const override { return progress_.enabled(); }
  void show_progress(std::string_view text) override;
  std::size_t unwritten_answers() const override { return out_.unwritten(); }
  std::size_t unwritten() const override { return out_.unwritten() + errors_.unwritten(); }

 private:
  // One of our standard streams, written to from the loop.
  class Stream {
   public:
    Stream(relay::EventLoop& loop, int descriptor, relay::ByteWriter::Callbacks callbacks)
        : stream_(descriptor), writer_(loop, stream_.release(), std::move(callbacks)) {}

    void write(std::string_view text) { writer_.write(text); }
    std::size_t unwritten() const { return writer_.unwritten(); }

   private:
    relay::StandardStream stream_;
    relay::ByteWriter writer_;
  };

  Stream errors_;
  Stream out_;
  ProgressLine progress_;
  bool colour_;
};

}  // namespace symbols::cli
