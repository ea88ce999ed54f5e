#include "proxy/query/base_uses.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"
#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"
#include "lsp/symbol_search.h"
#include "lsp/uri.h"
#include "proxy/files/source_text.h"

namespace symbols::query {
namespace {

constexpr std::size_t max_types = 32;
constexpr std::size_t max_declaration = 4096;  // bytes of a class's bases
constexpr std::size_t max_places = 100;        // each costs a request
constexpr std::size_t max_listed = 10'000;

bool is_python(std::string_view uri) {
  return files::language_of(uri) == files::Language::python;
}

bool is_same_document(std::string_view one, std::string_view other) {
  const std::optional<std::string> path = lsp::file_path(one);
  return one == other || (path && path == lsp::file_path(other));
}

// `method` of `Type::method`.
std::string_view last_part(std::string_view name) {
  const std::size_t scope = name.rfind(':');
  return scope == name.npos ? name : name.substr(scope + 1);
}

// Past a comment, or a string of Python, that starts at `at`; else `at`.
std::size_t after_comment(std::string_view text, std::size_t at, bool of_python) {
  const std::string_view rest = text.substr(at);
  std::string_view end;
  if (rest.starts_with(of_python ? "#" : "//")) end = "\n";
  if (!of_python && rest.starts_with("/*")) end = "*/";
  if (of_python && (rest.front() == '"' || rest.front() == '\'')) end = rest.substr(0, 1);
  if (end.empty()) return at;
  const std::size_t found = text.find(end, at + 1);
  return found == text.npos ? text.size() : found + end.size();
}

// The offsets of the names of bases in a class's declaration, of which `text` follows the class's name: after
// `:`, in an alias after `=`; in Python in parentheses. Of `a::B<T>` it is that of B.
std::vector<std::size_t> base_names(std::string_view text, bool of_python) {
  const std::string_view before_bases = of_python ? "(" : ":";
  std::vector<std::size_t> names;
  std::string open;       // brackets, and the colon before the bases
  bool is_value = false;  // of an argument with a name
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t next = after_comment(text, at, of_python); next != at) {
      at = next;
      continue;
    }
    const std::string_view word = word_at(text, at);
    const char c = text[at];
    at += std::max<std::size_t>(word.size(), text.substr(at).starts_with("::") ? 2 : 1);
    const std::string_view rest = text.substr(std::min(text.find_first_not_of(" \t\r\n", at), text.size()));
    if (!word.empty()) {
      if (open != before_bases || is_value) continue;
      is_value = of_python && rest.starts_with('=');
      const bool is_scope = rest.starts_with('.') || rest.starts_with("::");
      if (!is_value && !is_scope && !is_among(word, "public protected private virtual"))
        names.push_back(at - word.size());
    } else if (c == '(' || c == '[' || c == '<') {
      open += c;
    } else if ((c == ')' || c == ']' || c == '>') && !open.empty()) {
      open.pop_back();
    } else if (c == ',' && open == before_bases) {
      is_value = false;
    } else if (of_python ? c == ':' && open.empty() : c == '{' || c == ';') {
      break;
    } else if (!of_python && (c == ':' || c == '=') && open.empty()) {
      open = ":";
    }
  }
  return names;
}

}  // namespace

BaseUses::BaseUses(QueryServices services, std::string uri, const lsp::SymbolTree& tree, std::size_t index,
                   milliseconds limit, const table::ContextLimits& limits, table::SymbolContext& context,
                   OnFile on_file, Done done)
    : services_(std::move(services)),
      uri_(std::move(uri)),
      method_(tree.symbols[index]),
      limit_(limit),
      limits_(limits),
      context_(context),
      on_file_(std::move(on_file)),
      done_(std::move(done)),
      request_(services_.server, services_.timers) {
  if (method_.parent >= 0) around_ = tree.symbols[static_cast<std::size_t>(method_.parent)];
}

bool BaseUses::asks_bases(std::string_view uri) {
  return files::is_c(files::language_of(uri)) || is_python(uri);
}

std::string_view BaseUses::doubt() const {
  if (is_complete_ && !is_doubtful_) return {};
  return asks_bases(uri_) ? "perhaps not through bases" : "other declarations not all told";
}

void BaseUses::begin() {
  has_begun_ = true;
  const auto& references = context_.references.value;
  const auto& callers = context_.callers.value;
  // pyright gives a class's __init__ for its calls.
  const bool is_called_otherwise = is_python(uri_) && method_.name.starts_with("__");
  if ((!references && !callers) || is_called_otherwise) return complete();
  is_doubtful_ = !services_.capabilities.definition;
  if (is_doubtful_) return complete();
  if (!asks_bases(uri_)) {
    if (references) {
      for (std::size_t i = 0; i < std::min(limits_.references, references->first.size()); ++i)
        places_.insert({references->first[i].uri, references->first[i].range.start});
    }
    if (callers) {
      for (std::size_t i = 0; i < std::min(limits_.callers, callers->first.size()); ++i)
        for (const lsp::Range& call : callers->first[i].from_ranges)
          places_.insert({callers->first[i].uri, call.start});
    }
    is_doubtful_ = places_.size() > max_places;
    while (places_.size() > max_places) places_.erase(std::prev(places_.end()));
    return next();
  }
  if (references) {
    for (std::size_t i = 0; i < references->first.size(); ++i)
      listed_.emplace(lsp::Place{references->first[i].uri, references->first[i].range.start}, i);
  }
  is_doubtful_ = !references && !is_python(uri_);     // which name the declarations of bases
  if (!around_ || !lsp::is_type_kind(around_->kind))  // defined outside of its class
    return look_up("textDocument/declaration", {uri_, method_.selection_range.start}, false);
  types_.push_back({uri_, *around_});
  next();
}

void BaseUses::stop() {
  if (!has_begun_ || is_complete_) return;
  request_.cancel();
  symbols_.reset();
  mark_named();
}

void BaseUses::ask(std::string_view method, const std::string& params,
                   std::function<void(std::string_view result)> receive) {
  const auto take = [this, receive = std::move(receive)](const lsp::Reply& reply) {
    if (!reply.failed) return receive(lsp::whole_json_value(reply.result));
    is_doubtful_ = true;
    next();
  };
  request_.send(method, params, take, limit_);
}

void BaseUses::next() {
  if (known_types_.size() > max_types) {
    is_doubtful_ = true;
    types_.clear();
    names_.clear();
  }
  while (names_.empty() && !types_.empty()) {
    read_bases(types_.front());
    types_.pop_front();
  }
  const auto take = [](auto& waiting) {
    const lsp::Place place = *waiting.begin();
    waiting.erase(waiting.begin());
    return place;
  };
  if (!names_.empty()) return look_up("textDocument/definition", take(names_), true);
  if (!to_ask_.empty()) return ask_for_uses(take(to_ask_));
  if (!places_.empty()) return ask_for_named();
  mark_named();
  complete();
}

void BaseUses::complete() {
  is_complete_ = true;
  const Done done = done_;
  done();
}

std::shared_ptr<const std::string> BaseUses::text_of(const std::string& uri) const {
  return services_.open ? services_.open(uri) : services_.text(uri);
}

void BaseUses::read_bases(const Type& type) {
  const std::shared_ptr<const std::string> text = text_of(type.uri);
  // Those of a library's class are not asked about.
  is_doubtful_ = is_doubtful_ || (!text && !services_.open);
  if (!text) return;
  const lsp::PositionIndex index(*text, services_.capabilities.position_encoding);
  const std::size_t start = index.offset(type.symbol.selection_range.end);
  for (const std::size_t at :
       base_names(std::string_view(*text).substr(start, max_declaration), is_python(type.uri)))
    names_.push_back({type.uri, index.position(start + at)});
}

void BaseUses::look_up(std::string_view request, const lsp::Place& place, bool is_base) {
  ask(request, place_params(place.uri, place.position), [this, is_base](std::string_view result) {
    const Result<lsp::LocationList> list = lsp::decode_locations(result, 1);
    is_doubtful_ = is_doubtful_ || !list || list->first.empty();
    if (!list || list->first.empty()) return next();
    const lsp::Place found{list->first.front().uri, list->first.front().range.start};
    if (!known_types_.insert(found).second) return next();
    symbols_.emplace(
        services_.server, services_.timers, [text = text_of(found.uri)](std::string_view) { return text; },
        found.uri,
        [this, found, is_base](SymbolReply& reply) {
          is_doubtful_ = is_doubtful_ || !reply.tree();
          if (reply.tree()) receive_symbols(found, is_base, *reply.tree());
          next();
        });
  });
}

void BaseUses::receive_symbols(const lsp::Place& place, bool is_base, const lsp::SymbolTree& tree) {
  const lsp::DocumentSymbol* symbol = lsp::symbol_at(tree, place.position);
  if (symbol != nullptr && !is_base)
    symbol = symbol->parent < 0 ? nullptr : &tree.symbols[static_cast<std::size_t>(symbol->parent)];
  if (symbol == nullptr || !lsp::is_type_kind(symbol->kind)) {
    // In a library it may be one of Python's special forms, as Generic.
    is_doubtful_ = is_doubtful_ || text_of(place.uri) != nullptr;
    return;
  }
  types_.push_back({place.uri, *symbol});
  if (!is_base) return on_file_(place.uri);
  for (const lsp::DocumentSymbol& member : tree.symbols) {
    const lsp::Place declaration{place.uri, member.selection_range.start};
    // clangd's references of a method name the declarations that it overrides.
    if (member.parent == symbol - tree.symbols.data() && lsp::is_function_kind(member.kind) &&
        last_part(member.name) == last_part(method_.name) &&
        (is_python(uri_) || listed_.contains(declaration)) && declarations_.insert(declaration).second) {
      to_ask_.push_back(declaration);
      on_file_(place.uri);
    }
  }
}

bool BaseUses::is_in_method(std::string_view uri, const lsp::Range& range) const {
  return is_same_document(uri, uri_) && lsp::contains(method_.range, range);
}

void BaseUses::ask_for_uses(const lsp::Place& declaration) {
  if (!context_.references.value) return ask_for_callers(declaration);
  ask("textDocument/references",
      place_params(declaration.uri, declaration.position, R"(,"context":{"includeDeclaration":false})"),
      [this, declaration](std::string_view result) {
        take_references(declaration, result);
        ask_for_callers(declaration);
      });
}

void BaseUses::take_references(const lsp::Place& declaration, std::string_view result) {
  const Result<lsp::LocationList> list = lsp::decode_locations(result, max_listed);
  is_doubtful_ = is_doubtful_ || !list || list->first.size() < list->total;
  if (!list) return;
  std::vector<lsp::Location>& references = context_.references.value->first;
  for (lsp::Location location : list->first) {
    location.named = declaration;
    const auto [known, is_new] =
        listed_.emplace(lsp::Place{location.uri, location.range.start}, references.size());
    if (!is_new) {
      // In Python such a place names both, as of a union.
      if (!is_python(uri_)) references[known->second] = std::move(location);
    } else if (!is_in_method(location.uri, location.range)) {  // as a call of the base's own method
      on_file_(location.uri);
      references.push_back(std::move(location));
    } else {
      listed_.erase(known);
    }
  }
}

void BaseUses::ask_for_callers(const lsp::Place& declaration) {
  if (!context_.callers.value) return next();
  ask("textDocument/prepareCallHierarchy", place_params(declaration.uri, declaration.position),
      [this, declaration](std::string_view result) {
        const auto item = lsp::prepared_hierarchy_item(result);
        is_doubtful_ = is_doubtful_ || !item || !*item;
        if (!item || !*item) return next();
        ask("callHierarchy/incomingCalls", fmt::format(R"({{"item":{}}})", **item),
            [this, declaration](std::string_view calls) {
              take_callers(declaration, calls);
              next();
            });
      });
}

void BaseUses::take_callers(const lsp::Place& declaration, std::string_view result) {
  const Result<lsp::HierarchyList> list = lsp::decode_hierarchy(result, max_listed);
  is_doubtful_ = is_doubtful_ || !list || list->first.size() < list->total;
  if (!list) return;
  std::vector<lsp::HierarchyItem>& callers = context_.callers.value->first;
  for (lsp::HierarchyItem caller : list->first) {
    std::erase_if(caller.from_ranges, [&](const lsp::Range& call) {
      return is_in_method(caller.uri, call) ||
             std::ranges::any_of(callers, [&](const lsp::HierarchyItem& known) {
               return known.uri == caller.uri &&
                      std::ranges::find(known.from_ranges, call) != known.from_ranges.end();
             });
    });
    if (caller.from_ranges.empty()) continue;
    caller.named = declaration;
    callers.push_back(std::move(caller));
  }
}

void BaseUses::ask_for_named() {
  const lsp::Place place = *places_.begin();
  places_.erase(places_.begin());
  ask("textDocument/definition", place_params(place.uri, place.position),
      [this, place](std::string_view result) {
        const Result<lsp::LocationList> list = lsp::decode_locations(result, max_listed);
        // Overloads are declared beside each other, and a variable may be named like the method.
        const lsp::Range& own = around_ ? around_->range : method_.range;
        const auto is_own = [&](const lsp::Location& location) {
          return (is_same_document(location.uri, uri_) && lsp::contains(own, location.range)) ||
                 (location.uri == place.uri && location.range.start == place.position);
        };
        if (list && !list->first.empty() && std::ranges::none_of(list->first, is_own)) {
          const lsp::Location& first = list->first.front();
          definitions_.emplace(place, lsp::Place{first.uri, first.range.start});
          on_file_(first.uri);
        }
        next();
      });
}

// Sets `named` from definitions_, and removes the declarations of bases from the references.
void BaseUses::mark_named() {
  const auto named = [this](const std::string& uri, const lsp::Range& range) -> std::optional<lsp::Place> {
    const auto found = definitions_.find({uri, range.start});
    if (found == definitions_.end()) return {};
    return found->second;
  };
  if (context_.references.value) {
    std::vector<lsp::Location>& references = context_.references.value->first;
    std::erase_if(references, [this](const lsp::Location& found) {
      return declarations_.contains({found.uri, found.range.start});
    });
    if (!definitions_.empty())
      for (lsp::Location& found : references) found.named = named(found.uri, found.range);
    context_.references.value->total = references.size();
  }
  if (!context_.callers.value) return;
  std::vector<lsp::HierarchyItem>& callers = context_.callers.value->first;
  if (!definitions_.empty()) {
    for (const lsp::HierarchyItem& caller : std::exchange(callers, {})) {
      std::map<std::optional<lsp::Place>, std::vector<lsp::Range>> calls;
      for (const lsp::Range& call : caller.from_ranges) calls[named(caller.uri, call)].push_back(call);
      if (calls.empty()) callers.push_back(caller);
      for (const auto& [declaration, ranges] : calls) {
        callers.push_back(caller);
        callers.back().from_ranges = ranges;
        callers.back().named = declaration;
      }
    }
  }
  context_.callers.value->total = callers.size();
}

}  // namespace symbols::query
