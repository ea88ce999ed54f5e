// The documents of one symbols.documentSymbols (docs/spec.md, section 7).
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lsp/json/json.h"
#include "proxy/options/answer_options.h"
#include "proxy/query/answer.h"

namespace symbols::session {

struct DocumentBatch {
  // So many documents are asked about at a time; as many may have to be opened for the client.
  static constexpr std::size_t at_a_time = 16;

  std::vector<std::string> uris;
  bool several = false;  // they were asked for as a list, and are answered as one
  options::AnswerOptions options;
  std::vector<std::optional<query::Answer>> answers{};  // as many
  std::size_t next = 0;                                 // to be asked about
  std::size_t answered = 0;

  // The answer to a list, once all are answered: in the order asked, those that failed beside the others.
  std::string text() const {
    std::string results;
    std::string errors;
    for (std::size_t i = 0; i < uris.size(); ++i) {
      std::string& list = answers[i]->failed ? errors : results;
      list += fmt::format(R"({}{{"uri":{},"{}":{}}})", list.empty() ? "" : ",", lsp::json_string(uris[i]),
                          answers[i]->failed ? "error" : "result", answers[i]->json);
    }
    return fmt::format(R"({{"results":[{}],"errors":[{}]}})", results, errors);
  }
};

}  // namespace symbols::session
