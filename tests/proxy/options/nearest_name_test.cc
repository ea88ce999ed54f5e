#include "proxy/options/nearest_name.h"

#include <doctest/doctest.h>

#include <string>

namespace symbols::options {
namespace {

TEST_CASE("the name that was most likely meant") {
  constexpr std::string_view names[] = {"nvim", "vim", "emacs", "claude-code", "copilot-cli"};
  struct Case {
    std::string_view typed, nearest;
  };
  const Case cases[] = {{"nvm", "nvim"},
                        {"neovim", "nvim"},
                        {"emcas", "emacs"},
                        {"claude", "claude-code"},
                        {"copilot", "copilot-cli"},
                        {"Emacs", "emacs"},
                        {"x", ""},
                        {"", ""},
                        {"something", ""},
                        {"vi", "vim"}};
  for (const Case& c : cases) {
    CAPTURE(c.typed);
    CHECK(nearest_name(c.typed, names) == c.nearest);
  }
  CHECK(nearest_name(std::string(100000, 'v'), names).empty());
}

}  // namespace
}  // namespace symbols::options
