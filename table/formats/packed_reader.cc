#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lsp/json/json_document.h"
#include "lsp/json/raw_json.h"
#include "table/escape.h"
#include "table/formats/json_format.h"
#include "table/formats/packed_format.h"
#include "table/formats/row_cells.h"
#include "table/symbol_kind.h"

namespace symbols::table {
namespace {

constexpr std::string_view packed_symbols = "the packed symbols";

// Bytes of all names and hovers together. A long string with many references would otherwise need memory
// quadratic in the input.
constexpr std::size_t most_text = std::size_t{1} << 30;

using rapidjson::Value;

// The part of `json` at a member name or an index; all of `json` if there is none.
std::string_view step_into(std::string_view json, std::string_view name) {
  lsp::JsonMembers members(json);
  while (members.next()) {
    if (members.name() == name) return members.rest();
  }
  return json;
}
std::string_view step_into(std::string_view json, std::size_t index) {
  std::string_view found = json;
  std::size_t at = 0;
  lsp::for_each_element(json, [&](std::string_view element) {
    if (at++ == index) found = element;
  });
  return found;
}

// A description of the value found, for an error.
std::string shown(const Value& value) {
  if (value.IsNull()) return "null";
  if (value.IsBool()) return value.GetBool() ? "true" : "false";
  if (value.IsObject()) return "an object";
  if (value.IsArray()) return "an array";
  if (value.IsString()) return quoted({value.GetString(), value.GetStringLength()});
  if (value.IsInt64()) return std::to_string(value.GetInt64());
  return fmt::format("{}", value.GetDouble());
}

// The fields of a symbol's first elements, in their order.
constexpr std::array packed_elements = {
    Field::name,      Field::kind,      Field::range,     Field::range,     Field::range,  Field::range,
    Field::selection, Field::selection, Field::selection, Field::selection, Field::parent, Field::hover};

bool is_index(const Value& value, std::size_t count) {
  return value.IsUint64() && value.GetUint64() < count;
}

// Checks the document member by member. Functions that return false have set error_.
class PackedReader {
 public:
  PackedReader(std::string_view text, const Value& document) : text_(text), document_(document) {}

  Result<SymbolRows> read() {
    const bool all = check_version() && read_strings() && read_fields() && check_omitted() &&
                     read_symbols() && read_containers();
    if (!all) return std::move(error_);
    return std::move(rows_);
  }

 private:
  // Sets the error's position to that of the path of names and indices.
  template <class... Steps>
  bool fail(std::string_view what, Steps... steps) {
    std::string_view place = text_;
    ((place = step_into(place, steps)), ...);
    const auto spaces = std::min(place.find_first_not_of(" \t\r\n"), place.size());
    error_ = unreadable(packed_symbols, text_, static_cast<std::size_t>(place.data() - text_.data()) + spaces,
                        what);
    return false;
  }
  // Fails at an element of the array `name`, which the message names.
  bool fail_in(std::string_view name, std::size_t index, std::string_view what) {
    return fail(fmt::format("{}[{}]: {}", name, index, what), name, index);
  }
  // Fails at the symbol's element that was read last.
  bool fail_at(std::string_view what) {
    const std::size_t element = next_element_ - 1;
    const Field field = element < packed_elements.size() ? packed_elements[element]
                                                         : further_[element - packed_elements.size()];
    return fail(fmt::format("symbols[{}][{}] ({}): {}", row(), element, field_name(field), what), "symbols",
                row(), element);
  }
  bool refuse(const Value& value, std::string_view expected) {
    return fail_at(fmt::format("expected {}, found {}", expected, shown(value)));
  }

  bool check_version() {
    if (!document_.IsObject()) return fail(fmt::format("expected an object, found {}", shown(document_)));
    const Value* version = lsp::member(document_, "v");
    if (version == nullptr) return fail("no member \"v\", the format's version");
    return lsp::text_of(*version) == packed_version ||
           fail(fmt::format("expected version \"{}\", found {}", packed_version, shown(*version)), "v");
  }

  // The array of that name; an empty one if it is missing and not `needed`. Null: an error.
  const Value* find_array(std::string_view name, bool needed) {
    static const Value none(rapidjson::kArrayType);
    const Value* array = lsp::member(document_, name);
    if (array == nullptr && !needed) return &none;
    if (array != nullptr && array->IsArray()) return array;
    if (array == nullptr) {
      fail(fmt::format("no member \"{}\"", name));
    } else {
      fail(fmt::format("{}: expected an array, found {}", name, shown(*array)), name);
    }
    return nullptr;
  }

  bool read_strings() {
    const Value* strings = find_array("strings", true);
    if (strings == nullptr) return false;
    strings_.reserve(strings->Size());
    for (const Value& string : strings->GetArray()) {
      if (!string.IsString())
        return fail_in("strings", strings_.size(), "expected a string, found " + shown(string));
      strings_.push_back(lsp::text_of(string));
    }
    return true;
  }

  // The field names in the member `name`.
  bool read_field_names(std::string_view name, std::vector<Field>& fields) {
    const Value* names = find_array(name, false);
    if (names == nullptr) return false;
    for (const Value& one : names->GetArray()) {
      const std::optional<Field> field = find_field(lsp::text_of(one));
      if (!field) return fail_in(name, fields.size(), "expected the name of a field, found " + shown(one));
      fields.push_back(*field);
    }
    return true;
  }

  bool read_fields() {
    if (!read_field_names("fields", further_)) return false;
    for (std::size_t i = 0; i < further_.size(); ++i) {
      const std::string_view name = field_name(further_[i]);
      if (is_packed_element(further_[i])) {
        return fail_in("fields", i, fmt::format("{} is one of the first twelve elements", name));
      }
      if (std::ranges::count(std::span(further_).first(i), further_[i]) > 0) {
        return fail_in("fields", i, fmt::format("{} appears twice", name));
      }
    }
    return true;
  }

  // A row does not need a selection, nor a parent if it has a depth.
  bool check_omitted() {
    std::vector<Field> omitted;
    if (!read_field_names("omitted", omitted)) return false;
    if (holds(omitted, Field::selection)) rows_.lacking.push_back(Field::selection);
    nests_by_depth_ = holds(omitted, Field::parent) && holds(further_, Field::depth);
    std::string names;
    for (const Field field : packed_row_fields) {
      const bool needless = field == Field::selection || (field == Field::parent && nests_by_depth_);
      if (!holds(omitted, field) || needless) continue;
      names += names.empty() ? "" : ", ";
      names += field_name(field);
    }
    if (names.empty()) return true;
    fail(fmt::format("it was written without {}", names), "omitted");
    error_.advice = "write it with verbosity standard or full";
    return false;
  }

  bool read_symbols() {
    const Value* symbols = find_array("symbols", true);
    if (symbols == nullptr) return false;
    if (symbols->Size() > std::numeric_limits<std::int32_t>::max())
      return fail("too many symbols", "symbols");
    rows_.all.reserve(symbols->Size());
    for (const Value& elements : symbols->GetArray()) {
      if (!read_symbol(elements)) return false;
    }
    return true;
  }

  std::size_t row() const { return rows_.size(); }

  bool read_symbol(const Value& elements) {
    const std::size_t expected = packed_elements.size() + further_.size();
    if (!elements.IsArray() || elements.Size() != expected) {
      const std::string found = elements.IsArray() ? std::to_string(elements.Size()) : shown(elements);
      return fail_in("symbols", row(),
                     fmt::format("expected an array of {} elements, found {}", expected, found));
    }
    elements_ = &elements;
    next_element_ = 0;
    Row symbol;
    if (!read_text(symbol.name, false) || !read_kind(symbol.kind) || !read_range(symbol.range) ||
        !read_range(symbol.selection_range) || !read_parent(symbol.parent) ||
        !read_text(symbol.hover, true)) {
      return false;
    }
    for (const Field field : further_) {
      if (!read_further(field, symbol)) return false;
    }
    rows_.with_hover = rows_.with_hover || !symbol.hover.empty();
    rows_.all.push_back(std::move(symbol));
    return true;
  }

  // The next element of the symbol, which has as many as are read.
  const Value& element() { return (*elements_)[next_element_++]; }

  // The string of that index; false if all texts that were taken are too long together.
  bool take_string(const Value& index, std::string& text) {
    text = strings_[static_cast<std::size_t>(index.GetUint64())];
    texts_ += text.size();
    return texts_ <= most_text;
  }

  bool read_text(std::string& text, bool optional) {
    const Value& value = element();
    if (optional && value.IsInt64() && value.GetInt64() == -1) return true;
    if (!is_index(value, strings_.size())) {
      return refuse(value, fmt::format("an index below {}, the number of strings{}", strings_.size(),
                                       optional ? ", or -1" : ""));
    }
    return take_string(value, text) || fail_at("the symbols' texts take more than 1 GiB");
  }

  bool read_kind(std::int64_t& kind) {
    const Value& value = element();
    const std::optional<std::int64_t> found =
        value.IsInt64() ? value.GetInt64() : find_kind(lsp::text_of(value));
    if (!found) return refuse(value, "the number or name of a symbol kind");
    kind = *found;
    return true;
  }

  bool read_range(lsp::Range& range) {
    for (std::uint32_t* number :
         {&range.start.line, &range.start.character, &range.end.line, &range.end.character}) {
      const Value& value = element();
      if (!value.IsUint()) return refuse(value, "a number from 0 to 4294967295");
      *number = value.GetUint();
    }
    return true;
  }

  bool read_parent(std::int32_t& parent) {
    const Value& value = element();
    if (nests_by_depth_) return true;
    if (!value.IsInt64() || value.GetInt64() < -1 || value.GetInt64() >= static_cast<std::int64_t>(row())) {
      return refuse(value, "the index of a symbol before this one, or -1");
    }
    parent = static_cast<std::int32_t>(value.GetInt64());
    while (!path_.empty() && path_.back() != parent) path_.pop_back();
    if (parent >= 0 && path_.empty()) {
      return refuse(value,
                    "the symbol directly before or one of its ancestors, as symbols come in pre-order");
    }
    path_.push_back(static_cast<std::int32_t>(row()));
    return true;
  }

  bool read_depth(std::int32_t& parent) {
    const Value& value = element();
    if (!value.IsUint() || value.GetUint() > path_.size()) {
      return refuse(value, fmt::format("a depth from 0 to {}", path_.size()));
    }
    path_.resize(value.GetUint());
    parent = path_.empty() ? -1 : path_.back();
    path_.push_back(static_cast<std::int32_t>(row()));
    return true;
  }

  bool read_further(Field field, Row& symbol) {
    switch (field) {
      case Field::tags:
        return read_tags(symbol.tags);
      case Field::depth:
        if (nests_by_depth_) return read_depth(symbol.parent);
        [[fallthrough]];
      case Field::children: {
        const Value& value = element();
        return value.IsUint() || refuse(value, "a number from 0 to 4294967295");
      }
      default: {
        std::string derived;  // follows from other fields of the row
        std::string* const text = text_of(symbol, field);
        return read_text(text != nullptr ? *text : derived, true);
      }
    }
  }

  bool read_tags(std::vector<std::int64_t>& tags) {
    const Value& value = element();
    const std::string_view expected = "an array of numbers";
    if (!value.IsArray()) return refuse(value, expected);
    for (const Value& tag : value.GetArray()) {
      if (!tag.IsInt64()) return refuse(tag, expected);
      tags.push_back(tag.GetInt64());
    }
    return true;
  }

  bool read_containers() {
    const Value* containers = find_array("containers", false);
    if (containers == nullptr) return false;
    std::size_t index = 0;
    for (const Value& pair : containers->GetArray()) {
      std::vector<Row>& all = rows_.all;
      const bool fits = pair.IsArray() && pair.Size() == 2 && is_index(pair[0], all.size()) &&
                        is_index(pair[1], strings_.size()) && all[pair[0].GetUint64()].parent == -1;
      if (!fits) {
        return fail_in("containers", index, "expected the indices of a symbol at top level and of a string");
      }
      if (!take_string(pair[1], all[pair[0].GetUint64()].container_name)) {
        return fail_in("containers", index, "the symbols' texts take more than 1 GiB");
      }
      ++index;
    }
    return true;
  }

  std::string_view text_;
  const Value& document_;
  std::vector<std::string> strings_;
  std::size_t texts_ = 0;  // bytes of the strings used so far
  std::vector<Field> further_;
  bool nests_by_depth_ = false;
  std::vector<std::int32_t> path_;   // from the root to the row before
  const Value* elements_ = nullptr;  // of the symbol that is being read
  rapidjson::SizeType next_element_ = 0;
  SymbolRows rows_;
  Error error_;
};

}  // namespace

Result<SymbolRows> read_packed(std::string_view text) {
  if (std::optional<Error> fault = json_fault(packed_symbols, text)) return *std::move(fault);
  const Result<rapidjson::Document> document = lsp::parse_json(text);
  if (!document) return document.error();
  return PackedReader(text, *document).read();
}

}  // namespace symbols::table
