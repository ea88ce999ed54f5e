// One hover request of the client being answered in a text format (docs/spec.md, section 7): the server's
// hover, and the row of the symbol that it is about.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "lsp/document_text.h"
#include "lsp/hover.h"
#include "lsp/reply.h"
#include "proxy/query/answer.h"
#include "proxy/query/symbol_memory.h"
#include "proxy/query/symbol_query.h"

namespace symbols::query {

// What the client asked about.
struct HoverQuestion {
  std::string uri;
  lsp::Position position;
  std::string params;  // of the request, raw JSON, without our options
  options::AnswerOptions options;
  lsp::PositionEncoding encoding = lsp::PositionEncoding::utf16;
};

// Kept by its owner until `done` was called or nobody wants the answer. Single-threaded.
class HoverQuery : public std::enable_shared_from_this<HoverQuery> {
 public:
  using Done = std::function<void(Answer)>;

  // `symbols` outlives it.
  static std::shared_ptr<HoverQuery> create(QueryServices services, SymbolMemory& symbols,
                                            HoverQuestion question, Done done);
  ~HoverQuery();

  void start();

 private:
  HoverQuery(QueryServices services, SymbolMemory& symbols, HoverQuestion question, Done done);

  void receive(const lsp::Reply& reply);
  void answer_when_known();
  std::string row(const lsp::SymbolTree* tree, std::string_view text) const;
  void answer(Answer answer);

  QueryServices services_;
  SymbolMemory& memory_;
  HoverQuestion question_;
  Done done_;
  std::optional<lsp::RequestNumber> in_flight_;
  std::optional<lsp::Hover> hover_;
  std::string raw_range_;  // of the hover, as the server wrote it; may be empty
  SymbolMemory::Ticket symbols_out_ = 0;
  SymbolMemory::Tree tree_;
  bool symbols_settled_ = false;  // they have come, or will not
};

}  // namespace symbols::query
