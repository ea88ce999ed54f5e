// The settings of a session of the proxy.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "proxy/options/answer_options.h"
#include "proxy/session/server_answers.h"
#include "proxy/session/server_restart.h"

namespace symbols::session {

struct ProxyOptions {
  std::string program{};  // the server's: a path with a slash in it
  std::vector<std::string> server_arguments{};
  std::string version{};  // of this program
  options::AnswerOptions answers{};
  std::optional<bool> auto_open{};  // absent: with a text format
  ServerAnswers answer_server{};    // requests of the server that are answered in the client's place
  bool ascii = false;               // every message is written in pure ASCII
  bool stats = false;
  RestartOptions restart{};
  bool confine = false;  // the server is confined by the kernel (process/confinement.h)
};

}  // namespace symbols::session
