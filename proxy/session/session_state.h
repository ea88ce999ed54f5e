// What is known of a session between a client and a server, beside its requests and its documents.
#pragma once

#include <optional>

#include "lsp/server_capabilities.h"
#include "lsp/work_done_progress.h"
#include "proxy/options/answer_options.h"
#include "proxy/session/initialize_rewrite.h"

namespace symbols::session {

struct SessionState {
  // How far the server has been told that the session has come: by the client, or by us in its place.
  enum class Phase { before_initialize, initialized, shut_down, exited };

  options::AnswerOptions command_line{};
  std::optional<bool> auto_open{};  // absent: with a text format
  bool confined = false;            // the server is
  bool prefetch = false;            // ProxyOptions'
  Phase phase = Phase::before_initialize;
  ClientInitialize client{};
  lsp::ServerCapabilities capabilities{.hover = true};  // until the server has answered
  lsp::WorkDoneProgress progress{};

  // All that hold for the session.
  options::AnswerOptions options() const { return client.options.over(command_line); }
  bool auto_opens() const { return auto_open.value_or(options().is_text()); }

  // Whether the server is still to be told of the end.
  bool wants_shutdown() const { return phase == Phase::initialized; }
  bool wants_exit() const { return phase == Phase::initialized || phase == Phase::shut_down; }
  void shut_down() {
    if (phase == Phase::initialized) phase = Phase::shut_down;
  }
};

}  // namespace symbols::session
