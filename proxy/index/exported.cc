#include "proxy/index/exported.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "base/ascii.h"
#include "base/split.h"
#include "lsp/position_encoding.h"

namespace symbols::index {
namespace {

struct LanguageOfFiles {
  Language language;
  std::string_view ends;  // of paths, each after a blank
};
constexpr std::array<LanguageOfFiles, 6> languages{{
    {Language::c_header, " .h .hh .hpp .hxx .h++ .inl .ipp .tpp .txx .cuh "},
    {Language::c_source, " .c .cc .cpp .cxx .c++ .cu .m .mm .ixx .cppm "},
    {Language::script, " .ts .tsx .mts .cts .js .jsx .mjs .cjs .vue .svelte "},
    {Language::python, " .py .pyi .pyw "},
    {Language::go, " .go "},
    {Language::rust, " .rs "},
}};

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word_byte(text[at - 1])) && (end == text.size() || !is_word_byte(text[end])))
      return true;
  }
  return false;
}

// Whether the statement that a line ends with starts with `export`, also inside of braces.
bool has_export(std::string_view line) {
  return std::ranges::any_of(std::array<std::string_view, 2>{";}", ";{}"}, [line](std::string_view ends) {
    return word_at(trim(line.substr(line.find_last_of(ends) + 1)), 0) == "export";
  });
}

bool is_capital(std::string_view name) {
  return !name.empty() && is_upper(name.front());
}

// All words in `text` up to the first of `ends`.
void add_words(std::set<std::string_view>& words, std::string_view text, std::string_view ends) {
  each_word(text.substr(0, text.find_first_of(ends)), [&](std::string_view word) { words.insert(word); });
}

// The names that a JavaScript or TypeScript file exports elsewhere than where it declares them:
// `export { a, b as c }`, `export default a`, `exports.a = `, `module.exports = { a, b }`.
std::set<std::string_view> export_lists(std::string_view text) {
  std::set<std::string_view> names;
  std::size_t read_to = 0;  // the words of lists up to here are known: each is read once
  const auto add_list = [&](std::size_t at) {
    if (at < read_to || !text.substr(at).starts_with('{')) return;
    read_to = std::min(text.find('}', at), text.size());
    add_words(names, text.substr(at + 1, read_to - at - 1), {});
  };
  const auto after_blanks = [text](std::size_t at) {
    return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
  };
  for (std::size_t at = text.find("export"); at != text.npos; at = text.find("export", at + 6)) {
    if (at > 0 && is_word_byte(text[at - 1])) continue;
    const std::string_view word = word_at(text, at);
    std::size_t next = after_blanks(at + word.size());
    const std::string_view rest = text.substr(next);
    if (word == "export") {
      if (rest.starts_with("type")) next = after_blanks(next + 4);
      add_list(next);
      if (rest.starts_with("default")) names.insert(word_at(text, after_blanks(next + 7)));
    } else if (word == "exports" && rest.starts_with('.')) {
      names.insert(word_at(rest, 1));
    } else if (word == "exports" && rest.starts_with('=')) {
      const std::size_t value = after_blanks(next + 1);
      if (text.substr(value).starts_with('{')) {
        add_list(value);
      } else {
        names.insert(word_at(text, value));
      }
    }
  }
  return names;
}

// The strings of Python's `__all__`; none without it.
std::optional<std::set<std::string_view>> all_list(std::string_view text) {
  std::optional<std::set<std::string_view>> names;
  for (std::size_t at = text.find("__all__"); at != text.npos; at = text.find("__all__", at + 1)) {
    if (at > 0 && text[at - 1] != '\n') continue;
    // `__all__: list[str] = [`, `__all__ += (`, `__all__.extend([`, `__all__ = 'a', 'b'`
    const std::size_t list = std::min(text.find_first_of("=(\n", at), text.size());
    if (list == text.size() || text[list] == '\n') continue;
    if (!names) names.emplace();
    const std::string_view rest = text.substr(std::min(text.find_first_not_of(" \t", list + 1), text.size()));
    const bool in_brackets = text[list] == '(' || rest.starts_with('[') || rest.starts_with('(');
    add_words(*names, rest, in_brackets ? "])" : "\n");
  }
  return names;
}

class Exports {
 public:
  Exports(std::string_view path, const lsp::SymbolTree& tree, std::string_view text)
      : language_(language_of(path)), tree_(tree), lines_(split(text, '\n')) {
    if (language_ == Language::script) {
      listed_ = export_lists(text);
      is_declaration_ = path.ends_with(".d.ts") || path.ends_with(".d.mts") || path.ends_with(".d.cts");
      // Without an import or export it is no module, and what it declares is global.
      is_global_ = is_declaration_ && std::ranges::none_of(lines_, [](std::string_view line) {
                     return line.starts_with("export") || line.starts_with("import");
                   });
    } else if (language_ == Language::python) {
      all_ = all_list(text);
    } else if (language_ == Language::c_header || language_ == Language::c_source) {
      find_access();
    }
  }

  std::vector<bool> rows() const {
    std::vector<bool> exported(tree_.symbols.size());
    for (std::size_t row = 0; row < exported.size(); ++row) {
      const lsp::DocumentSymbol& symbol = tree_.symbols[row];
      const lsp::DocumentSymbol* const parent =
          symbol.parent < 0 ? nullptr : &tree_.symbols[static_cast<std::size_t>(symbol.parent)];
      exported[row] = (parent == nullptr || exported[static_cast<std::size_t>(symbol.parent)]) &&
                      is_exported(symbol, parent);
    }
    return exported;
  }

 private:
  bool is_exported(const lsp::DocumentSymbol& symbol, const lsp::DocumentSymbol* parent) const {
    const bool is_scope = parent == nullptr || parent->kind == namespace_kind ||
                          parent->kind == module_kind || parent->kind == package_kind;
    const std::string_view name = symbol.name;
    switch (language_) {
      case Language::script:
        if (!is_scope) return !name.starts_with('#') && !is_hidden(symbol);
        return is_global_ || (is_declaration_ && parent != nullptr) || listed_.contains(name) ||
               has_export(before_name(symbol)) || name.starts_with('"') || name.starts_with('\'');
      case Language::python:
        if (is_scope && all_) return all_->contains(name) && name != "__all__";
        return !name.starts_with('_');
      case Language::go: {
        const std::size_t dot = name.rfind('.');  // `(*Type).Method`
        if (dot == name.npos) return is_capital(name);
        std::string_view type = name.substr(0, dot);
        type.remove_prefix(std::min(type.find_first_not_of("(*"), type.size()));
        return is_capital(type) && is_capital(name.substr(dot + 1));
      }
      case Language::rust:
        return (parent != nullptr && (parent->kind == interface_kind || parent->kind == enum_kind)) ||
               name.starts_with("impl") || (parent != nullptr && parent->name.find(" for ") != name.npos) ||
               has_word(before_name(symbol), "pub");
      case Language::c_header:
      case Language::c_source:
        if (symbol.kind == namespace_kind) return name.find("anonymous") == name.npos;
        if (!is_scope) return is_public(symbol, *parent);
        return language_ == Language::c_header || !has_word(before_name(symbol), "static");
      case Language::other:
        break;
    }
    return !name.starts_with('_') && !is_hidden(symbol);
  }

  // What stands before the name in its line, or in the first line of the symbol where that is another one.
  std::string_view before_name(const lsp::DocumentSymbol& symbol) const {
    const lsp::Position name = symbol.selection_range.start;
    const std::uint32_t first = symbol.range.start.line;
    const std::string_view own = before(name);
    if (first >= name.line || has_export(own) || first >= lines_.size()) return own;
    return lines_[first];
  }
  std::string_view before(lsp::Position position) const {
    if (position.line >= lines_.size()) return {};
    const std::string_view line = lines_[position.line];
    return line.substr(0, lsp::bytes_of_units(line, position.character, lsp::PositionEncoding::utf16));
  }

  // Whether a word before the name keeps others from it.
  bool is_hidden(const lsp::DocumentSymbol& symbol) const {
    std::string_view words = before(symbol.selection_range.start);
    words = words.substr(words.find_last_of(";{}(") + 1);
    return has_word(words, "private") || has_word(words, "protected") || has_word(words, "local");
  }

  // For each line of C++ the last one up to it that starts with `public:` or its kin.
  void find_access() {
    Access access;
    for (std::uint32_t number = 0; number < lines_.size(); ++number) {
      const std::string_view line = trim(lines_[number]);
      for (const std::string_view word : {"public", "private", "protected"}) {
        if (!line.starts_with(word)) continue;
        const std::string_view rest = trim(line.substr(word.size()));
        if (rest.starts_with(':') || rest.starts_with("slots")) access = {number, word == "public", true};
      }
      access_.push_back(access);
    }
  }
  bool is_public(const lsp::DocumentSymbol& symbol, const lsp::DocumentSymbol& parent) const {
    const std::uint32_t line = symbol.selection_range.start.line;
    const bool known = line < access_.size() && access_[line].is_there &&
                       access_[line].line >= parent.selection_range.start.line;
    if (known) return access_[line].is_public;
    // clangd calls a union a class, too.
    return parent.kind != class_kind || parent.detail.find("class") == std::string::npos;
  }

  struct Access {
    std::uint32_t line = 0;
    bool is_public = false;
    bool is_there = false;
  };

  Language language_;
  const lsp::SymbolTree& tree_;
  std::vector<std::string_view> lines_;
  std::set<std::string_view> listed_;
  std::optional<std::set<std::string_view>> all_;
  bool is_declaration_ = false;
  bool is_global_ = false;
  std::vector<Access> access_;
};

}  // namespace

Language language_of(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == path.npos || path.find('/', dot) != path.npos) return Language::other;
  const std::string end = " " + std::string(path.substr(dot)) + " ";
  for (const LanguageOfFiles& one : languages) {
    if (one.ends.find(end) != one.ends.npos) return one.language;
  }
  return Language::other;
}

std::vector<bool> exported_rows(std::string_view path, const lsp::SymbolTree& tree, std::string_view text) {
  return Exports(path, tree, text).rows();
}

}  // namespace symbols::index
