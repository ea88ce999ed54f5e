#include "proxy/session/traffic_stats.h"

#include <fmt/format.h>

namespace symbols::session {

void TrafficStats::add_before(std::string_view method, std::string_view replied, table::Tokenizer tokenizer) {
  Count& count = methods_[std::string(method)];
  count.bytes_before += replied.size();
  count.tokens_before += table::estimate_tokens(replied, tokenizer);
}

void TrafficStats::add_after(std::string_view method, std::string_view answered, table::Tokenizer tokenizer) {
  Count& count = methods_[std::string(method)];
  ++count.requests;
  count.bytes_after += answered.size();
  count.tokens_after += table::estimate_tokens(answered, tokenizer);
}

std::string TrafficStats::report() const {
  if (methods_.empty()) return "symbols: nothing was intercepted\n";
  std::string text;
  for (const auto& [method, count] : methods_) {
    text += fmt::format("symbols: {}: {} answered, {} -> {} bytes, about {} -> {} tokens\n", method,
                        count.requests, count.bytes_before, count.bytes_after, count.tokens_before,
                        count.tokens_after);
  }
  return text;
}

}  // namespace symbols::session
