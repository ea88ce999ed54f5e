// The signatures of `tree`, which stand in place of names (docs/spec.md, section 2). Each is as short as it
// can be and still tells how the symbol is used.
#include <re2/re2.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/text.h"
#include "lsp/unicode.h"
#include "table/formats/format.h"
#include "table/formats/row_cells.h"
#include "table/formats/tree_text.h"
#include "table/one_line.h"
#include "table/rows.h"

namespace symbols::table {
namespace {

constexpr std::size_t max_row = 120;  // bytes

using lsp::SymbolKind;

constexpr auto npos = std::string_view::npos;

bool is_container(std::int64_t kind) {
  return is_one_of(kind, {SymbolKind::module, SymbolKind::namespace_, SymbolKind::package, SymbolKind::class_,
                          SymbolKind::enum_, SymbolKind::interface, SymbolKind::object, SymbolKind::struct_});
}

void erase_end(std::string& text, std::string_view end) {
  if (text.ends_with(end)) text.resize(text.size() - end.size());
}

// `(method) `, `(local var) `: words in lower case.
void take_tags(std::string_view& text) {
  static const re2::RE2 tag(R"((?:\([a-z ]+\) )+)", re2::RE2::Latin1);
  re2::StringPiece rest = text;
  if (re2::RE2::Consume(&rest, tag)) text = rest;
}

// Words that repeat the kind, or restrict where the symbol can be used.
void take_words(std::string_view& text) {
  constexpr std::string_view words =
      "export declare default public private protected static inline virtual constexpr "
      "consteval explicit friend extern abstract async readonly pub const let var function "
      "class interface enum namespace module type def func field fn struct union trait mod "
      "final using typedef constructor public: private: protected:";
  for (;;) {
    std::string_view rest = text;
    if (take_start(rest, "template") && rest.find_first_not_of(' ') != npos &&
        rest[rest.find_first_not_of(' ')] == '<') {
      rest.remove_prefix(rest.find('<'));
      text = rest.substr(bracket_end(rest, 0));
      text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
      continue;
    }
    const std::size_t space = text.find(' ');
    if (space == npos || !is_among(text.substr(0, space), words)) return;
    text.remove_prefix(std::min(text.find_first_not_of(' ', space), text.size()));
  }
}

// `x?: T | undefined` repeats itself.
void drop_undefined(std::string& text) {
  constexpr std::string_view undefined = " | undefined";
  for (std::size_t at = text.find("?: "); at != npos; at = text.find("?: ", at + 1)) {
    const std::size_t end = find_end(text, at + 3, ",;");
    const std::size_t start = end < undefined.size() ? 0 : end - undefined.size();
    if (start > at && text.compare(start, undefined.size(), undefined) == 0)
      text.erase(start, undefined.size());
  }
}

// Python's first parameter, and a result that is none.
void drop_redundant_python(std::string& text) {
  boost::replace_all(text, "( ", "(");
  boost::replace_all(text, " )", ")");
  const std::size_t open = text.find('(');
  if (open != npos) {
    std::string_view first = std::string_view(text).substr(open + 1);
    if ((take_start(first, "self") || take_start(first, "cls")) && !first.empty() && !is_word(first[0])) {
      std::size_t end = find_end(text, text.size() - first.size(), ",");
      if (text.compare(end, 2, ", ") == 0) end += 2;
      text.erase(open + 1, end - open - 1);
    }
  }
  erase_end(text, " -> None");
}

// Long template arguments after the name.
void drop_long_arguments(std::string& text) {
  constexpr std::size_t longest = 40;
  for (std::size_t i = std::min(text.find_first_of("(:"), text.size()); i < text.size(); ++i) {
    if (text[i] != '<' || i == 0 || !is_word(text[i - 1])) continue;
    const std::size_t end = bracket_end(text, i);
    if (end - i <= longest + 2 || text[end - 1] != '>') continue;
    text.replace(i + 1, end - i - 2, "…");
  }
}

std::string cut(std::string_view signature) {
  return cut_signature(signature, 120);
}

// Without a Go receiver: `(*Builder).Grow`.
std::string_view bare_name(std::string_view name) {
  const std::size_t end = name.starts_with('(') ? name.find(").") : npos;
  return end == npos ? name : name.substr(end + 2);
}

// Whether a detail only repeats the kind.
bool is_kind_word(std::string_view detail) {
  static const re2::RE2 word(
      R"((?s)struct|class|enum|union|interface|type( alias)?|namespace|module|concept|\(unnamed\))"
      R"(|(?:struct|interface)\{.*)",
      re2::RE2::Latin1);
  return re2::RE2::FullMatch(detail, word);
}

// Where the parameters start in clangd's `result (parameters) more`.
std::size_t parameters_start(std::string_view detail) {
  for (std::size_t i = 0; i < detail.size(); ++i) {
    if (!opens_bracket(detail, i)) continue;
    const char before = i == 0 ? ' ' : detail[i - 1];
    if (detail[i] == '(' && (before == ' ' || before == '*' || before == '&')) return i;
    i = bracket_end(detail, i) - 1;
  }
  return detail.find('(');
}

std::string limited(std::string_view text) {
  constexpr std::size_t most = 2000;
  if (text.size() <= most) return lsp::to_valid_utf8(text);
  std::size_t end = most;
  while (end > 0 && lsp::is_utf8_continuation(text[end])) --end;
  return lsp::to_valid_utf8(text.substr(0, end));
}

// The text after the parameters for a result that C++ has before the name. `auto` stands for one after them.
std::string result_text(std::string_view result) {
  return result.empty() || result == "auto" || result == "void" ? "" : " -> " + std::string(result);
}

// The signature, if the code does not begin with the name: `T *name(int)`, `Rectangle(width: number)` of a
// constructor, an alias.
std::string begun_with_name(std::string_view name, std::int64_t kind, std::string_view code) {
  const std::string start(name);
  const std::size_t open = code.find_first_of("(<");
  if (kind == SymbolKind::constructor && open != npos) return start + std::string(code.substr(open));
  const std::size_t at = find_outside_brackets(code, name, " *&");
  if (at != npos && at > 0 && code.substr(0, at).find_first_of("(=") == npos) {
    const std::string_view rest = code.substr(at + name.size());
    const std::string type(trim(code.substr(0, at)));
    if (!rest.starts_with('(')) return start + ": " + type + std::string(rest);
    return start + std::string(rest) + result_text(type);
  }
  std::size_t word = 0;
  while (word < code.size() && (is_word(code[word]) || code[word] == '.')) ++word;
  if (word > 0 && code.substr(word, 2) == ": ") code.remove_prefix(word + 2);
  return start + ": " + std::string(code);
}

// These begin with the name, are cut to 120 characters, and are not escaped. Time is quadratic in the size of
// a signature at worst, of which no more than the first 2,000 bytes are looked at.
std::string signature_from_detail(const lsp::DocumentSymbol& symbol) {
  const std::string name = limited(bare_name(symbol.name));
  const std::string detail_text = limited(symbol.detail);
  std::string_view detail = detail_text;
  take_start(detail, "template ");
  if (detail.empty() || symbol.kind == SymbolKind::enum_member || is_kind_word(detail)) return cut(name);
  if (symbol.kind == SymbolKind::null) return cut(name + std::string(detail));
  static const re2::RE2 function(R"((?:pub )?(?:const )?(?:async )?(?:unsafe )?(?:func|fn)[(<])",
                                 re2::RE2::Latin1);
  re2::StringPiece parameters;
  if (function.Match(detail, 0, detail.size(), re2::RE2::ANCHOR_START, &parameters, 1))
    return cut(name + std::string(detail.substr(parameters.size() - 1)));
  const std::size_t open = lsp::is_function_kind(symbol.kind) ? parameters_start(detail) : npos;
  std::string text = name;
  if (open == npos) {
    text += ": ";
    text += detail;
  } else {
    text += detail.substr(open);
    text += result_text(trim(detail.substr(0, open)));
  }
  drop_long_arguments(text);
  return cut(std::move(text));
}

// `has_members`: rows show what is in the symbol's body.
std::string signature_from_hover(const lsp::DocumentSymbol& symbol, std::string_view signature,
                                 bool has_members) {
  const std::string name = limited(bare_name(symbol.name));
  const std::string code_text = limited(signature);
  std::string_view code = code_text;
  if (const std::size_t overloads = code.rfind(" (+");
      overloads != npos && code.ends_with(')') && code.substr(overloads).find("overload") != npos) {
    code = code.substr(0, overloads);
  }
  take_tags(code);
  if (take_start(code, "#define ")) {
    std::size_t end = 0;
    while (end < code.size() && is_word(code[end])) ++end;
    if (end < code.size() && code[end] == '(') end = bracket_end(code, end);
    return cut(std::string(code.substr(0, end)));
  }
  take_words(code);
  if (code.empty()) return cut(name);
  std::string text;
  if (const std::size_t at = find_outside_brackets(code, name, ".:"); at != npos) {
    text = code.substr(at);
  } else if (const std::size_t key = code.find("[" + name + "]"); key != npos) {
    text = name + std::string(code.substr(key + name.size() + 2));
  } else {
    text = begun_with_name(name, symbol.kind, code);
  }
  if (symbol.kind == SymbolKind::constructor) {
    if (const std::size_t result = text.rfind("): "); result != npos) text.resize(result + 1);
  }
  drop_redundant_python(text);
  if (is_container(symbol.kind)) {
    boost::replace_all(text, " final", "");
    erase_end(text, "{}");
    erase_end(text, " ");
    erase_end(text, "()");
  }
  if (has_members && text.ends_with('}')) {
    const std::size_t body = std::min(text.find(" = {"), text.find(": {"));
    if (body != std::string::npos) text.replace(text.find('{', body) + 1, std::string::npos, "…}");
  }
  drop_undefined(text);
  boost::replace_all(text, "; }", " }");
  drop_long_arguments(text);
  return cut(std::move(text));
}

bool is_function_or_variable(std::int64_t kind) {
  return is_one_of(kind, {SymbolKind::function, SymbolKind::variable, SymbolKind::constant});
}

// What stands in place of the name of row `row`, not escaped. `inside`: it is in a function or a variable.
std::string signature_of(const SymbolRows& rows, std::size_t row, bool inside, bool from_details) {
  const Row& symbol = rows.all[row];
  const std::string& signature = symbol.hover_parts.signature;
  if (inside || (!from_details && signature.empty())) return symbol.name;
  if (from_details) return signature_from_detail(symbol);
  // Not of its parameters, local variables and callbacks.
  const bool has_members = has_children(rows, row) && !is_function_or_variable(rows.all[row + 1].kind);
  return signature_from_hover(symbol, signature, has_members);
}

}  // namespace

bool details_hold_signatures(const SymbolRows& rows) {
  return std::ranges::any_of(rows.all, [](const Row& row) {
    return lsp::is_function_kind(row.kind) && row.detail.find('(') != std::string::npos;
  });
}

std::string write_tree_signatures(const SymbolRows& rows, const View& view) {
  const bool from_details =
      details_hold_signatures(rows) ||
      std::ranges::all_of(rows.all, [](const Row& row) { return row.hover_parts.signature.empty(); });
  const std::vector<std::uint32_t> depths = row_depths(rows);
  std::vector<bool> inside(rows.size());  // functions and variables: such symbols have only their names
  std::string out(rows.all.empty() ? std::string_view() : tree_signatures_mark);
  std::size_t row_start = 0;
  TreePlace before;  // of the symbol before
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const Row& symbol = rows.all[row];
    if (const auto parent = parent_row(rows, row)) {
      const std::int64_t kind = rows.all[*parent].kind;
      inside[row] = inside[*parent] || lsp::is_function_kind(kind) || is_function_or_variable(kind);
    }
    std::string text = escaped(signature_of(rows, row, inside[row], from_details));
    if (symbol.folded != Folded{}) text += ' ';
    append_folded(text, symbol.folded);
    TreePlace place{.kind = symbol.kind, .kind_names = view.kind_names};
    place.set_lines(symbol.range, view.all_ends);
    // Neighbours of one kind, on the same line or the next, both without children, share a row.
    const bool joins = row > 0 && depths[row] == depths[row - 1] && place.kind == before.kind &&
                       !has_children(rows, row) && !has_children(rows, row - 1) && !place.shows_last() &&
                       !before.shows_last() &&
                       (place.line == before.line || *place.line == *before.line + 1) &&
                       out.size() - row_start + text.size() + 2 <= max_row;
    if (joins) {
      out += place.line == before.line ? ", " : "; ";
    } else {
      out += '\n';
      append_position(out, view, rows, row);
      row_start = out.size();
      out.append(std::min<std::size_t>(depths[row], max_indent), ' ');
      append_tree_place(out, place);
    }
    out += text;
    before = place;
  }
  return out;
}

}  // namespace symbols::table
