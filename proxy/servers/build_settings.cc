#include "proxy/servers/build_settings.h"

#include <re2/re2.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "proxy/files/project_root.h"
#include "proxy/files/regular_file.h"
#include "proxy/servers/cmake_text.h"

namespace symbols::servers {
namespace {

namespace fs = std::filesystem;
using std::string_view;

constexpr std::size_t max_build_file = std::size_t{1} << 20;
constexpr std::size_t max_definitions = 100;

std::string text_of_file(const fs::path& file) {
  std::error_code failure;
  if (!fs::is_regular_file(file, failure)) return {};
  Result<std::string> text = files::read_regular_file(file.string(), max_build_file);
  return text ? std::move(*text) : std::string();
}

bool is_number(string_view text) {
  return !text.empty() && text.size() < 3 && std::ranges::all_of(text, is_digit);
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

// The value behind `name` among the arguments of a command that sets properties.
string_view property(const CmakeCommand& command, string_view name) {
  const auto found = std::ranges::find(command.arguments, name);
  return found == command.arguments.end() || found + 1 == command.arguments.end() ? string_view()
                                                                                  : *(found + 1);
}

class CmakeSettings {
 public:
  void read(string_view text, BuildSettings& settings) {
    reader_.read(text, [&](const CmakeCommand& command, bool runs) { take(command, runs, settings); });
    if (!cpp_.empty())
      settings.cpp_standard = (has_extensions("CMAKE_CXX_EXTENSIONS") ? "gnu++" : "c++") + cpp_;
    if (!c_.empty()) settings.c_standard = (has_extensions("CMAKE_C_EXTENSIONS") ? "gnu" : "c") + c_;
  }

 private:
  bool has_extensions(const char* variable) const {
    const std::string value = in_lower_case(reader_.variable(variable));
    return value != "off" && value != "false" && value != "no" && value != "0";
  }

  void take(const CmakeCommand& command, bool runs, BuildSettings& settings) {
    const std::string& name = command.name;
    const std::vector<std::string>& arguments = command.arguments;
    if (name == "set") {
      if (const string_view value = property(command, "CMAKE_CXX_STANDARD"); is_number(value)) cpp_ = value;
      if (const string_view value = property(command, "CMAKE_C_STANDARD"); is_number(value)) c_ = value;
    }
    if (!runs) return;
    if (name == "set_target_properties" || name == "set_property") raise(property(command, "CXX_STANDARD"));
    // Behind the target's name; those of an INTERFACE are not the target's own.
    bool defines = name == "add_definitions" || name == "add_compile_definitions";
    for (const std::string& argument : arguments) {
      for (const string_view word : split(argument, ' ')) {
        if (word.starts_with("-std=")) take_standards(word, settings);
      }
      if (argument == "PUBLIC" || argument == "PRIVATE" || argument == "INTERFACE") {
        defines = name == "target_compile_definitions" && argument != "INTERFACE";
      } else if (defines) {
        take_definition(argument, settings);
      }
    }
    for (const string_view feature : arguments) {
      constexpr string_view start = "cxx_std_";
      if (name == "target_compile_features" && feature.starts_with(start))
        raise(feature.substr(start.size()));
    }
  }

  // One target's standard counts where it is above the compiler's own, which is C++17: the file may be
  // another's.
  void raise(string_view number) {
    if (is_number(number) && number > "17" && number < "90" && cpp_ < number) cpp_ = number;
  }

  CmakeReader reader_;
  std::string c_;
  std::string cpp_;
};

}  // namespace

BuildSettings build_settings_for(const fs::path& root, const fs::path& file) {
  BuildSettings settings;
  if (!files::contains(root, file)) return settings;
  CmakeSettings cmake;
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
