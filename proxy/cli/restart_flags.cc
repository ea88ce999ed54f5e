#include "proxy/cli/restart_flags.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <chrono>
#include <optional>
#include <string_view>

#include "proxy/cli/answer_flags.h"
#include "proxy/options/option_value.h"

namespace symbols::cli {
namespace {

// "5/3": restarts, minutes.
std::optional<session::RestartLimit::Values> restarts_in_minutes(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return {};
  const auto most = options::OptionValue::of_text("", text.substr(0, slash)).number_within(1, 1000);
  const auto minutes = options::OptionValue::of_text("", text.substr(slash + 1)).number_within(1, 24 * 60);
  if (!most || !minutes) return {};
  return session::RestartLimit::Values{.most = static_cast<std::size_t>(*most),
                                       .window = std::chrono::minutes(*minutes)};
}

}  // namespace

void RestartFlags::add_to(CLI::App& app) {
  app.add_flag("--restart", restart_,
               "Start the server again when it crashes, with the documents that are open");
  app.add_option("--restart-limit", limit_,
                 "Give up after N restarts within so many minutes, or in a row (default 5/3)")
      ->type_name("N/MINUTES");
  app.add_option("--stall-timeout", stall_timeout_,
                 "With --restart: restart a server, too, that owes a reply and has sent nothing for so long "
                 "(default never)")
      ->type_name("TIME");
}

Result<session::RestartOptions> RestartFlags::read() const {
  session::RestartOptions options{.enabled = restart_};
  if (!limit_.empty()) {
    if (!restart_) return Error{"--restart-limit needs --restart", "give both, or neither"};
    const auto values = restarts_in_minutes(limit_);
    if (!values) {
      return options::OptionValue::of_text("--restart-limit", limit_)
          .error("1 to 1000 restarts and 1 to 1440 minutes, such as 5/3");
    }
    options.limit = *values;
  }
  if (!stall_timeout_.empty()) {
    if (!restart_) return Error{"--stall-timeout needs --restart", "give both, or neither"};
    const Result<std::string> time = as_milliseconds("--stall-timeout", stall_timeout_);
    if (!time) return time.error();
    std::uint64_t milliseconds = 0;
    std::from_chars(time->data(), time->data() + time->size(), milliseconds);
    options.stall_timeout = std::chrono::milliseconds(milliseconds);
  }
  return options;
}

}  // namespace symbols::cli
