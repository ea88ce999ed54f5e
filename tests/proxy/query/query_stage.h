// What the tests of SymbolQuery and HoverQuery share: what a session has for its queries, on a fake server.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/query/answer.h"
#include "proxy/query/hover_scheduler.h"
#include "proxy/query/symbol_query.h"
#include "tests/proxy/query/fake_server.h"

namespace symbols::query {

struct QueryStage {
  FakeServer server;
  HoverScheduler hovers{server, server.delayed, {}};
  lsp::ServerCapabilities capabilities{.hover = true};
  std::shared_ptr<const std::string> document;  // the text of every document; null if it is not known
  lsp::RecentDiagnostics* published = nullptr;
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
  // The methods that are out, and not answered.
  std::vector<std::string> out() const {
    std::vector<std::string> methods;
    for (const FakeServer::Sent& request : server.sent) {
      methods.push_back(request.method.substr(request.method.find('/') + 1));
    }
    return methods;
  }
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

}  // namespace symbols::query
