// The work-done progress that a server reports ($/progress): whether it is loading, and its text.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace symbols::lsp {

class WorkDoneProgress {
 public:
  // Bound our memory if a server never ends any: further progress and longer messages are ignored.
  static constexpr std::size_t max_tokens = 1024;
  static constexpr std::size_t max_params = 16384;

  // The params of a $/progress notification, raw JSON. Partial results are ignored.
  void receive(std::string_view params);

  // The server is gone: what is under way has ended. The notifications that tell the client so, whole bodies.
  std::vector<std::string> end_all();

  // Whether any has begun and not ended, except failures.
  bool active() const { return first(false) != nullptr; }
  // Whether any has begun so far.
  bool has_begun() const { return has_begun_; }
  // The text of one that is under way: "Loading: 3/7"; empty if there is none.
  std::string text() const { return active() ? first(false)->text() : std::string(); }
  // How far that one is, if the server says so; at most 100.
  std::optional<unsigned> percentage() const { return active() ? first(false)->percentage : std::nullopt; }
  // gopls reports a workspace that failed to load as a progress (server/general.go), which ends only when the
  // workspace loads: its text; empty if there is none.
  std::string failure() const { return first(true) ? first(true)->text() : std::string(); }

 private:
  struct Report {
    std::string title;
    std::string message;
    std::optional<unsigned> percentage{};

    bool is_failure() const { return title == "Error loading workspace"; }
    std::string text() const { return message.empty() ? title : title + ": " + message; }
  };

  // The first one under way that is a failure, or is not; null if there is none.
  const Report* first(bool is_failure) const;

  std::map<std::string, Report> under_way_;  // by token, as JSON
  bool has_begun_ = false;
};

}  // namespace symbols::lsp
