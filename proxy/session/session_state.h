// The settings of a session of the proxy, and what is known of it beside its requests and documents.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lsp/server_capabilities.h"
#include "lsp/work_done_progress.h"
#include "proxy/options/answer_options.h"
#include "proxy/session/initialize_rewrite.h"
#include "proxy/session/server_answers.h"
#include "proxy/session/server_restart.h"

namespace symbols::session {

struct ProxyOptions {
  std::string program{};  // the server's: a path with a slash in it
  std::vector<std::string> server_arguments{};
  std::string version{};  // of this program
  options::AnswerOptions answers{};
  std::optional<bool> auto_open{};  // default: with a text format
  ServerAnswers answer_server{};    // requests of the server that are answered in the client's place
  bool ascii = false;               // every message is written in pure ASCII
  bool stats = false;
  RestartOptions restart{};
  bool confine = false;  // the server is confined by the kernel (process/confinement.h)
};

struct SessionState {
  // The last of these messages that the server was sent, by the client or by us.
  enum class Phase { before_initialize, initialized, shut_down, exited };

  ProxyOptions settings{};  // of the command line
  Phase phase = Phase::before_initialize;
  ClientInitialize client{};
  lsp::ServerCapabilities capabilities{.hover = true};  // until the server has answered
  lsp::WorkDoneProgress progress{};

  // All that hold for the session.
  options::AnswerOptions options() const { return client.options.over(settings.answers); }
  bool auto_opens() const { return settings.auto_open.value_or(options().is_text()); }

  // Whether the server is still to be sent shutdown, and exit.
  bool wants_shutdown() const { return phase == Phase::initialized; }
  bool wants_exit() const { return phase == Phase::initialized || phase == Phase::shut_down; }
  void shut_down() {
    if (phase == Phase::initialized) phase = Phase::shut_down;
  }
};

}  // namespace symbols::session
