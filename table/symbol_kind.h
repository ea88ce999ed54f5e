// LSP's names of its symbol kinds (LSP 3.17, "SymbolKind"): the option `kind_names`, filters, counts. And one
// letter a kind: what `tree` and `outline` write in place of LSP's numbers. A letter between a blank and
// digits costs no token of its own, a number does; and `f` is read where `12` is looked up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace symbols::table {

// "Class" for 5; the number itself if LSP has no name for it.
std::string kind_name(std::int64_t kind);

// The kind with that name ("Class", in any case) or number ("5", "255", "-1"); none for anything else.
std::optional<std::int64_t> find_kind(std::string_view text);

// Appends the kind: its letter (with `names` its word), or `<255>` for a number that LSP has no name for. The
// letter of each of LSP's kinds is the word's first one, small for the more common of two that share it.
//
//   a Array        C Constructor  F Field     K Key        N Number    P Package   T TypeParameter
//   b Boolean      e Enum         f Function  L File       o Object    p Property  V Event
//   c Class        E EnumMember   i Interface M Module     O Operator  S String    v Variable
//                                 k Constant  m Method     n Namespace s Struct    Z Null
void append_kind(std::string& out, std::int64_t kind, bool names);

// What append_kind wrote at the start of a text.
struct ReadKind {
  std::int64_t kind = 0;
  std::size_t length = 0;  // in bytes
};

// Reads a letter, a word (as LSP spells it) or `<255>`, whatever follows; of letters the whole run must be
// one of these. None for anything else, and for a number beyond 64 bits.
std::optional<ReadKind> read_kind(std::string_view text);

}  // namespace symbols::table
