#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "proxy/files/project_root.h"
#include "proxy/files/regular_file.h"
#include "proxy/servers/guessed_flags.h"

namespace symbols::servers {
namespace {

using std::string_view;

constexpr std::size_t max_build_file = std::size_t{1} << 20;
constexpr std::size_t max_definitions = 100;
// With its variables replaced. Without a limit a file could double a variable in each line.
constexpr std::size_t max_argument = 1000;

std::string text_of_file(const fs::path& file) {
  Result<std::string> text = files::read_regular_file(file.string(), max_build_file);
  return text ? std::move(*text) : std::string();
}

// The first standards in a text such as `CFLAGS = -std=gnu11` or `'cpp_std=c++17'`.
void take_standards(string_view text, BuildSettings& settings) {
  static const re2::RE2 c(R"([-_]std=((?:c|gnu)[a-z0-9]+)(?:[^+a-z0-9]|$))");
  static const re2::RE2 cpp(R"([-_]std=((?:c|gnu)\+\+[a-z0-9]+))");
  const re2::StringPiece piece(text.data(), text.size());
  re2::RE2::PartialMatch(piece, c, &settings.c_standard);
  re2::RE2::PartialMatch(piece, cpp, &settings.cpp_standard);
}

void take_definition(const std::string& text, BuildSettings& settings) {
  static const re2::RE2 plain(R"((?:-D)?([A-Za-z_]\w*(?:=[\w.]*)?))");
  std::string definition;
  if (re2::RE2::FullMatch(text, plain, &definition) && settings.definitions.size() < max_definitions &&
      std::ranges::count(settings.definitions, definition) == 0)
    settings.definitions.push_back(std::move(definition));
}

struct Command {
  std::string name{};  // in lower case
  std::vector<std::string> arguments{};
};

// The argument so written: in quotes, in brackets, or plain. A backslash takes the next character literally.
std::string argument_of(string_view written) {
  if (written.starts_with("[[")) return std::string(written.substr(2, written.size() - 4));
  if (written.starts_with('"')) written = written.substr(1, written.size() - 2);
  std::string argument;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i] == '\\' && i + 1 < written.size()) ++i;
    argument += written[i];
  }
  return argument;
}

// The commands of a CMakeLists.txt in their order, without comments; what cannot be understood ends the list.
std::vector<Command> cmake_commands(string_view text) {
  // A comment, or, captured, a parenthesis or an argument.
  static const re2::RE2 token(R"re((?s)[\s;]*(?:#\[\[.*?\]\]|#[^\n]*|([()]|"(?:[^"\\]|\\.)*"|\[\[.*?\]\])re"
                              R"re(|(?:[^\s;()#"\\]|\\.)(?:[^\s;()#\\]|\\.)*)))re",
                              re2::RE2::Latin1);
  std::vector<Command> commands;
  Command command;
  std::size_t depth = 0;
  re2::StringPiece rest(text.data(), text.size());
  for (std::string word; re2::RE2::Consume(&rest, token, &word);) {
    if (word.empty()) continue;
    if (depth == 0 && command.name.empty()) {
      if (!std::ranges::all_of(word, is_word)) break;
      command.name = in_lower_case(word);
    } else if (depth == 0) {
      if (word != "(") break;
      depth = 1;
    } else if (word == ")" && --depth == 0) {
      commands.push_back(std::exchange(command, {}));
    } else {
      if (word == "(") ++depth;
      command.arguments.push_back(argument_of(word));
    }
  }
  return commands;
}

// Follows `if` and `set` over the CMakeLists.txt of a project, from its root downwards, as far as it is plain
// what runs on this system.
class CmakeReader {
 public:
  void read(string_view text, BuildSettings& settings) {
    std::vector<Block> blocks;
    const auto now = [&] { return blocks.empty() ? Truth::yes : blocks.back().runs; };
    for (Command& command : cmake_commands(text)) {
      const std::string& name = command.name;
      if (name == "if") {
        const Truth around = now();
        enter_branch(blocks.emplace_back(Block{.around = around}), truth(command.arguments));
      } else if (is_among(name, "function macro foreach while")) {
        blocks.push_back({.runs = std::min(now(), Truth::maybe)});
      } else if (blocks.empty() ||
                 !is_among(name, "elseif else endif endfunction endmacro endforeach endwhile")) {
        if (now() != Truth::no) run(command, now() == Truth::yes, settings);
      } else if (name == "elseif") {
        enter_branch(blocks.back(), truth(command.arguments));
      } else if (name == "else") {
        enter_branch(blocks.back(), Truth::yes);
      } else {
        blocks.pop_back();
      }
    }
    take_standard("CXX", "++", settings.cpp_standard);
    take_standard("C", "", settings.c_standard);
  }

 private:
  enum class Truth { no, maybe, yes };
  struct Block {
    Truth around = Truth::yes;  // whether what it stands in runs
    Truth runs = Truth::yes;    // whether what is in it does
    Truth taken = Truth::no;    // whether an earlier branch was taken
  };

  static Truth opposite(Truth one) {
    return one == Truth::maybe ? one : one == Truth::yes ? Truth::no : Truth::yes;
  }

  static void enter_branch(Block& block, Truth condition) {
    block.runs = std::min({block.around, opposite(block.taken), condition});
    block.taken = std::max(block.taken, condition);
  }

  // `is_sure`: that it runs; else it may.
  void run(Command& command, bool is_sure, BuildSettings& settings) {
    const std::string& name = command.name;
    command.arguments = expanded(command.arguments);
    const std::vector<std::string>& arguments = command.arguments;
    const bool is_set =
        arguments.size() > 1 && (!arguments.front().ends_with("_STANDARD") || is_number(arguments[1]));
    if ((name == "set" || name == "option") && is_set)
      variables_[arguments.front()] = name == "set" ? arguments[1] : arguments.back();
    if (!is_sure) return;
    if (name == "set_target_properties" || name == "set_property") {
      const auto standard = std::ranges::find(arguments, "CXX_STANDARD");
      if (arguments.end() - standard > 1) raise(standard[1]);
    }
    // Behind the target's name; those of an INTERFACE are not the target's own.
    bool defines = name == "add_definitions" || name == "add_compile_definitions";
    for (const std::string& argument : arguments) {
      for (const string_view word : split(argument, ' ')) {
        if (word.starts_with("-std=")) take_standards(word, settings);
      }
      constexpr string_view feature = "cxx_std_";
      if (name == "target_compile_features" && argument.starts_with(feature))
        raise(string_view(argument).substr(feature.size()));
      if (is_among(argument, "PUBLIC PRIVATE INTERFACE")) {
        defines = name == "target_compile_definitions" && argument != "INTERFACE";
      } else if (defines) {
        take_definition(argument, settings);
      }
    }
  }

  static bool is_number(string_view text) {
    return !text.empty() && text.size() < 3 && std::ranges::all_of(text, is_digit);
  }

  // A target's standard counts if it is above the compiler's own, C++17: the file may be another's.
  void raise(string_view number) {
    std::string& cpp = variables_["CMAKE_CXX_STANDARD"];
    if (is_number(number) && number > "17" && number < "90" && cpp < number) cpp = number;
  }

  void take_standard(const std::string& language, const char* behind, std::string& standard) const {
    const auto number = variables_.find("CMAKE_" + language + "_STANDARD");
    if (number == variables_.end() || !is_number(number->second)) return;
    const auto extensions = variables_.find("CMAKE_" + language + "_EXTENSIONS");
    const bool is_gnu =
        extensions == variables_.end() || !is_among(in_lower_case(extensions->second), "off false no 0");
    standard = (is_gnu ? "gnu" : "c") + (behind + number->second);
  }

  // Only words, NOT and AND: with anything else it may be either.
  Truth truth(const std::vector<std::string>& condition) const {
    Truth all = Truth::yes;
    bool is_negated = false;
    for (const std::string& word : condition) {
      if (word == "AND") continue;
      if (word == "NOT") {
        is_negated = !is_negated;
        continue;
      }
      if (is_among(word,
                   "OR ( ) STREQUAL MATCHES EQUAL LESS GREATER VERSION_LESS VERSION_GREATER "
                   "VERSION_GREATER_EQUAL DEFINED TARGET EXISTS COMMAND POLICY IN_LIST"))
        return Truth::maybe;
      const Truth one = truth(word);
      all = std::min(all, std::exchange(is_negated, false) ? opposite(one) : one);
    }
    return condition.empty() ? Truth::maybe : all;
  }

  Truth truth(const std::string& word) const {
    if (is_among(word, "WIN32 MSVC MINGW MSYS CYGWIN BORLAND ANDROID IOS EMSCRIPTEN XCODE APPLE"))
      return Truth::no;
    if (word == "UNIX") return Truth::yes;
    const auto known = variables_.find(word);
    const std::string value = in_lower_case(known == variables_.end() ? word : known->second);
    if (is_among(value, "on true yes 1")) return Truth::yes;
    return is_among(value, "off false no 0") ? Truth::no : Truth::maybe;
  }

  // With variables replaced, and without the arguments that have one that is unknown.
  std::vector<std::string> expanded(const std::vector<std::string>& arguments) const {
    std::vector<std::string> result;
    for (const std::string& argument : arguments) {
      std::string text = argument;
      bool is_known = true;
      for (std::size_t at = 0; is_known && (at = text.find("${", at)) != text.npos;) {
        const std::size_t end = text.find('}', at);
        const auto variable =
            end == text.npos ? variables_.end() : variables_.find(text.substr(at + 2, end - at - 2));
        is_known = variable != variables_.end() && text.size() <= max_argument;
        if (!is_known) break;
        text.replace(at, end + 1 - at, variable->second);
        at += variable->second.size();
      }
      if (is_known && text.size() <= max_argument) result.push_back(std::move(text));
    }
    return result;
  }

  std::map<std::string, std::string> variables_;
};

}  // namespace

BuildSettings build_settings_for(const fs::path& root, const fs::path& file) {
  BuildSettings settings;
  if (!files::contains(root, file)) return settings;
  CmakeReader cmake;
  const auto read_folder = [&](const fs::path& folder) {
    for (const char* const name : {"configure.ac", "Makefile.am", "Makefile", "meson.build"})
      take_standards(text_of_file(folder / name), settings);
    cmake.read(text_of_file(folder / "CMakeLists.txt"), settings);
  };
  fs::path folder = root;
  read_folder(folder);
  for (const fs::path& part : file.parent_path().lexically_relative(root)) {
    if (part != ".") read_folder(folder /= part);
  }
  return settings;
}

}  // namespace symbols::servers
