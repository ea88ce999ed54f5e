// What the intercepted requests would have cost.
#include "proxy/session/traffic_stats.h"

#include <doctest/doctest.h>

#include <string>

#include "table/token_estimate.h"

namespace symbols::session {
namespace {

TEST_CASE("traffic stats: per method, before and after") {
  TrafficStats stats;
  CHECK(stats.report() == "symbols: nothing was intercepted\n");
  const std::string before = R"([{"name":"a","kind":12},{"name":"b","kind":12}])";
  const std::string after = R"("a | 12\nb | 12")";
  stats.add_before("textDocument/documentSymbol", before, table::Tokenizer::o200k);
  stats.add_before("textDocument/documentSymbol", before, table::Tokenizer::o200k);
  stats.add_after("textDocument/documentSymbol", after, table::Tokenizer::o200k);
  stats.add_after("textDocument/hover", "null", table::Tokenizer::o200k);
  const auto tokens = [](const std::string& text) { return std::to_string(table::estimate_tokens(text)); };
  const auto twice = [](const std::string& text) { return std::to_string(2 * table::estimate_tokens(text)); };
  CHECK(stats.report() == "symbols: textDocument/documentSymbol: 1 answered, " +
                              std::to_string(2 * before.size()) + " -> " + std::to_string(after.size()) +
                              " bytes, about " + twice(before) + " -> " + tokens(after) +
                              " tokens\nsymbols: textDocument/hover: 1 answered, 0 -> 4 bytes, about 0 -> " +
                              tokens("null") + " tokens\n");
}

}  // namespace
}  // namespace symbols::session
