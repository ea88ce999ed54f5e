// A server whose replies the test gives itself, a clock that runs when the test says so, and on them what a
// session has for its queries.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/requests.h"
#include "proxy/query/hover_scheduler.h"
#include "proxy/query/query_services.h"
#include "proxy/query/symbol_query.h"
#include "tests/proxy/io/delayed_actions.h"

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
  io::DelayedActions delayed;
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
  // The methods that are out, without what stands before the slash.
  std::vector<std::string> out() const {
    std::vector<std::string> methods;
    for (const Sent& request : sent) methods.push_back(request.method.substr(request.method.find('/') + 1));
    return methods;
  }

 private:
  Sent take(std::size_t index) {
    Sent request = std::move(sent.at(index));
    sent.erase(sent.begin() + static_cast<std::ptrdiff_t>(index));
    return request;
  }
};

struct QueryStage {
  FakeServer server;
  HoverScheduler hovers{server, server.delayed, {}};
  lsp::ServerCapabilities capabilities{.hover = true};
  std::shared_ptr<const std::string> document;  // the text of every document; null if it is not known
  lsp::RecentDiagnostics published;
  std::vector<std::string> warnings;
  std::vector<std::string> counted;
  std::vector<std::string> answers;  // those that failed begin with "error "

  QueryServices services() {
    return {.server = server,
            .hovers = hovers,
            .timers = server.delayed,
            .text = [this](std::string_view) { return document; },
            .warn = [this](const std::string& message) { warnings.push_back(message); },
            .count = [this](std::string_view replied) { counted.emplace_back(replied); },
            .capabilities = capabilities,
            .published = published};
  }
  std::function<void(Answer)> done() {
    return [this](const Answer& answer) { answers.push_back((answer.failed ? "error " : "") + answer.json); };
  }
  std::vector<std::string> out() const { return server.out(); }
  void know(std::string text) { document = std::make_shared<const std::string>(std::move(text)); }
};

// A range within one line, and a symbol of it whose name is at the range's start, with others in it.
inline std::string range_json(int line, int start, int end) {
  const auto position = [line](int character) {
    return R"({"line":)" + std::to_string(line) + R"(,"character":)" + std::to_string(character) + "}";
  };
  return R"({"start":)" + position(start) + R"(,"end":)" + position(end) + "}";
}
inline std::string symbol_json(const std::string& name, int line, int start, int end,
                               const std::string& children = "") {
  return R"({"name":")" + name + R"(","kind":12,"range":)" + range_json(line, start, end) +
         R"(,"selectionRange":)" + range_json(line, start, start + static_cast<int>(name.size())) +
         (children.empty() ? "" : R"(,"children":[)" + children + "]") + "}";
}

// One without any, as we build it: with the member `children`, which servers leave out.
inline std::string leaf_json(const std::string& name, int line, int start, int end) {
  std::string json = symbol_json(name, line, start, end);
  return json.insert(json.size() - 1, R"(,"children":[])");
}

// The result of a hover, of prose.
inline std::string hover_json(const std::string& text, const std::string& range = "") {
  return R"({"contents":")" + text + "\"" + (range.empty() ? "" : ",\"range\":" + range) + "}";
}

// The notification with these diagnostics, raw JSON, of "file:///a".
inline std::string published_json(const std::string& list) {
  return R"({"method":"textDocument/publishDiagnostics","params":{"uri":"file:///a","diagnostics":[)" + list +
         "]}}";
}

}  // namespace symbols::query
