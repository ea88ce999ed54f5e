#include "lsp/document_symbol.h"

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <limits>

#include "lsp/flat_symbols.h"
#include "lsp/json/json.h"
#include "lsp/unicode.h"

namespace symbols::lsp {
namespace {

// Turns RapidJSON's events into symbols. A symbol gets its place when its object opens, so the order is
// pre-order wherever `children` is among the members. Unknown members are skipped by counting their depth.
// Each function returns whether to continue.
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
  const std::optional<Error>& error() const { return error_; }
  bool flat() const { return flat_; }

  bool Null() {
    // null means an absent member (children, containerName, …) or "no symbols".
    return skip_depth_ > 0 || context() == Context::top || context() == Context::symbol || !is_needed() ||
           fail("null instead of a value");
  }
  bool Bool(bool value) {
    if (skip_depth_ > 0) return true;
    if (context() == Context::symbol && member_ == Member::deprecated) symbol().deprecated = value;
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
    return skip_depth_ > 0 || expect_other("a fraction");
  }
  bool String(const char* text, rapidjson::SizeType length, bool) {
    if (skip_depth_ > 0) return true;
    const std::string_view value(text, length);
    if (context() == Context::symbol) {
      switch (member_) {
        case Member::name:
          open_.back().seen |= seen_name;
          return assign(symbol().name, value);
        case Member::detail:
          return assign(symbol().detail, value);
        case Member::container_name:
          return assign(symbol().container_name, value);
        default:
          break;
      }
    }
    return expect_other("a string");
  }
  bool Key(const char* name, rapidjson::SizeType length, bool) {
    if (skip_depth_ > 0) return true;
    member_ = find_member({name, length});
    return true;
  }

  bool StartArray() {
    if (skip_depth_ > 0) return ++skip_depth_ > 0;
    if (context() == Context::top) return enter(Context::symbols);
    if (context() == Context::symbol && member_ == Member::children) return enter(Context::symbols);
    if (context() == Context::symbol && member_ == Member::tags) return enter(Context::tags);
    return skip("an array");
  }
  bool EndArray(rapidjson::SizeType) {
    if (skip_depth_ > 0) return leave_skipped();
    contexts_.pop_back();
    return true;
  }

  bool StartObject() {
    if (skip_depth_ > 0) return ++skip_depth_ > 0;
    switch (context()) {
      case Context::symbols:
        return open_symbol();
      case Context::symbol:
        if (member_ == Member::location) return enter(Context::location);
        if (member_ == Member::range) return open_range(&DocumentSymbol::range, seen_range);
        if (member_ == Member::selection_range) {
          return open_range(&DocumentSymbol::selection_range, seen_selection);
        }
        break;
      case Context::location:
        if (member_ == Member::range) {
          flat_ = true;
          return open_range(&DocumentSymbol::range, seen_range | seen_selection);
        }
        break;
      case Context::range:
        if (member_ == Member::start) return open_position(&Range::start);
        if (member_ == Member::end) return open_position(&Range::end);
        break;
      default:
        break;
    }
    return skip("an object");
  }
  bool EndObject(rapidjson::SizeType) {
    if (skip_depth_ > 0) return leave_skipped();
    const Context left = context();
    contexts_.pop_back();
    if (left == Context::symbol) return close_symbol();
    if (left == Context::position && coordinates_ != 3) return fail("a position without line and character");
    if (left == Context::range && positions_ != 3) return fail("a range without start and end");
    return true;
  }

 private:
  enum class Context { top, symbols, symbol, location, range, position, tags };
  enum class Member {
    other,
    name,
    detail,
    kind,
    tags,
    deprecated,
    range,
    selection_range,
    children,
    location,
    container_name,
    start,
    end,
    line,
    character,
  };
  static constexpr unsigned seen_name = 1;
  static constexpr unsigned seen_kind = 2;
  static constexpr unsigned seen_range = 4;
  static constexpr unsigned seen_selection = 8;

  struct Open {
    std::int32_t index;
    unsigned seen;
  };

  static Member find_member(std::string_view key) {
    const auto is = [&](std::string_view name, Member member) {
      return key == name ? member : Member::other;
    };
    switch (key.size()) {  // distinguishes most of them
      case 3:
        return is("end", Member::end);
      case 4:
        if (key == "line") return Member::line;
        if (key == "name") return Member::name;
        if (key == "kind") return Member::kind;
        return is("tags", Member::tags);
      case 5:
        return key == "start" ? Member::start : is("range", Member::range);
      case 6:
        return is("detail", Member::detail);
      case 8:
        return key == "children" ? Member::children : is("location", Member::location);
      case 9:
        return is("character", Member::character);
      case 10:
        return is("deprecated", Member::deprecated);
      case 13:
        return is("containerName", Member::container_name);
      case 14:
        return is("selectionRange", Member::selection_range);
      default:
        return Member::other;
    }
  }

  Context context() const { return contexts_.back(); }
  bool enter(Context context) {
    contexts_.push_back(context);
    return true;
  }
  // Open symbols are kept as indexes, because the vector moves as it grows.
  DocumentSymbol& symbol() { return symbols_[static_cast<std::size_t>(open_.back().index)]; }

  bool open_symbol() {
    if (symbols_.size() == std::numeric_limits<std::int32_t>::max()) return fail("too many symbols");
    const std::int32_t parent = open_.empty() ? -1 : open_.back().index;
    open_.push_back({static_cast<std::int32_t>(symbols_.size()), 0});
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
  bool open_position(Position Range::*which) {
    position_ = which;
    positions_ |= which == &Range::start ? 1U : 2U;
    coordinates_ = 0;
    return enter(Context::position);
  }

  bool number(std::int64_t value) {
    if (skip_depth_ > 0) return true;
    if (context() == Context::position) {
      if (member_ != Member::line && member_ != Member::character) return true;
      if (value < 0 || value > std::numeric_limits<std::uint32_t>::max()) {
        return fail(fmt::format("{} is not a line or character of a position", value));
      }
      Position& position = symbol().*range_.*position_;
      (member_ == Member::line ? position.line : position.character) = static_cast<std::uint32_t>(value);
      coordinates_ |= member_ == Member::line ? 1u : 2u;
      return true;
    }
    if (context() == Context::tags) {
      symbol().tags.push_back(value);
      return true;
    }
    if (context() == Context::symbol && member_ == Member::kind) {
      symbol().kind = value;
      open_.back().seen |= seen_kind;
      return true;
    }
    return expect_other("a number");
  }

  bool assign(std::string& out, std::string_view value) {
    out.clear();
    append_valid_utf8(out, value);
    return true;
  }

  // Whether the value here must be what LSP says it is.
  bool is_needed() const {
    if (context() == Context::tags) return false;
    if (context() == Context::top || context() == Context::symbols) return true;
    if (context() != Context::symbol && context() != Context::location) return member_ != Member::other;
    return member_ == Member::name || member_ == Member::kind || member_ == Member::range ||
           member_ == Member::selection_range || member_ == Member::location;
  }
  // A value of the wrong type: an error if we need the member, else skipped.
  bool expect_other(std::string_view what) {
    return !is_needed() || fail(fmt::format("{} where another type is expected", what));
  }
  bool skip(std::string_view what) {
    if (!expect_other(what)) return false;
    skip_depth_ = 1;
    return true;
  }
  bool leave_skipped() {
    --skip_depth_;
    return true;
  }
  bool fail(std::string message) {
    error_ = Error{std::move(message), {}};
    return false;
  }

  std::vector<DocumentSymbol> symbols_;
  std::vector<Open> open_;
  std::vector<Context> contexts_{Context::top};
  Member member_ = Member::other;
  std::size_t skip_depth_ = 0;
  Range DocumentSymbol::*range_ = nullptr;
  Position Range::*position_ = nullptr;
  unsigned positions_ = 0;
  unsigned coordinates_ = 0;
  bool flat_ = false;
  std::optional<Error> error_;
};

}  // namespace

std::optional<SymbolFault> decode_document_symbols(std::string_view json, std::string_view document_text,
                                                   SymbolTree& tree) {
  std::string storage;
  const std::string_view mended = mend_lone_surrogates(json, storage);
  rapidjson::MemoryStream stream(mended.data(), mended.size());
  SymbolHandler handler(json.size());
  rapidjson::Reader reader;
  constexpr unsigned flags = rapidjson::kParseIterativeFlag | rapidjson::kParseStopWhenDoneFlag;
  if (const rapidjson::ParseResult parsed = reader.Parse<flags>(stream, handler); parsed.IsError()) {
    return SymbolFault{parsed.Offset(), handler.error() ? handler.error()->message
                                                        : rapidjson::GetParseError_En(parsed.Code())};
  }
  if (handler.flat()) {
    tree = nest_flat_symbols(std::move(handler).take(), document_text);
  } else {
    tree.symbols = std::move(handler).take();
    for (DocumentSymbol& symbol : tree.symbols) symbol.container_name.clear();
  }
  return {};
}

Result<SymbolTree> decode_document_symbols(std::string_view json, std::string_view document_text) {
  SymbolTree tree;
  if (const std::optional<SymbolFault> fault = decode_document_symbols(json, document_text, tree)) {
    return Error{fmt::format("the documentSymbol reply is not what LSP says, at byte {}: {}", fault->offset,
                             fault->message),
                 {}};
  }
  return tree;
}

}  // namespace symbols::lsp
