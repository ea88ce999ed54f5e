#include <md4c.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <utility>

#include "base/text.h"
#include "lsp/unicode.h"
#include "table/hover/prose.h"

namespace symbols::table {
namespace {

using Kind = MarkdownBlock::Kind;

// Of HTML's names of characters, those that servers write and that documentation has.
constexpr auto entities = std::to_array<std::pair<std::string_view, char32_t>>(
    {{"amp", '&'},     {"apos", '\''},     {"bull", 0x2022},  {"copy", 0xA9},    {"deg", 0xB0},
     {"gt", '>'},      {"hellip", 0x2026}, {"laquo", 0xAB},   {"larr", 0x2190},  {"lbrack", '['},
     {"lcub", '{'},    {"ldquo", 0x201C},  {"lsquo", 0x2018}, {"lt", '<'},       {"mdash", 0x2014},
     {"middot", 0xB7}, {"nbsp", 0xA0},     {"ndash", 0x2013}, {"plusmn", 0xB1},  {"quot", '"'},
     {"raquo", 0xBB},  {"rarr", 0x2192},   {"rbrack", ']'},   {"rcub", '}'},     {"rdquo", 0x201D},
     {"reg", 0xAE},    {"rsquo", 0x2019},  {"times", 0xD7},   {"trade", 0x2122}, {"verbar", '|'}});

// Appends the character that `entity` stands for, which is `&`, a name or a number after `#` or `#x`, and
// `;`. `&#0;`, surrogates and numbers above U+10FFFF give U+FFFD (CommonMark 0.31, section 2.5).
void append_entity(std::string& out, std::string_view entity) {
  const std::string_view name = entity.substr(1, entity.size() - 2);
  if (name.starts_with('#')) {
    const bool hexadecimal = lower_case(name[1]) == 'x';
    const auto number = hexadecimal ? whole_number<std::uint32_t>(name.substr(2), 16)
                                    : whole_number<std::uint32_t>(name.substr(1));
    return lsp::append_utf8(out, number > 0 ? *number : lsp::replacement_character);
  }
  const auto* const known = std::ranges::find(entities, name, &std::pair<std::string_view, char32_t>::first);
  if (known == entities.end()) {
    out += entity;
  } else {
    lsp::append_utf8(out, known->second);
  }
}

std::string_view view(const MD_ATTRIBUTE& attribute) {
  return {attribute.text, attribute.size};
}

bool looks_like_address(std::string_view target) {
  return target.find_first_of("/#.:<") != std::string_view::npos;
}

// `<https://h/>` and mail addresses, but not `<std::string>`, which CommonMark reads as an address, too.
bool is_address(std::string_view target) {
  return target.find("://") != std::string_view::npos || target.starts_with("mailto:");
}

// Whether `tag`, with `before` before it, is one of HTML that says how text looks. `Box<span>` is a type.
bool is_markup(std::string_view before, std::string_view tag) {
  constexpr auto names =
      std::to_array<std::string_view>({"code", "div", "em", "li", "ol", "pre", "span", "strong", "tt", "ul"});
  const bool is_end = tag.starts_with("</");
  tag.remove_prefix(is_end ? 2 : 1);
  if (!is_end && !before.empty() && is_word(before.back())) return false;
  return std::ranges::find(names, tag.substr(0, tag.find_first_of(" \t/>"))) != names.end();
}

// md4c's callbacks. It says which spans there are but not which characters made them: these are looked up in
// the source, in which the text that it gives lies.
class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source) {}

  void enter_block(MD_BLOCKTYPE type, const void* detail) {
    switch (type) {
      case MD_BLOCK_P:
        if (!in_item_mark_) begin(Kind::paragraph);
        break;
      case MD_BLOCK_H:
        begin(Kind::heading);
        break;
      case MD_BLOCK_HR:
        begin(Kind::ruler);
        break;
      case MD_BLOCK_CODE: {
        if (in_item_mark_) {
          blocks_.pop_back();
          is_open_ = false;
        }
        begin(Kind::code);
        blocks_.back().language = view(static_cast<const MD_BLOCK_CODE_DETAIL*>(detail)->lang);
        break;
      }
      case MD_BLOCK_UL:
        lists_.push_back({static_cast<const MD_BLOCK_UL_DETAIL*>(detail)->mark, 0});
        break;
      case MD_BLOCK_OL: {
        const auto* list = static_cast<const MD_BLOCK_OL_DETAIL*>(detail);
        lists_.push_back({list->mark_delimiter, list->start});
        break;
      }
      case MD_BLOCK_LI: {
        begin(Kind::paragraph);
        List& list = lists_.back();
        if (list.is_ordered) blocks_.back().text = std::to_string(list.number++);
        blocks_.back().text += {list.mark, ' '};
        in_item_mark_ = true;
        break;
      }
      case MD_BLOCK_TR:
        begin(Kind::paragraph);
        break;
      case MD_BLOCK_TH:
      case MD_BLOCK_TD:
        if (!blocks_.back().text.empty()) blocks_.back().text += ' ';
        break;
      default:
        break;
    }
  }

  void leave_block(MD_BLOCKTYPE type, const void*) {
    if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) lists_.pop_back();
    if (type == MD_BLOCK_P || type == MD_BLOCK_H || type == MD_BLOCK_LI || type == MD_BLOCK_TR) finish();
    is_open_ = is_open_ && (type == MD_BLOCK_TH || type == MD_BLOCK_TD);
  }

  void enter_span(MD_SPANTYPE type, const void* detail) {
    std::string& out = open_text();
    Span span{.type = type, .start = out.size()};
    if (type == MD_SPAN_EM || type == MD_SPAN_STRONG || type == MD_SPAN_DEL) {
      span.restored = take_mark(span, type);
    } else if (type == MD_SPAN_A) {
      const bool is_glued = !out.empty() && (is_word(out.back()) || out.back() == ']' || out.back() == ')');
      span.target = view(static_cast<const MD_SPAN_A_DETAIL*>(detail)->href);
      span.restored = is_glued && !looks_like_address(span.target);
      cursor_ = npos;
    } else if (type == MD_SPAN_CODE) {
      skip_marks('`');
    }
    spans_.push_back(std::move(span));
  }

  void leave_span(MD_SPANTYPE type, const void*) {
    std::string& out = open_text();
    const auto entered = std::ranges::find(spans_.rbegin(), spans_.rend(), type, &Span::type);
    if (entered == spans_.rend()) {
      // MD4C 0.4.8 takes a mark in a link's target for the beginning of emphasis, enters none there, and
      // leaves it at a mark outside, which is text.
      Span none{.type = type, .start = out.size()};
      const std::size_t at = cursor_;
      take_mark(none, type);
      out += at < source_.size() ? source_.substr(at, cursor_ - at) : std::string_view(none.mark);
      return;
    }
    Span span = std::move(*entered);
    spans_.erase(entered.base() - 1, spans_.end());
    if (type == MD_SPAN_EM || type == MD_SPAN_STRONG || type == MD_SPAN_DEL) {
      if (take_mark(span, type)) span.restored = true;
      if (span.restored) restore(span.start, span.mark, span.mark);
    } else if (type == MD_SPAN_A) {
      const std::string_view label = std::string_view(out).substr(span.start);
      if (span.restored) {
        restore(span.start, "[", "](" + span.target + ")");
      } else if (label == span.target && !is_address(span.target) && looks_like_address(span.target)) {
        restore(span.start, "<", ">");
      } else {
        blocks_.back().link = span.target;
        blocks_.back().link_start = span.start;
        link_end_ = out.size();
      }
      cursor_ = npos;
    } else if (type == MD_SPAN_CODE) {
      blocks_.back().code = out.substr(span.start);
      code_end_ = out.size();
      skip_marks('`');
    }
  }

  void text(MD_TEXTTYPE type, std::string_view piece) {
    std::string& out = open_text();
    const bool is_in_source = !std::less<>()(piece.data(), source_.data()) &&
                              std::less<>()(piece.data(), source_.data() + source_.size());
    const std::size_t at = is_in_source ? static_cast<std::size_t>(piece.data() - source_.data()) : npos;
    in_item_mark_ = false;
    switch (type) {
      case MD_TEXT_BR:
      case MD_TEXT_SOFTBR:
        out += '\n';
        cursor_ = npos;
        return;
      case MD_TEXT_NULLCHAR:
        out += "\uFFFD";
        return;
      case MD_TEXT_ENTITY:
        append_entity(out, piece);
        break;
      case MD_TEXT_HTML:
        html(out, piece);
        break;
      case MD_TEXT_CODE:
        out += piece;
        break;
      default:
        if (out.empty() || out.back() == '\n') out += prompt_before(at);
        out += piece;
    }
    cursor_ = at == npos ? npos : at + piece.size();
  }

  std::vector<MarkdownBlock> blocks() && { return std::move(blocks_); }

 private:
  static constexpr std::size_t npos = std::string_view::npos;

  struct List {
    char mark;
    unsigned number;  // of the next item
    bool is_ordered = mark == '.' || mark == ')';
  };

  struct Span {
    MD_SPANTYPE type;
    std::size_t start;  // in the block's text
    bool restored = false;
    std::string mark{};    // of emphasis
    std::string target{};  // of a link
  };

  // Characters to be put back, and where.
  struct Insertion {
    std::size_t offset;
    std::string text;
  };

  void begin(Kind kind) {
    finish();
    blocks_.emplace_back().kind = kind;
    is_open_ = true;
    in_item_mark_ = false;
    cursor_ = link_end_ = code_end_ = npos;
    insertions_.clear();
    spans_.clear();
  }

  // The text of the open block; an item's text after a nested block has none yet.
  std::string& open_text() {
    if (!is_open_) begin(Kind::paragraph);
    return blocks_.back().text;
  }

  void finish() {
    if (!is_open_) return;
    MarkdownBlock& block = blocks_.back();
    if (block.kind == Kind::code || block.kind == Kind::ruler) return;
    if (link_end_ != block.text.size()) block.link.clear();
    if (code_end_ != block.text.size()) block.code.clear();
    std::ranges::stable_sort(insertions_, {}, &Insertion::offset);
    std::string whole;
    std::size_t from = 0;
    for (const Insertion& insertion : insertions_) {
      whole.append(block.text, from, insertion.offset - from) += insertion.text;
      from = insertion.offset;
    }
    whole.append(block.text, from) += '\n';
    block.text = std::move(whole);
  }

  void restore(std::size_t start, std::string opening, std::string closing) {
    insertions_.push_back({start, std::move(opening)});
    insertions_.push_back({blocks_.back().text.size(), std::move(closing)});
  }

  void skip_marks(char mark) {
    while (cursor_ < source_.size() && source_[cursor_] == mark) ++cursor_;
  }

  // Passes a mark of emphasis; whether it is one that was not meant so.
  bool take_mark(Span& span, MD_SPANTYPE type) {
    span.mark = type == MD_SPAN_EM ? "*" : type == MD_SPAN_STRONG ? "**" : "~~";
    if (cursor_ >= source_.size()) return false;
    const char c = source_[cursor_];
    if (cursor_ < run_start_ || cursor_ >= run_end_) {  // looked for once a run, however many marks it has
      const std::size_t last_before = source_.find_last_not_of(c, cursor_);
      run_start_ = last_before == npos ? 0 : last_before + 1;
      run_end_ = std::min(source_.find_first_not_of(c, cursor_), source_.size());
    }
    const char before = run_start_ == 0 ? ' ' : source_[run_start_ - 1];
    const char after = run_end_ == source_.size() ? ' ' : source_[run_end_];
    cursor_ = std::min(cursor_ + span.mark.size(), run_end_);
    if (c == '~' && run_end_ - run_start_ == 1) span.mark = "~";
    if (c == '~') return span.mark == "~";
    return c == '*' && ((is_word(before) && is_word(after)) || before == '/' || after == '/');
  }

  // Quote marks before a line's first text at `at` that are a prompt of Python or an operator.
  std::string_view prompt_before(std::size_t at) const {
    if (at == npos || at == 0) return {};
    const bool is_spaced = source_[at - 1] == ' ';
    const std::size_t end = is_spaced ? at - 1 : at;
    std::size_t start = end;
    while (start > 0 && source_[start - 1] == '>') --start;
    const bool is_escaped = start > 0 && source_[start - 1] != '\n' && source_[start - 1] != ' ';
    const bool is_prompt = end - start == 3 || (!is_spaced && end > start && source_[at] == '=');
    return is_prompt && !is_escaped ? source_.substr(start, at - start) : std::string_view{};
  }

  void html(std::string& out, std::string_view piece) {
    if (piece.starts_with("<!--")) in_comment_ = true;
    if (piece.starts_with("<br") || piece.starts_with("<BR")) {
      out += '\n';
    } else if (!in_comment_ && !is_markup(out, piece)) {
      out += piece;
    }
    if (piece.ends_with("-->")) in_comment_ = false;
  }

  std::string_view source_;
  std::size_t cursor_ = npos;  // behind what was read of source_; npos if that is not known
  std::vector<MarkdownBlock> blocks_;
  bool is_open_ = false;       // the last block takes text
  bool in_item_mark_ = false;  // the last block is a list item of which only the mark was read
  bool in_comment_ = false;
  std::size_t run_start_ = 0;  // of the marks around cursor_ when it was last at one
  std::size_t run_end_ = 0;
  std::size_t link_end_ = npos;
  std::size_t code_end_ = npos;
  std::vector<List> lists_;
  std::vector<Span> spans_;
  std::vector<Insertion> insertions_;
};

// A callback of md4c that passes its event to the reader.
template <auto handle, class Type>
int pass(Type type, void* detail, void* reader) {
  (static_cast<Reader*>(reader)->*handle)(type, detail);
  return 0;
}

}  // namespace

std::vector<MarkdownBlock> parse_markdown(std::string_view text) {
  text = text.substr(0, max_markdown);
  Reader out(text);
  MD_PARSER parser{};
  parser.flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_NOHTMLBLOCKS;
  parser.enter_block = pass<&Reader::enter_block>;
  parser.leave_block = pass<&Reader::leave_block>;
  parser.enter_span = pass<&Reader::enter_span>;
  parser.leave_span = pass<&Reader::leave_span>;
  parser.text = [](MD_TEXTTYPE type, const char* piece, MD_SIZE size, void* reader) {
    static_cast<Reader*>(reader)->text(type, {piece, size});
    return 0;
  };
  md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, &out);  // fails only without memory
  return std::move(out).blocks();
}

}  // namespace symbols::table
