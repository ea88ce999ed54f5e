// Answers one documentSymbol request: writes what DocumentQuery finds in the form that the client asked for.
#pragma once

#include <functional>
#include <string>

#include "proxy/options/answer_options.h"
#include "proxy/query/document_query.h"
#include "proxy/query/query_services.h"

namespace symbols::query {

// What the form of the answer depends on besides its options.
struct SymbolAnswerStyle {
  std::string uri;
  // The client did not declare hierarchical symbols: `json` means SymbolInformation[].
  bool flat = false;
  // There is no such document, so an empty reply is not taken to mean that it has no symbols.
  bool unknown = false;
};

// A query (query_services.h).
class SymbolQuery {
 public:
  using Done = std::function<void(Answer)>;

  // `params`: those of the request, raw JSON, without our options; empty for the document alone. `options`:
  // the request's over the session's. `done` is called from within a reply's handler or the loop.
  SymbolQuery(QueryServices services, std::string params, options::AnswerOptions options,
              SymbolAnswerStyle style, Done done);

  // The client ends the session: if the symbols are there, answers with the hovers that have arrived.
  void stop_collecting() {
    if (document_.has_symbols()) finish(document_.take("not answered in time"));
  }

 private:
  bool pass_reply(SymbolReply& reply);
  bool refuse_unknown(SymbolReply& reply);
  void finish(DocumentOutcome outcome) { answer({false, write(outcome)}); }
  std::string write(DocumentOutcome& outcome) const;
  bool answer(Answer answer);  // always true

  QueryServices services_;
  options::AnswerOptions options_;
  SymbolAnswerStyle style_;
  Done done_;
  DocumentQuery document_;
};

}  // namespace symbols::query
