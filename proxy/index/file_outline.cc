#include "proxy/index/file_outline.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

#include "base/ascii.h"
#include "base/split.h"
#include "lsp/position_encoding.h"
#include "proxy/files/content_hash.h"
#include "proxy/index/exported.h"
#include "proxy/index/source_signature.h"
#include "table/fold.h"

namespace symbols::index {
namespace {

constexpr std::size_t longest_name = 100;  // bytes; a longer one is no name that a person wrote

struct Member {
  std::string name;
  std::int64_t kind = 0;
  bool is_exported = false;
  std::string signature{};
};
struct Top {
  Member self;
  NameRole role = NameRole::top;
  std::vector<Member> members;
};

// `(*T).M` is M of T; `A::b` is b of A.
struct OwnedName {
  std::string owner;
  std::string name;
};
std::optional<OwnedName> owned_name(std::string_view name, Language language) {
  if (language == Language::go) {
    const std::size_t dot = name.rfind('.');
    if (!name.starts_with('(') || dot == name.npos || dot < 2) return {};
    std::string_view owner = name.substr(1, dot - 2);
    owner.remove_prefix(owner.starts_with('*') ? 1 : 0);
    return OwnedName{std::string(owner), std::string(name.substr(dot + 1))};
  }
  const std::size_t colons = name.rfind("::");
  if (colons == name.npos || colons == 0) return {};
  return OwnedName{std::string(name.substr(0, colons)), std::string(name.substr(colons + 2))};
}

// Names with whitespace, `<unknown>` and the like are made up by servers; braces hold members.
bool can_be_shown(std::string_view name) {
  const auto is_odd = [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '\x7F' || c == '{' || c == '}';
  };
  return name.size() <= longest_name && !name.starts_with('<') && std::ranges::any_of(name, is_word_byte) &&
         std::ranges::none_of(name, is_odd);
}

// The tree as an outline's names and their members.
class Outliner {
 public:
  Outliner(std::string_view path, const lsp::SymbolTree& tree, std::string_view text)
      : language_(language_of(path)),
        tree_(tree),
        exported_(exported_rows(path, tree, text)),
        text_(text),
        lines_(split(text, '\n')) {
    std::vector<std::size_t> tops(tree.symbols.size(), none);  // of each row that is at top level
    std::vector<bool> is_level(tree.symbols.size(), true);
    for (std::size_t row = 0; row < tree.symbols.size(); ++row) {
      const lsp::DocumentSymbol& symbol = tree.symbols[row];
      const auto parent = static_cast<std::size_t>(symbol.parent);  // -1 becomes larger than any row
      if (parent >= row || !is_level[parent]) {
        is_level[row] = !is_transparent(symbol);
        if (is_level[row]) tops[row] = add_top(row);
      } else if (tops[parent] != none) {
        add_member(tops_[tops[parent]], symbol.name, row);
      }
    }
  }

  const std::vector<Top>& tops() const { return tops_; }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  // Its children are as if it were not there.
  bool is_transparent(const lsp::DocumentSymbol& symbol) const {
    if (language_ == Language::script) return symbol.name.starts_with('"') || symbol.name.starts_with('\'');
    return symbol.kind == namespace_kind || symbol.kind == package_kind ||
           (symbol.kind == module_kind && language_ != Language::python && language_ != Language::rust);
  }

  // `class Table;`
  bool is_forward_declaration(std::size_t row) const {
    const lsp::DocumentSymbol& symbol = tree_.symbols[row];
    if (language_ != Language::c_header && language_ != Language::c_source) return false;
    const bool has_children =
        row + 1 < tree_.symbols.size() && tree_.symbols[row + 1].parent == static_cast<std::int32_t>(row);
    const bool is_type = symbol.detail.ends_with("class") || symbol.detail.ends_with("struct") ||
                         symbol.detail.ends_with("union") || symbol.detail == "enum";
    // With a body it goes on behind the name.
    return is_type && !has_children && symbol.range.end == symbol.selection_range.end;
  }

  std::size_t add_top(std::size_t row) {
    const lsp::DocumentSymbol& symbol = tree_.symbols[row];
    if (is_forward_declaration(row)) return none;
    NameRole role = NameRole::top;
    std::string name = symbol.name;
    if (const auto owned = owned_name(symbol.name, language_)) {
      if (const auto owner = by_name_.find(owned->owner); owner != by_name_.end()) {
        add_member(tops_[owner->second], owned->name, row);
        return none;
      }
      role = NameRole::definition;
      if (language_ == Language::go) name = owned->owner + "." + owned->name;
    }
    if (!can_be_shown(name)) return none;
    const auto [known, is_new] = by_name_.emplace(name, tops_.size());
    if (is_new) {
      tops_.push_back({{std::move(name), symbol.kind, exported_[row], signature_of(row)}, role, {}});
    } else {
      tops_[known->second].self.is_exported |= exported_[row];
    }
    return known->second;
  }

  void add_member(Top& top, const std::string& name, std::size_t row) {
    if (!can_be_shown(name) || tree_.symbols[row].kind == constructor_kind) return;
    if (!members_.emplace(&top - tops_.data(), name).second) return;
    top.members.push_back({name, tree_.symbols[row].kind, exported_[row], signature_of(row)});
  }

  // Empty for what is not exported: it is not shown.
  std::string signature_of(std::size_t row) const {
    const lsp::DocumentSymbol& symbol = tree_.symbols[row];
    const lsp::Position end = symbol.selection_range.end;
    if (!exported_[row] || end.line >= lines_.size()) return {};
    const std::string_view line = lines_[end.line];
    const std::size_t start = static_cast<std::size_t>(line.data() - text_.data()) +
                              lsp::bytes_of_units(line, end.character, lsp::PositionEncoding::utf16);
    return source_signature(text_.substr(start), symbol.kind, language_);
  }

  Language language_;
  const lsp::SymbolTree& tree_;
  std::vector<bool> exported_;
  std::string_view text_;
  std::vector<std::string_view> lines_;
  std::vector<Top> tops_;
  std::map<std::string, std::size_t> by_name_;
  std::set<std::pair<std::ptrdiff_t, std::string>> members_;  // of which of tops_
};

// A name: its role and whether it is exported, its kind, its length, itself; the length takes one byte, as no
// longer ones are kept.
// A signature: its length in two bytes, itself.
void append(FileOutline& outline, const Member& name, NameRole role) {
  std::string& bytes = outline.names;
  bytes += static_cast<char>(static_cast<unsigned>(role) * 2 + (name.is_exported ? 1 : 0));
  bytes += static_cast<char>(std::clamp<std::int64_t>(name.kind, 0, 255));
  bytes += static_cast<char>(name.name.size());
  bytes += name.name;
  outline.signatures += static_cast<char>(name.signature.size() / 256);
  outline.signatures += static_cast<char>(name.signature.size() % 256);
  outline.signatures += name.signature;
}

// Words of languages, which mention nothing where a symbol is called the same.
constexpr std::string_view keywords =
    "abstract and any as assert async await auto base bool boolean break case catch char class const "
    "continue declare def default delete do double elif else end enum except export extends extern false "
    "finally float for from func function get global goto if implements import in infer inline instanceof "
    "int interface is keyof lambda let long module mut namespace never new nil none null number object of "
    "operator or override package pass private protected pub public raise readonly ref require return self "
    "set short signed sizeof static strict string struct super switch template this throw trait true try "
    "type typedef typename typeof undefined union unknown unsigned use using val var virtual void volatile "
    "when where while with yield";

bool is_keyword(std::string_view word) {
  static const std::vector<std::string_view> words = split(keywords, ' ');
  static const std::unordered_set<std::string_view> all(words.begin(), words.end());
  return all.contains(word);
}

// Whether it is all a comment, by its start.
bool is_comment(std::string_view line, Language language) {
  line = trim(line);
  const bool is_hash = language != Language::c_header && language != Language::c_source;
  return line.starts_with("//") || line.starts_with('*') || line.starts_with("/*") ||
         (is_hash && line.starts_with('#'));
}

std::string mentioned_words(std::string_view text, Language language) {
  std::unordered_set<std::string_view> words;
  while (!text.empty()) {
    const std::string_view line = take_part(text, '\n');
    if (is_comment(line, language)) continue;
    each_word(line, [&words](std::string_view word) {
      if (word.size() > 1 && !is_digit(word.front())) words.insert(word);
    });
  }
  std::vector<std::uint32_t> numbers;
  for (const std::string_view word : words) {
    if (!is_keyword(word)) numbers.push_back(word_number(word));
  }
  std::ranges::sort(numbers);  // the same bytes each time
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof numbers[0]};
}

}  // namespace

std::uint32_t word_number(std::string_view word) {
  return static_cast<std::uint32_t>(files::hash_of(word).low);
}

FileOutline outline_of(std::string_view path, const lsp::SymbolTree& tree, std::string_view text) {
  const table::LimitedTree folded = table::fold_locals(tree, text, false);
  FileOutline outline;
  const Outliner outliner(path, folded.tree, text);
  for (const Top& top : outliner.tops()) {
    append(outline, top.self, top.role);
    for (const Member& member : top.members) append(outline, member, NameRole::member);
  }
  outline.words = mentioned_words(text, language_of(path));
  return outline;
}

std::vector<OutlineName> names_of(const FileOutline& outline) {
  std::vector<OutlineName> names;
  for (std::string_view rest = outline.names; rest.size() > 3;) {
    const auto byte = [rest](std::size_t at) { return static_cast<unsigned char>(rest[at]); };
    const std::string_view name = rest.substr(3, byte(2));
    names.push_back({.name = name,
                     .kind = byte(1),
                     .role = static_cast<NameRole>(std::min(byte(0) / 2, 2)),
                     .is_exported = byte(0) % 2 == 1});
    rest.remove_prefix(3 + name.size());
  }
  return names;
}

std::vector<std::string_view> signatures_of(std::string_view signatures) {
  std::vector<std::string_view> all;
  for (std::string_view rest = signatures; rest.size() >= 2;) {
    const std::size_t length =
        static_cast<unsigned char>(rest[0]) * std::size_t{256} + static_cast<unsigned char>(rest[1]);
    all.push_back(rest.substr(2, length));
    rest.remove_prefix(2 + all.back().size());
  }
  return all;
}

std::vector<std::uint32_t> words_of(const FileOutline& outline) {
  std::vector<std::uint32_t> words(outline.words.size() / sizeof(std::uint32_t));
  // memcpy wants addresses even of nothing at all.
  if (!words.empty()) std::memcpy(words.data(), outline.words.data(), words.size() * sizeof(std::uint32_t));
  return words;
}

}  // namespace symbols::index
