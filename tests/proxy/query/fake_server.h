// A server whose replies the test gives itself, and a clock that runs when the test says so.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/requests.h"
#include "tests/proxy/relay/delayed_actions.h"

namespace symbols::query {

struct FakeServer : lsp::RequestSender {
  struct Sent {
    lsp::RequestNumber number;
    std::string method;
    std::string params;
    lsp::ReplyHandler handler;
  };
  std::vector<Sent> sent;  // and not answered; a cancelled one may still get a late reply, which is ignored
  std::vector<lsp::RequestNumber> cancelled;
  relay::DelayedActions delayed;
  lsp::RequestNumber last = 0;

  lsp::RequestNumber request(std::string_view method, std::string_view params,
                             lsp::ReplyHandler handler) override {
    sent.push_back({++last, std::string(method), std::string(params), std::move(handler)});
    return last;
  }
  void cancel(lsp::RequestNumber number) override {
    cancelled.push_back(number);
    for (Sent& request : sent) {
      if (request.number == number) request.handler = [](const lsp::Reply&) {};
    }
  }

  // Answers the oldest request, or the one at `index` of those that are out.
  void reply(std::string_view result, std::size_t index = 0) {
    take(index).handler({.failed = false, .result = result, .error = {}});
  }
  void refuse(int code, std::size_t index = 0) {
    take(index).handler({.failed = true, .result = {}, .error = {code, "no"}});
  }

 private:
  Sent take(std::size_t index) {
    Sent request = std::move(sent.at(index));
    sent.erase(sent.begin() + static_cast<std::ptrdiff_t>(index));
    return request;
  }
};

}  // namespace symbols::query
