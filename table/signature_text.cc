#include "table/signature_text.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "lsp/unicode.h"
#include "table/one_line.h"

namespace symbols::table {
namespace {

using namespace std::string_view_literals;

constexpr auto npos = std::string_view::npos;

using lsp::SymbolKind;

bool is_function(std::int64_t kind) {
  return kind == SymbolKind::method || kind == SymbolKind::constructor || kind == SymbolKind::function;
}

bool is_container(std::int64_t kind) {
  constexpr std::array<std::int64_t, 8> kinds = {
      SymbolKind::module, SymbolKind::namespace_, SymbolKind::package, SymbolKind::class_,
      SymbolKind::enum_,  SymbolKind::interface,  SymbolKind::object,  SymbolKind::struct_};
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

bool take(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

void erase_end(std::string& text, std::string_view end) {
  if (text.ends_with(end)) text.resize(text.size() - end.size());
}

// `(method) `, `(local var) `: up to three words in lower case.
void take_tags(std::string_view& text) {
  for (;;) {
    if (!text.starts_with('(')) return;
    const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz ", 1);
    if (end == npos || end == 1 || text.substr(end, 2) != ") ") return;
    text.remove_prefix(end + 2);
  }
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
    if (take(rest, "template") && rest.find_first_not_of(' ') != npos &&
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

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// `x?: T | undefined` repeats itself.
void drop_undefined(std::string& text) {
  constexpr std::string_view undefined = " | undefined";
  for (std::size_t at = text.find("?: "); at != npos; at = text.find("?: ", at + 1)) {
    std::size_t end = at + 3;
    while (end < text.size() && !closes_bracket(text, end) && text[end] != ',' && text[end] != ';') {
      end = opens_bracket(text, end) ? bracket_end(text, end) : end + 1;
    }
    const std::size_t start = end < undefined.size() ? 0 : end - undefined.size();
    if (start > at && text.compare(start, undefined.size(), undefined) == 0)
      text.erase(start, undefined.size());
  }
}

// Python's first parameter, and a result that is none.
void drop_what_python_says_twice(std::string& text) {
  replace_all(text, "( ", "(");
  replace_all(text, " )", ")");
  const std::size_t open = text.find('(');
  if (open != npos) {
    std::string_view first = std::string_view(text).substr(open + 1);
    if ((take(first, "self") || take(first, "cls")) && !first.empty() && !is_word(first[0])) {
      std::size_t end = text.size() - first.size();
      while (end < text.size() && !closes_bracket(text, end) && text[end] != ',') {
        end = opens_bracket(text, end) ? bracket_end(text, end) : end + 1;
      }
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
  return cut_signature(signature, max_signature);
}

// Without a Go receiver: `(*Builder).Grow`.
std::string_view bare_name(std::string_view name) {
  const std::size_t end = name.starts_with('(') ? name.find(").") : npos;
  return end == npos ? name : name.substr(end + 2);
}

// Whether a detail only repeats the kind.
bool is_kind_word(std::string_view detail) {
  constexpr std::array words = {"struct"sv,    "class"sv,      "enum"sv,     "union"sv,
                                "interface"sv, "type alias"sv, "type"sv,     "namespace"sv,
                                "module"sv,    "concept"sv,    "(unnamed)"sv};
  return std::find(words.begin(), words.end(), detail) != words.end() || detail.starts_with("struct{") ||
         detail.starts_with("interface{");
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

}  // namespace

bool details_hold_signatures(const SymbolRows& rows) {
  return std::ranges::any_of(rows.all, [](const Row& row) {
    return is_function(row.kind) && row.detail.find('(') != std::string::npos;
  });
}

std::string signature_from_detail(const lsp::DocumentSymbol& symbol) {
  const std::string name = limited(bare_name(symbol.name));
  const std::string detail_text = limited(symbol.detail);
  std::string_view detail = detail_text;
  take(detail, "template ");
  if (detail.empty() || symbol.kind == SymbolKind::enum_member || is_kind_word(detail)) return cut(name);
  if (symbol.kind == SymbolKind::null) return cut(name + std::string(detail));
  std::string_view rest = detail;
  take(rest, "pub ");
  take(rest, "const ");
  take(rest, "async ");
  take(rest, "unsafe ");
  if ((take(rest, "func") || take(rest, "fn")) && (rest.starts_with('(') || rest.starts_with('<'))) {
    return cut(name + std::string(rest));
  }
  const std::size_t open = is_function(symbol.kind) ? parameters_start(detail) : npos;
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
  if (take(code, "#define ")) {
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
  drop_what_python_says_twice(text);
  if (is_container(symbol.kind)) {
    replace_all(text, " final", "");
    erase_end(text, "{}");
    erase_end(text, " ");
    erase_end(text, "()");
  }
  if (has_members && text.ends_with('}')) {
    const std::size_t body = std::min(text.find(" = {"), text.find(": {"));
    if (body != std::string::npos) text.replace(text.find('{', body) + 1, std::string::npos, "…}");
  }
  drop_undefined(text);
  replace_all(text, "; }", " }");
  drop_long_arguments(text);
  return cut(std::move(text));
}

}  // namespace symbols::table
