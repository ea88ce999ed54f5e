// The uses of a method that name another declaration of it: that of a base, or of another class with the same
// base. Servers have three ways. clangd lists references through a base among the others, but no callers;
// pyright has neither; TypeScript's and gopls list all, also those of such other classes.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "lsp/document_symbol.h"
#include "lsp/replies.h"
#include "proxy/query/query_services.h"
#include "proxy/query/symbol_fetch.h"
#include "table/context_text.h"

namespace symbols::query {

// Completes the references and callers of a context and says which name another declaration. In C++ and
// Python the bases are found by the names in the class's declaration, and asked for the uses of their own
// method; elsewhere the definition of each place listed tells.
class BaseUses {
 public:
  using Done = std::function<void()>;
  // Gets the files of uses and declarations that the lists lack.
  using OnFile = std::function<void(std::string_view uri)>;

  // For method `index` of the tree, in the document `uri`. `context` outlives it; its lists are whole, and
  // either may be missing. `limit` is for each request, `limits` for what is shown. `done` is called once
  // after begin(), perhaps from within, and may destroy it.
  BaseUses(QueryServices services, std::string uri, const lsp::SymbolTree& tree, std::size_t index,
           milliseconds limit, const table::ContextLimits& limits, table::SymbolContext& context,
           OnFile on_file, Done done);

  // Whether bases are asked, by the language; else only the places listed are looked at.
  static bool asks_bases(std::string_view uri);

  // When the lists are there, once.
  void begin();
  bool has_begun() const { return has_begun_; }
  bool is_complete() const { return is_complete_; }
  // Without what is still to come.
  void stop();
  // For the lists' completeness; empty if nothing is in doubt.
  std::string_view doubt() const;

 private:
  struct Type {
    std::string uri;
    lsp::DocumentSymbol symbol;
  };

  // `receive` gets the result; a refusal is a doubt, and the work goes on.
  void ask(std::string_view method, const std::string& params,
           std::function<void(std::string_view result)> receive);
  void next();
  void read_bases(const Type& type);
  // The symbol at the place that the request gives for `place`: a base, or else the method as declared.
  void look_up(std::string_view request, const lsp::Place& place, bool is_base);
  void receive_symbols(const lsp::Place& place, bool is_base, const lsp::SymbolTree& tree);
  void ask_for_uses(const lsp::Place& declaration);
  void ask_for_callers(const lsp::Place& declaration);
  void take_references(const lsp::Place& declaration, std::string_view result);
  void take_callers(const lsp::Place& declaration, std::string_view result);
  void ask_for_named();
  void mark_named();
  bool is_in_method(std::string_view uri, const lsp::Range& range) const;
  std::shared_ptr<const std::string> text_of(const std::string& uri) const;
  void complete();

  QueryServices services_;
  std::string uri_;
  lsp::DocumentSymbol method_;
  std::optional<lsp::DocumentSymbol> around_;  // the symbol that it is in
  milliseconds limit_;
  table::ContextLimits limits_;
  table::SymbolContext& context_;
  OnFile on_file_;
  Done done_;
  PendingRequest request_;
  std::optional<SymbolFetch> symbols_;
  std::map<lsp::Place, std::size_t> listed_;  // the references
  std::deque<Type> types_;                    // whose bases are not yet known
  std::deque<lsp::Place> names_;              // of bases, in declarations of classes
  std::set<lsp::Place> known_types_;
  std::set<lsp::Place> declarations_;             // of bases
  std::deque<lsp::Place> to_ask_;                 // of these
  std::set<lsp::Place> places_;                   // whose definition is not yet known
  std::map<lsp::Place, lsp::Place> definitions_;  // that are not the method's own
  bool is_doubtful_ = false;
  bool has_begun_ = false;
  bool is_complete_ = false;
};

}  // namespace symbols::query
