#include "proxy/query/context_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/text.h"
#include "lsp/document_symbol.h"
#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"
#include "lsp/replies.h"
#include "lsp/uri.h"
#include "table/hover/hover_text.h"
#include "table/one_line.h"

namespace symbols::query {
namespace {

// A direction in which a hierarchy goes on from the symbol: a part of the context.
struct Branch {
  std::string_view name;
  std::string_view hierarchy;  // Call or Type
  std::string_view method;
  bool lsp::ServerCapabilities::*offered;
  std::size_t table::ContextLimits::*limit;
  table::ContextPart<lsp::HierarchyList> table::SymbolContext::*part;
};

constexpr auto branches = std::to_array<Branch>({
    {"callers", "Call", "callHierarchy/incomingCalls", &lsp::ServerCapabilities::call_hierarchy,
     &table::ContextLimits::callers, &table::SymbolContext::callers},
    {"callees", "Call", "callHierarchy/outgoingCalls", &lsp::ServerCapabilities::call_hierarchy,
     &table::ContextLimits::callees, &table::SymbolContext::callees},
    {"supertypes", "Type", "typeHierarchy/supertypes", &lsp::ServerCapabilities::type_hierarchy,
     &table::ContextLimits::supertypes, &table::SymbolContext::supertypes},
    {"subtypes", "Type", "typeHierarchy/subtypes", &lsp::ServerCapabilities::type_hierarchy,
     &table::ContextLimits::subtypes, &table::SymbolContext::subtypes},
});

// What `decode` returns for the reply; on an error, `failure` is set to the reason.
template <class Decode>
auto read_part(const lsp::Reply& reply, std::string& failure, Decode decode) {
  auto decoded = reply.failed ? Error{refusal_text(reply), {}} : decode(lsp::whole_json_value(reply.result));
  if (!decoded) failure = decoded.error().message;
  return decoded;
}

}  // namespace

ContextQuery::ContextQuery(QueryServices services, ContextQuestion question, milliseconds limit, Done done,
                           const lsp::SymbolTree* tree)
    : services_(std::move(services)),
      question_(std::move(question)),
      limit_(limit),
      done_(std::move(done)),
      hover_(services_.server, services_.timers),
      references_(services_.server, services_.timers),
      implementations_(services_.server, services_.timers),
      timer_(services_.timers) {
  while (branches_.size() < branches.size()) branches_.emplace_back(services_.server, services_.timers);
  if (tree == nullptr) {
    symbols_.emplace(services_.server, services_.timers, services_.text, question_.uri,
                     [this](SymbolReply& reply) { receive_symbols(reply); });
  }
  if (question_.limits.diagnostics > 0)
    diagnostics_.emplace(services_, question_.uri, limit_, [this] { finish_if_complete(); });
  if (tree != nullptr) begin(*tree);
}

lsp::ReplyHandler ContextQuery::to(lsp::ReplyHandler receiver) {
  return [this, receiver = std::move(receiver)](const lsp::Reply& reply) {
    count(reply);
    any_failed_ = any_failed_ || reply.failed;
    receiver(reply);
    finish_if_complete();
  };
}

void ContextQuery::count(const lsp::Reply& reply) const {
  if (!reply.failed && services_.count) services_.count(lsp::whole_json_value(reply.result));
}

void ContextQuery::receive_symbols(SymbolReply& reply) {
  count(reply.raw());
  if (reply.raw().failed) {
    std::string storage;
    const std::string_view error = lsp::ascii_json(lsp::whole_json_value(reply.raw().result), storage);
    failure_ = {.reason = ContextFailure::Reason::refused, .detail = std::string(error)};
  } else if (!reply.tree()) {
    failure_ = {.reason = ContextFailure::Reason::other,
                .detail = "the server's symbols cannot be read: " + reply.tree().error().message};
  } else {
    begin(*reply.tree());
  }
  finish_if_complete();
}

void ContextQuery::begin(const lsp::SymbolTree& tree) {
  const std::shared_ptr<const std::string> text = services_.text(question_.uri);
  ContextSymbol found =
      find_context_symbol(tree, question_, text.get(), services_.capabilities.position_encoding);
  if (found.failure) {
    failure_ = std::move(*found.failure);
    return;
  }
  written_ = WrittenDeclarations(services_, question_.uri);
  others_ = std::move(found.others);
  table::set_context_rows(context_, tree, found.index, question_.levels, question_.limits.children);
  context_.completeness = question_.completeness;
  context_.types_completeness = question_.completeness;
  context_.outline_folder = question_.outline_folder;
  context_.page = question_.page;
  context_.uri = question_.uri;
  context_.kind_names = question_.options.kind_names.value_or(false);
  context_.positions = question_.options.positions.value_or(false);
  take_source();
  ask_about_symbol();
  // The reader of parts (impact) ignores which declaration is named.
  if (is_method() && (references_.is_out() || branches_.front().is_out()) &&
      (!question_.as_parts || BaseUses::asks_bases(question_.uri)))
    base_uses_.emplace(services_, question_.uri, tree, found.index, limit_, question_.limits, context_,
                       std::bind_front(&ContextQuery::name_file, this), [this] { finish_if_complete(); });
  if (diagnostics_) diagnostics_->symbols_are_there();
}

void ContextQuery::take_source() {
  if (question_.limits.source == 0) return;
  const std::shared_ptr<const std::string> text = services_.text(question_.uri);
  if (!text) {
    context_.source.failure = "the text of this document is not known";
    return;
  }
  context_.source.value =
      table::source_lines(lsp::PositionIndex(*text, services_.capabilities.position_encoding),
                          context_.rows.all.front().range, question_.limits.source);
  if (!context_.source.value) context_.source.failure = "the document has no such lines";
}

void ContextQuery::ask_about_symbol() {
  const lsp::Position at = context_.rows.all.front().selection_range.start;
  const std::string params = place_params(question_.uri, at);
  timer_.start(limit_, [this] { finish(fmt::format("not answered within {} ms", limit_.count())); });
  const lsp::ServerCapabilities& offered = services_.capabilities;
  const auto ask = [this](bool is_offered, PendingRequest& request, std::string& failure,
                          std::string_view method, const std::string& its_params,
                          lsp::ReplyHandler receiver) {
    if (is_offered) {
      request.send(method, its_params, to(std::move(receiver)), limit_);
    } else {
      failure = not_offered;
    }
  };
  const bool wants_hover = question_.options.include_hover.value_or(true);
  context_.rows.with_hover = wants_hover && offered.hover;
  if (wants_hover)
    ask(offered.hover, hover_, context_.hover_failure, hover_method, params,
        std::bind_front(&ContextQuery::receive_hover, this));
  // Whether the callers are all there are shows in the references, unless that is known already.
  const bool needs_names = question_.whole_if_named && !question_.whole_if_named->empty();
  const bool finds_bases = question_.limits.callers > 0 && is_method() && BaseUses::asks_bases(question_.uri);
  if (question_.limits.references > 0 || (offered.references && (needs_names || finds_bases)))
    ask(offered.references, references_, context_.references.failure, "textDocument/references",
        place_params(question_.uri, at, R"(,"context":{"includeDeclaration":false})"),
        std::bind_front(&ContextQuery::receive_references, this));
  if (question_.limits.implementations > 0)
    ask(offered.implementation, implementations_, context_.implementations.failure,
        "textDocument/implementation", params, std::bind_front(&ContextQuery::receive_implementations, this));
  for (std::size_t i = 0; i < branches.size(); ++i) {
    const Branch& branch = branches[i];
    if (question_.limits.*branch.limit > 0)
      ask(offered.*branch.offered, branches_[i], (context_.*branch.part).failure,
          fmt::format("textDocument/prepare{}Hierarchy", branch.hierarchy), params,
          std::bind_front(&ContextQuery::receive_item, this, i));
  }
  if (context_.rows.with_hover) collect_hovers();
}

// Collects the hovers of the rows below the symbol. The symbol's own is requested separately, because it is
// given whole and its failure is reported.
void ContextQuery::collect_hovers() {
  table::SymbolRows below;
  below.all.assign(context_.rows.all.begin() + 1, context_.rows.all.end());
  for (table::Row& row : below.all) row.parent = -1;  // the parent's row is not among these
  collector_.emplace(
      services_.hovers, question_.uri, std::move(below),
      HoverForm{.characters = question_.options.row_hover_chars()}, [this] { finish_if_complete(); },
      written_);
}

void ContextQuery::receive_hover(const lsp::Reply& reply) {
  const Result<lsp::Hover> hover = read_part(reply, context_.hover_failure, lsp::decode_hover);
  if (!hover) return;
  const lsp::DocumentSymbol& symbol = context_.rows.all.front();
  table::HoverText parts = table::split_hover(*hover, symbol.name);
  written_.replace_signature(parts, symbol);
  const std::size_t characters = question_.options.hover_chars.value_or(0);
  symbol_hover_ = table::join_hover(parts, characters);
  context_.signature = table::cut_signature(parts.signature, characters);
}

void ContextQuery::receive_references(const lsp::Reply& reply) {
  auto list = read_part(reply, context_.references.failure, [](std::string_view result) {
    return lsp::decode_locations(result, std::string_view::npos);
  });
  if (!list) return;
  std::set<std::string_view> files;
  for (const lsp::Location& location : list->first) files.insert(location.uri);
  for (const std::string_view uri : files) name_file(uri);
  context_.references.value = std::move(*list);
}

void ContextQuery::name_file(std::string_view uri) {
  if (question_.whole_if_named) std::erase(*question_.whole_if_named, lsp::file_path(uri).value_or(""));
}

void ContextQuery::receive_implementations(const lsp::Reply& reply) {
  auto list = read_part(reply, context_.implementations.failure, [this](std::string_view result) {
    return lsp::decode_locations(result, question_.limits.implementations);
  });
  if (list) context_.implementations.value = std::move(*list);
}

void ContextQuery::receive_item(std::size_t branch, const lsp::Reply& reply) {
  const Branch& its = branches[branch];
  std::string& failure = (context_.*its.part).failure;
  const auto item = read_part(reply, failure, lsp::prepared_hierarchy_item);
  if (!item) return;
  if (!*item) {
    failure = fmt::format("the server has no {} hierarchy for this symbol", in_lower_case(its.hierarchy));
  } else {
    branches_[branch].send(its.method, fmt::format(R"({{"item":{}}})", **item),
                           to(std::bind_front(&ContextQuery::receive_neighbours, this, branch)), limit_);
  }
}

void ContextQuery::receive_neighbours(std::size_t branch, const lsp::Reply& reply) {
  const Branch& its = branches[branch];
  table::ContextPart<lsp::HierarchyList>& part = context_.*its.part;
  auto list = read_part(reply, part.failure, [](std::string_view result) {
    return lsp::decode_hierarchy(result, std::string_view::npos);
  });
  if (list) part.value = std::move(*list);
}

bool ContextQuery::is_complete() const {
  if (failure_) return true;
  const bool parts_out =
      hover_.is_out() || references_.is_out() || implementations_.is_out() ||
      std::ranges::any_of(branches_, &PendingRequest::is_out) || (base_uses_ && !base_uses_->is_complete()) ||
      (collector_ && !collector_->is_complete()) || (diagnostics_ && !diagnostics_->is_complete());
  return !context_.rows.all.empty() && !parts_out;
}

void ContextQuery::finish_if_complete() {
  const bool lists_are_out = references_.is_out() || branches_.front().is_out();
  if (base_uses_ && !base_uses_->has_begun() && !lists_are_out) return base_uses_->begin();
  if (is_complete()) finish({});
}

void ContextQuery::finish(const std::string& reason) {
  const Done done = std::move(done_);
  done(take(reason));
}

ContextOutcome ContextQuery::take(const std::string& reason) {
  ContextOutcome outcome;
  if (failure_) {
    outcome.failure = std::move(failure_);
    return outcome;
  }
  timer_.stop();
  const auto stop_part = [this, &reason](PendingRequest& part, std::string& failure) {
    if (!part.is_out()) return;
    failure = reason;
    any_failed_ = true;
    part.cancel();
  };
  stop_part(hover_, context_.hover_failure);
  stop_part(references_, context_.references.failure);
  stop_part(implementations_, context_.implementations.failure);
  for (std::size_t i = 0; i < branches.size(); ++i)
    stop_part(branches_[i], (context_.*branches[i].part).failure);
  if (base_uses_) base_uses_->stop();
  const auto cut = [](auto& part, std::size_t limit) {
    if (part.value && part.value->first.size() > limit) part.value->first.resize(limit);
  };
  cut(context_.references, question_.limits.references);
  for (const Branch& branch : branches) cut(context_.*branch.part, question_.limits.*branch.limit);
  if (question_.whole_if_named && question_.whole_if_named->empty()) context_.completeness = whole_project;
  if (base_uses_ && !base_uses_->doubt().empty()) {
    context_.completeness.append(context_.completeness.empty() ? "" : ", ").append(base_uses_->doubt());
    any_failed_ = true;
  }
  base_uses_.reset();
  if (question_.limits.references == 0) context_.references = {};
  if (diagnostics_) {
    context_.diagnostics = diagnostics_->take(reason);
    any_failed_ = any_failed_ || !context_.diagnostics.value;
  }
  if (collector_) {
    const auto [filled, counts] = collector_->take();
    outcome.hovers_missing = counts.missing;
    for (std::size_t i = 0; i < filled.size(); ++i) context_.rows.all[i + 1].hover = filled.all[i].hover;
  }
  outcome.source_errors =
      source_errors(context_.diagnostics.value ? context_.diagnostics.value->first
                                               : published_errors(services_.published, question_.uri));
  if (context_.diagnostics.value) {
    table::keep_diagnostics(*context_.diagnostics.value, question_.limits.diagnostics,
                            context_.rows.all.front().range);
  }
  context_.rows.all.front().hover = symbol_hover_;
  const auto tell_failure = [&outcome](std::string name, const std::string& failure) {
    if (!failure.empty()) outcome.failed_parts.emplace_back(std::move(name), failure);
  };
  tell_failure("_hover_error", context_.hover_failure);
  tell_failure("_source_error", context_.source.failure);
  tell_failure("_references_error", context_.references.failure);
  tell_failure("_implementations_error", context_.implementations.failure);
  for (const Branch& branch : branches)
    tell_failure(fmt::format("_{}_error", branch.name), (context_.*branch.part).failure);
  tell_failure("_diagnostics_error", context_.diagnostics.failure);
  if (outcome.source_errors) tell_failure("source_errors", outcome.source_errors->text);
  if (question_.as_parts) {
    outcome.parts = std::move(context_);
  } else if (const std::optional<table::TokenLimit> limit = question_.options.token_limit()) {
    table::BudgetedText fitted = table::fit_context(std::move(context_), *limit);
    outcome.text = std::move(fitted.text);
    outcome.notice = std::move(fitted.notice);
  } else {
    outcome.text = table::write_context(context_);
  }
  outcome.is_repeatable = !any_failed_ && outcome.hovers_missing == 0;
  outcome.others = std::move(others_);
  return outcome;
}

}  // namespace symbols::query
