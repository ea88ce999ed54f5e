// The languages of sources as far as the index tells them apart, LSP's kinds, and the words of a text.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/ascii.h"

namespace symbols::index {

enum class Language { c_header, c_source, script, python, other };  // `script`: of JavaScript's kin

// By the end of the path.
Language language_of(std::string_view path);

// LSP's kinds that the index tells apart.
inline constexpr std::int64_t module_kind = 2;
inline constexpr std::int64_t namespace_kind = 3;
inline constexpr std::int64_t package_kind = 4;
inline constexpr std::int64_t class_kind = 5;
inline constexpr std::int64_t property_kind = 7;
inline constexpr std::int64_t field_kind = 8;
inline constexpr std::int64_t constructor_kind = 9;
inline constexpr std::int64_t enum_kind = 10;
inline constexpr std::int64_t interface_kind = 11;
inline constexpr std::int64_t variable_kind = 13;
inline constexpr std::int64_t constant_kind = 14;
inline constexpr std::int64_t struct_kind = 23;

inline bool is_type_kind(std::int64_t kind) {
  return kind == class_kind || kind == enum_kind || kind == interface_kind || kind == struct_kind;
}
// Method, Constructor, Function.
inline bool is_function_kind(std::int64_t kind) {
  return kind == 6 || kind == constructor_kind || kind == 12;
}

// Variable, Constant.
inline bool is_variable_kind(std::int64_t kind) {
  return kind == 13 || kind == 14;
}

// The word that starts at `at`; empty where none does.
inline std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_identifier(text[end])) ++end;
  return text.substr(at, end - at);
}

}  // namespace symbols::index
