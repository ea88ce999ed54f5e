#include "lsp/work_done_progress.h"

#include <doctest/doctest.h>

#include <string>

namespace symbols::lsp {
namespace work_done_progress_test {

TEST_CASE("work-done progress: what has begun and not ended") {
  struct Step {
    const char* params;
    bool loading;
  };
  const Step steps[] = {
      {R"({"token":"a","value":{"kind":"report","message":"m"}})", false},
      {R"({"token":"a","value":{"kind":"end"}})", false},
      {R"({"token":1,"value":{"kind":"begin","title":"t"}} behind)", true},
      {R"({"token":"1","value":{"kind":"end"}})", true},
      {R"({"token":1,"value":{"kind":"report"}})", true},
      {R"({"value":{"kind":"begin"},"token":"b"})", true},
      {R"({"token":1,"value":{"kind":"begin"}})", true},
      {R"({"token":1,"value":{"kind":"end"}})", true},
      {R"({"token":"b","value":{"kind":"ended"}})", true},
      {R"({"token":"b","value":"end"})", true},
      {R"({"token":"b"})", true},
      {R"({"value":{"kind":"end"}})", true},
      {"null", true},
      {R"({"token":"b","value":{"kind":"end"}})", false},
      {R"({"token":"p","value":[{"kind":"begin"}]})", false},  // a partial result
      {"", false},
  };
  WorkDoneProgress progress;
  for (const Step& step : steps) {
    CAPTURE(step.params);
    progress.receive(step.params);
    CHECK(progress.active() == step.loading);
  }
}

TEST_CASE("work-done progress: a gopls workspace that failed to load is not loading") {
  WorkDoneProgress progress;
  progress.receive(
      R"({"token":"1","value":{"kind":"begin","title":"Error loading workspace","message":"1 error"}})");
  CHECK_FALSE(progress.active());
  CHECK(progress.text().empty());
  CHECK(progress.failure() == "Error loading workspace: 1 error");
  progress.receive(R"({"token":"2","value":{"kind":"begin","title":"Setting up workspace"}})");
  CHECK(progress.active());
  CHECK(progress.text() == "Setting up workspace");
  CHECK(progress.end_all().size() == 2);
  CHECK(progress.failure().empty());
}

TEST_CASE("work-done progress: a server that never ends any does not fill our memory") {
  WorkDoneProgress progress;
  const auto receive = [&](const std::string& token, const std::string& kind) {
    progress.receive("{\"token\":" + token + R"(,"value":{"kind":")" + kind + "\"}}");
  };
  receive("\"" + std::string(20'000, 'x') + "\"", "begin");
  CHECK_FALSE(progress.active());
  for (int i = 0; i < 3000; ++i) receive(std::to_string(i), "begin");
  CHECK(progress.active());
  for (int i = 0; i < 1024; ++i) receive(std::to_string(i), "end");
  CHECK_FALSE(progress.active());
}

TEST_CASE("work-done progress: its text, unless the message is too long") {
  WorkDoneProgress progress;
  progress.receive(R"({"token":1,"value":{"kind":"begin","title":")" +
                   std::string(WorkDoneProgress::max_params, 'x') + "\"}}");
  CHECK_FALSE(progress.has_begun());
  progress.receive(R"({"token":1,"value":{"kind":"begin","title":"a: b","message":"1"}})");
  CHECK(progress.text() == "a: b: 1");
  CHECK(progress.percentage() == std::nullopt);
  progress.receive(R"({"token":1,"value":{"kind":"report","message":"2","percentage":50.9}})");
  CHECK(progress.text() == "a: b: 2");
  CHECK(progress.percentage() == 50);
}

}  // namespace work_done_progress_test
}  // namespace symbols::lsp
