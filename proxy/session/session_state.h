// What is known of a session between a client and a server, beside its requests and its documents.
#pragma once

#include "lsp/server_capabilities.h"
#include "lsp/work_done_progress.h"
#include "proxy/session/initialize_rewrite.h"
#include "proxy/session/proxy_options.h"

namespace symbols::session {

struct SessionState {
  // How far the server has been told that the session has come: by the client, or by us in its place.
  enum class Phase { before_initialize, initialized, shut_down, exited };

  ProxyOptions settings{};  // of the command line
  Phase phase = Phase::before_initialize;
  ClientInitialize client{};
  lsp::ServerCapabilities capabilities{.hover = true};  // until the server has answered
  lsp::WorkDoneProgress progress{};

  // All that hold for the session.
  options::AnswerOptions options() const { return client.options.over(settings.answers); }
  bool auto_opens() const { return settings.auto_open.value_or(options().is_text()); }

  // Whether the server is still to be told of the end.
  bool wants_shutdown() const { return phase == Phase::initialized; }
  bool wants_exit() const { return phase == Phase::initialized || phase == Phase::shut_down; }
  void shut_down() {
    if (phase == Phase::initialized) phase = Phase::shut_down;
  }
};

}  // namespace symbols::session
