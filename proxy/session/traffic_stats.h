// `--stats`: what was intercepted, and what it would have cost without.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "table/token_estimate.h"

namespace symbols::session {

class TrafficStats {
 public:
  // A reply of the server to a request that we answer ourselves: as the client would have got it.
  void add_before(std::string_view method, std::string_view replied, table::Tokenizer tokenizer);
  // What the client got for one request.
  void add_after(std::string_view method, std::string_view answered, table::Tokenizer tokenizer);

  // Lines for a person, each ended by a newline: per method the number of requests, bytes and estimated
  // tokens before and after. A line that says so where nothing was intercepted.
  std::string report() const;

 private:
  struct Count {
    std::uint64_t requests = 0;
    std::uint64_t bytes_before = 0;
    std::uint64_t tokens_before = 0;
    std::uint64_t bytes_after = 0;
    std::uint64_t tokens_after = 0;
  };
  std::map<std::string, Count, std::less<>> methods_;
};

}  // namespace symbols::session
