// The standard streams of a process, this one or one that has passed them to us, as the output of a run.
#pragma once

#include "proxy/relay/byte_writer.h"
#include "proxy/relay/event_loop.h"
#include "proxy/relay/standard_stream.h"
#include "proxy/runs/run_output.h"
#include "proxy/terminal/terminal.h"

namespace symbols::runs {

struct OutputStreams {
  int out;  // descriptors, open for as long as the output
  int error;
  bool colour = false;  // of messages
  bool shows_progress = false;

  // Those of this process.
  static OutputStreams own(terminal::ColourUse colour);
};

class StandardOutput : public RunOutput {
 public:
  // `loop` outlives it.
  StandardOutput(relay::EventLoop& loop, const OutputStreams& streams);

  void write(std::string_view text) override;
  void tell(std::string_view message) override;
  bool shows_progress() const override { return progress_.enabled(); }
  void show_progress(std::string_view text) override;
  std::size_t unwritten_answers() const override { return out_.unwritten(); }
  std::size_t unwritten() const override { return out_.unwritten() + errors_.unwritten(); }

 private:
  relay::StandardStream error_stream_;
  relay::StandardStream out_stream_;
  relay::ByteWriter errors_;
  relay::ByteWriter out_;
  terminal::ProgressLine progress_;
  bool colour_;
};

}  // namespace symbols::runs
