#include "lsp/document_symbol.h"

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <limits>

#include "base/text.h"
#include "lsp/json/json.h"
#include "lsp/unicode.h"

namespace symbols::lsp {
namespace {

// Turns RapidJSON's events into symbols. A symbol gets its place when its object opens, so the order is
// pre-order wherever `children` is among the members. Each function returns whether to continue.
class SymbolHandler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, SymbolHandler> {
 public:
  // `json_size`: bytes of the reply.
  explicit SymbolHandler(std::size_t json_size) {
    // Few servers take fewer bytes per symbol: then the vector grows. If one takes more, the vector is still
    // smaller than the reply.
    constexpr std::size_t bytes_of_symbol = 220;
    symbols_.reserve(json_size / bytes_of_symbol);
  }

  std::vector<DocumentSymbol> take() && { return std::move(symbols_); }
  const std::string& error() const { return error_; }
  bool flat() const { return flat_; }

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
    if (value >= -9e15 && value <= 9e15 && value == static_cast<double>(static_cast<std::int64_t>(value))) {
      return number(static_cast<std::int64_t>(value));
    }
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
    contexts_.pop_back();
    return true;
  }

  bool StartObject() {
    if (context() == Context::symbols) return open_symbol();
    if (is_at(Context::symbol, "location")) return enter(Context::location);
    if (is_at(Context::symbol, "range")) return open_range(&DocumentSymbol::range, seen_range);
    if (is_at(Context::symbol, "selectionRange"))
      return open_range(&DocumentSymbol::selection_range, seen_selection);
    if (is_at(Context::location, "range")) {
      flat_ = true;
      return open_range(&DocumentSymbol::range, seen_range | seen_selection);
    }
    if (is_at(Context::range, "start")) return open_position(&Range::start, 1);
    if (is_at(Context::range, "end")) return open_position(&Range::end, 2);
    return skip("an object");
  }
  bool EndObject(rapidjson::SizeType) {
    const Context left = context();
    contexts_.pop_back();
    if (left == Context::symbol) return close_symbol();
    if (left == Context::position && coordinates_ != 3) return fail("a position without line and character");
    if (left == Context::range && positions_ != 3) return fail("a range without start and end");
    return true;
  }

 private:
  enum class Context { top, symbols, symbol, location, range, position, tags, skipped };
  static constexpr unsigned seen_name = 1;
  static constexpr unsigned seen_kind = 2;
  static constexpr unsigned seen_range = 4;
  static constexpr unsigned seen_selection = 8;

  struct Open {
    std::size_t index;
    unsigned seen;
  };

  Context context() const { return contexts_.back(); }
  bool is_at(Context context, std::string_view member) const {
    return this->context() == context && member_ == member;
  }
  bool enter(Context context) {
    contexts_.push_back(context);
    return true;
  }
  // Open symbols are kept as indexes, because the vector moves as it grows.
  DocumentSymbol& symbol() { return symbols_[open_.back().index]; }

  bool open_symbol() {
    if (symbols_.size() == std::numeric_limits<std::int32_t>::max()) return fail("too many symbols");
    const std::int32_t parent = open_.empty() ? -1 : static_cast<std::int32_t>(open_.back().index);
    open_.push_back({symbols_.size(), 0});
    symbols_.emplace_back().parent = parent;
    return enter(Context::symbol);
  }
  bool close_symbol() {
    const unsigned seen = open_.back().seen;
    const char* missing = !(seen & seen_name)        ? "name"
                          : !(seen & seen_kind)      ? "kind"
                          : !(seen & seen_range)     ? "range"
                          : !(seen & seen_selection) ? "selectionRange"
                                                     : nullptr;
    if (missing != nullptr) return fail(fmt::format("a symbol without '{}'", missing));
    open_.pop_back();
    return true;
  }
  bool open_range(Range DocumentSymbol::*which, unsigned seen) {
    range_ = which;
    open_.back().seen |= seen;
    positions_ = 0;
    return enter(Context::range);
  }
  bool open_position(Position Range::*which, unsigned seen) {
    position_ = which;
    positions_ |= seen;
    coordinates_ = 0;
    return enter(Context::position);
  }

  bool number(std::int64_t value) {
    const bool is_line = member_ == "line";
    if (context() == Context::position && (is_line || member_ == "character")) {
      if (value < 0 || value > std::numeric_limits<std::uint32_t>::max())
        return fail(fmt::format("{} is not a line or character of a position", value));
      Position& position = symbol().*range_.*position_;
      (is_line ? position.line : position.character) = static_cast<std::uint32_t>(value);
      coordinates_ |= is_line ? 1U : 2U;
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
    switch (context()) {
      case Context::top:
      case Context::symbols:
        return true;
      case Context::symbol:
        return is_among(member_, "name kind range selectionRange location");
      case Context::location:
        return member_ == "range";
      case Context::range:
        return is_among(member_, "start end");
      case Context::position:
        return is_among(member_, "line character");
      default:
        return false;
    }
  }
  // A value of the wrong type: an error if we need the member, else skipped.
  bool expect_other(std::string_view what) {
    return !is_needed() || fail(fmt::format("{} where another type is expected", what));
  }
  bool skip(std::string_view what) { return expect_other(what) && enter(Context::skipped); }
  bool fail(std::string message) {
    error_ = std::move(message);
    return false;
  }

  std::vector<DocumentSymbol> symbols_;
  std::vector<Open> open_;
  std::vector<Context> contexts_{Context::top};
  std::string member_;  // the name of the innermost open object's last member
  Range DocumentSymbol::*range_ = nullptr;
  Position Range::*position_ = nullptr;
  unsigned positions_ = 0;
  unsigned coordinates_ = 0;
  bool flat_ = false;
  std::string error_;
};

}  // namespace

Result<SymbolTree> decode_document_symbols(std::string_view json, std::string_view document_text,
                                           std::size_t* fault_offset) {
  std::string storage;
  const std::string_view mended = mend_lone_surrogates(json, storage);
  rapidjson::MemoryStream stream(mended.data(), mended.size());
  SymbolHandler handler(json.size());
  rapidjson::Reader reader;
  constexpr unsigned flags = rapidjson::kParseIterativeFlag | rapidjson::kParseStopWhenDoneFlag;
  if (const rapidjson::ParseResult parsed = reader.Parse<flags>(stream, handler); parsed.IsError()) {
    if (fault_offset != nullptr) *fault_offset = parsed.Offset();
    return Error{handler.error().empty() ? rapidjson::GetParseError_En(parsed.Code()) : handler.error(), {}};
  }
  if (handler.flat()) return nest_flat_symbols(std::move(handler).take(), document_text);
  SymbolTree tree{std::move(handler).take()};
  for (DocumentSymbol& symbol : tree.symbols) symbol.container_name.clear();
  return tree;
}

}  // namespace symbols::lsp
