// The work-done progress that a server reports ($/progress): whether it is loading, and what it says of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace symbols::lsp {

class WorkDoneProgress {
 public:
  // A server that begins and never ends must not fill our memory: of more progress, or of longer messages,
  // nothing is taken.
  static constexpr std::size_t most_tokens = 1024;
  static constexpr std::size_t longest_token = 256;
  static constexpr std::size_t longest_params = 16384;

  // The params of a $/progress notification, raw JSON. Partial results are no progress of work.
  void receive(std::string_view params);

  // Whether some has begun and not ended.
  bool active() const { return !under_way_.empty(); }
  // Whether any has begun so far.
  bool has_begun() const { return has_begun_; }
  // What one that is under way says: "Loading: 3/7"; empty where there is none.
  std::string text() const;

 private:
  using Token = std::variant<std::int64_t, std::string>;
  struct Report {
    std::string title;
    std::string message;
  };

  std::map<Token, Report> under_way_;
  bool has_begun_ = false;
};

}  // namespace symbols::lsp
