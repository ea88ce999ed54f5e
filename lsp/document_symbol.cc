#include "lsp/document_symbol.h"

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "base/text.h"
#include "lsp/json/json.h"
#include "lsp/unicode.h"

namespace symbols::lsp {
namespace {

// Turns RapidJSON's events into symbols. A symbol gets its place when its object opens, so the order is
// pre-order wherever `children` is among the members. Each function returns whether to continue.
class SymbolHandler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, SymbolHandler> {
 public:
  std::vector<DocumentSymbol> symbols;
  bool flat = false;
  std::string error;

  bool Null() {
    // null means an absent member (children, containerName, …) or "no symbols".
    return context() == Context::top || context() == Context::symbol || !is_needed() ||
           fail("null instead of a value");
  }
  bool Bool(bool value) {
    if (is_at(Context::symbol, "deprecated")) symbol().deprecated = value;
    return expect_other("a boolean");
  }
  bool Int(int value) { return number(value); }
  bool Uint(unsigned value) { return number(value); }
  bool Int64(std::int64_t value) { return number(value); }
  bool Uint64(std::uint64_t value) {
    constexpr std::uint64_t max = std::numeric_limits<std::int64_t>::max();
    return number(static_cast<std::int64_t>(std::min(value, max)));
  }
  bool Double(double value) {
    // Some servers write integers as 1.0.
    if (value >= -9e15 && value <= 9e15 && value == static_cast<double>(static_cast<std::int64_t>(value)))
      return number(static_cast<std::int64_t>(value));
    return expect_other("a fraction");
  }
  bool String(const char* text, rapidjson::SizeType length, bool) {
    std::string DocumentSymbol::*const member = is_at(Context::symbol, "name")     ? &DocumentSymbol::name
                                                : is_at(Context::symbol, "detail") ? &DocumentSymbol::detail
                                                : is_at(Context::symbol, "containerName")
                                                    ? &DocumentSymbol::container_name
                                                    : nullptr;
    if (member == nullptr) return expect_other("a string");
    if (member == &DocumentSymbol::name) open_.back().seen |= seen_name;
    (symbol().*member).clear();
    append_valid_utf8(symbol().*member, {text, length});
    return true;
  }
  bool Key(const char* name, rapidjson::SizeType length, bool) {
    member_.assign(name, length);
    return true;
  }

  bool StartArray() {
    if (context() == Context::top || is_at(Context::symbol, "children")) return enter(Context::symbols);
    return is_at(Context::symbol, "tags") ? enter(Context::tags) : skip("an array");
  }
  bool EndArray(rapidjson::SizeType) {
    open_.pop_back();
    return true;
  }

  bool StartObject() {
    if (context() == Context::symbols) return enter_symbol();
    if (is_at(Context::symbol, "location")) return enter(Context::location);
    if (is_at(Context::symbol, "range")) return enter_range(symbol().range, seen_range);
    if (is_at(Context::symbol, "selectionRange"))
      return enter_range(symbol().selection_range, seen_selection);
    if (is_at(Context::location, "range")) {
      flat = true;
      return enter_range(symbol().range, seen_range | seen_selection);
    }
    if (is_at(Context::range, "start")) return enter_position(range_->start, seen_start);
    if (is_at(Context::range, "end")) return enter_position(range_->end, seen_end);
    return skip("an object");
  }
  bool EndObject(rapidjson::SizeType) {
    const Open left = open_.back();
    open_.pop_back();
    switch (left.context) {
      case Context::symbol: {
        constexpr std::array members = {"name", "kind", "range", "selectionRange"};  // as their bits
        const auto missing = static_cast<std::size_t>(std::countr_one(left.seen));
        return missing == members.size() || fail(fmt::format("a symbol without '{}'", members[missing]));
      }
      case Context::location:
        open_.back().seen |= left.seen;
        return true;
      case Context::range:
        return left.seen == (seen_start | seen_end) || fail("a range without start and end");
      case Context::position:
        return left.seen == (seen_line | seen_character) || fail("a position without line and character");
      default:
        return true;
    }
  }

 private:
  enum class Context { top, symbols, symbol, location, range, position, tags, skipped };
  // Of each context the members that must be what LSP says they are.
  static constexpr std::array<std::string_view, 8> needed = {
      "", "", "name kind range selectionRange location", "range", "start end", "line character", "", ""};
  // Of a symbol and its location; of a range; of a position.
  enum Seen : unsigned { seen_name = 1, seen_kind = 2, seen_range = 4, seen_selection = 8 };
  enum SeenEnds : unsigned { seen_start = 1, seen_end = 2 };
  enum SeenNumbers : unsigned { seen_line = 1, seen_character = 2 };

  struct Open {
    Context context;
    std::int32_t symbol;  // the index of the innermost symbol, as the vector moves as it grows; -1: none
    unsigned seen = 0;
  };

  Context context() const { return open_.back().context; }
  bool is_at(Context context, std::string_view member) const {
    return this->context() == context && member_ == member;
  }
  DocumentSymbol& symbol() { return symbols[static_cast<std::size_t>(open_.back().symbol)]; }

  // Enters the value of a member, which is marked as seen.
  bool enter(Context context, unsigned seen = 0) {
    open_.back().seen |= seen;
    open_.push_back({context, open_.back().symbol});
    return true;
  }
  bool enter_symbol() {
    if (symbols.size() == std::numeric_limits<std::int32_t>::max()) return fail("too many symbols");
    enter(Context::symbol);
    const auto index = static_cast<std::int32_t>(symbols.size());
    symbols.emplace_back().parent = std::exchange(open_.back().symbol, index);
    return true;
  }
  bool enter_range(Range& range, unsigned seen) {
    range_ = &range;
    return enter(Context::range, seen);
  }
  bool enter_position(Position& position, unsigned seen) {
    position_ = &position;
    return enter(Context::position, seen);
  }

  bool number(std::int64_t value) {
    const bool is_line = member_ == "line";
    if (context() == Context::position && (is_line || member_ == "character")) {
      if (value < 0 || value > std::numeric_limits<std::uint32_t>::max())
        return fail(fmt::format("{} is not a line or character of a position", value));
      (is_line ? position_->line : position_->character) = static_cast<std::uint32_t>(value);
      open_.back().seen |= is_line ? seen_line : seen_character;
    } else if (is_at(Context::symbol, "kind")) {
      symbol().kind = value;
      open_.back().seen |= seen_kind;
    } else if (context() == Context::tags) {
      symbol().tags.push_back(value);
    } else {
      return expect_other("a number");
    }
    return true;
  }

  // Whether the value here must be what LSP says it is.
  bool is_needed() const {
    return context() <= Context::symbols || is_among(member_, needed[static_cast<std::size_t>(context())]);
  }
  // A value of the wrong type: an error if we need the member, else skipped.
  bool expect_other(std::string_view what) {
    return !is_needed() || fail(fmt::format("{} where another type is expected", what));
  }
  bool skip(std::string_view what) { return expect_other(what) && enter(Context::skipped); }
  bool fail(std::string message) {
    error = std::move(message);
    return false;
  }

  std::vector<Open> open_{{Context::top, -1}};
  std::string member_;  // the name of the innermost open object's last member
  // Where the current range and position go. No symbol is added before they end.
  Range* range_ = nullptr;
  Position* position_ = nullptr;
};

}  // namespace

Result<SymbolTree> decode_document_symbols(std::string_view json, std::string_view document_text,
                                           std::size_t* fault_offset) {
  std::string storage;
  const std::string_view mended = mend_lone_surrogates(json, storage);
  rapidjson::MemoryStream stream(mended.data(), mended.size());
  SymbolHandler handler;
  // Few servers take fewer bytes per symbol: then the vector grows. It is never larger than the reply.
  constexpr std::size_t bytes_of_symbol = 220;
  handler.symbols.reserve(json.size() / bytes_of_symbol);
  rapidjson::Reader reader;
  constexpr unsigned flags = rapidjson::kParseIterativeFlag | rapidjson::kParseStopWhenDoneFlag;
  if (const rapidjson::ParseResult parsed = reader.Parse<flags>(stream, handler); parsed.IsError()) {
    if (fault_offset != nullptr) *fault_offset = parsed.Offset();
    return Error{handler.error.empty() ? rapidjson::GetParseError_En(parsed.Code()) : handler.error, {}};
  }
  if (handler.flat) return nest_flat_symbols(std::move(handler.symbols), document_text);
  SymbolTree tree{std::move(handler.symbols)};
  for (DocumentSymbol& symbol : tree.symbols) symbol.container_name.clear();
  return tree;
}

}  // namespace symbols::lsp
