// The options of an answer as flags (docs/spec.md, section 4): what the uses of the program have in common on
// the command line.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "base/result.h"
#include "proxy/options/answer_options.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace symbols::cli {

class AnswerFlags {
 public:
  // What the flags are for: which there are, and what they are by default.
  enum class Use { dump, proxy, context, convert };

  // Adds the flags to `app`, which this must outlive.
  void add_to(CLI::App& app, Use use);

  // Whether one of them was given.
  bool any() const;
  // What was given, once `app` has parsed it. Error: names the flag, the value and what is allowed.
  Result<options::AnswerOptions> read() const;

 private:
  struct Given {
    std::string_view flag;
    std::string_view option;  // its name in docs/spec.md
    CLI::Option* given;
    std::string text{};
  };

  void add(CLI::App& app, std::string_view flag, std::string_view option, const char* type,
           const std::string& help);

  std::deque<Given> given_;  // the texts are bound by address
  bool hover_ = false;
  bool no_hover_ = false;
  bool kind_names_ = false;
};

}  // namespace symbols::cli
