// The lines of a clangd hover between heading and documentation: header, return type, parameters, type,
// value, layout. clangd writes each at most once and always in this order (HoverInfo::present in its
// Hover.cpp).
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace symbols::table {

// Reads the lines one by one, and keeps those that add to the definition. How an object lies in memory and
// which header a name is from are left out: readers of an outline do not ask, and pay for it on every row.
class ClangdFacts {
 public:
  // `kind` and `name` are those of the heading, `definition` the code without its scope comment. All must
  // outlive the object.
  ClangdFacts(std::string_view kind, std::string_view name, std::string_view definition);

  // Takes `line` (plain text, without Markdown marks except a list item's `- `) if it is one of these; false
  // once the documentation has begun.
  bool take(std::string_view line);

  // The kept lines, in clangd's order and words.
  const std::string& kept() const { return kept_; }

 private:
  enum class Stage { provider, return_type, parameters, type, value, offset, size, passed, none };

  static Stage stage_of(std::string_view line);
  bool take_parameter(std::string_view item);
  bool says_nothing(Stage stage, std::string_view value) const;
  bool in_definition(std::string_view text) const;
  bool deduced(std::string_view return_type) const;
  void keep(std::string_view line);

  std::string_view kind_;
  std::string_view name_;
  std::string_view definition_;
  std::set<std::string_view> definition_words_;
  Stage next_ = Stage::provider;  // the first stage that may still come
  bool in_parameters_ = false;
  bool parameters_kept_ = false;
  std::string kept_;
};

}  // namespace symbols::table
