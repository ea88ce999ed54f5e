#include "proxy/servers/compile_flags.h"

#include <re2/re2.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace symbols::servers {
namespace {

using std::string_view;

// Characters of names and numbers, but not of paths.
constexpr string_view plain = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.+-=:";

// Flags that name what is read; the value may be joined or be the next word. It is joined in the result.
constexpr string_view path_flags[] = {"-isystem",   "-iquote",   "-idirafter", "-include", "-isysroot",
                                      "--sysroot=", "--sysroot", "-I",         "-D",       "-U"};

// Lists of words, which single spaces separate.
// Flags whose value holds no path; the value is the rest of the word.
constexpr string_view plain_flags =
    "-std= --std= -stdlib= --target= -march= -mtune= -mcpu= -mfpu= -mfloat-abi= -mabi= -mcmodel= "
    "-mmacosx-version-min= -miphoneos-version-min= -fvisibility= -ftemplate-depth= -fconstexpr-depth= "
    "-fconstexpr-steps= -fbracket-depth= -ffp-contract= -fmessage-length= -fdiagnostics-color= -ftls-model= "
    "-flto=";

constexpr string_view exact_flags =
    "-w -ansi -pedantic -pedantic-errors -pthread -undef -trigraphs -nostdinc -nostdinc++ -nostdlibinc -m32 "
    "-m64 -mx32 -mthumb -marm -O -O0 -O1 -O2 -O3 -Os -Oz -Og -Ofast -xc -xc++ -xobjective-c -xobjective-c++ "
    "-xc-header -xc++-header -xobjective-c-header -xobjective-c++-header -xcuda";

// "X": the flags -fX and -fno-X.
constexpr string_view language_features =
    "PIC PIE access-control aligned-allocation asynchronous-unwind-tables blocks builtin char8_t "
    "color-diagnostics common concepts coroutines coroutines-ts data-sections delayed-template-parsing "
    "diagnostics-color exceptions fast-math freestanding function-sections gnu-keywords hosted inline "
    "inline-functions lto math-errno ms-compatibility ms-extensions objc-arc objc-exceptions "
    "omit-frame-pointer openmp openmp-simd operator-names permissive pic pie plt rtti "
    "semantic-interposition short-enums short-wchar signed-char sized-deallocation stack-clash-protection "
    "stack-protector stack-protector-all stack-protector-strong strict-aliasing strict-enums "
    "threadsafe-statics trapv unroll-loops unsigned-char unwind-tables visibility-inlines-hidden wrapv";

// "X": the flags -mX and -mno-X.
constexpr string_view processor_features =
    "3dnow adx aes altivec avx avx2 avx512bw avx512cd avx512dq avx512f avx512vl avx512vnni bmi bmi2 cx16 "
    "f16c fma general-regs-only lzcnt mmx movbe pclmul popcnt rdrnd red-zone sha sse sse2 sse3 sse4 sse4.1 "
    "sse4.2 sse4a ssse3 stackrealign unaligned-access vsx xsave";

// Flags that do not affect declarations: what to write, where, and how to link. Those in the second list take
// the next word as their value.
constexpr string_view unneeded = "-c -S -E -M -MM -MD -MMD -MP -MG -pipe -v -s -rdynamic -shared -static";
constexpr string_view unneeded_with_value = "-o -MF -MT -MQ -MJ -L -l -framework";
constexpr string_view unneeded_starts[] = {"-L", "-l", "-Wl,", "-MF", "-MT", "-MQ", "-g"};

bool is_of(string_view text, string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == text.npos;
}

// Whether no reader can mistake the value for anything else, joined to its flag or not: `-include` and `-pch`
// would make `-include-pch`.
bool is_safe_value(string_view value) {
  return !value.empty() && value.front() != '-' && value.front() != '@' &&
         std::ranges::none_of(value, [](unsigned char c) { return c < 0x20 || c == 0x7F; });
}

bool is_feature(string_view word, string_view start, string_view features) {
  if (!word.starts_with(start)) return false;
  word.remove_prefix(start.size());
  if (word.starts_with("no-")) word.remove_prefix(3);
  return is_among(word, features);
}

bool is_allowed_word(string_view word) {
  if (is_among(word, exact_flags) || is_feature(word, "-f", language_features) ||
      is_feature(word, "-m", processor_features))
    return true;
  // Warnings; with a comma it would pass words on to the preprocessor, the assembler or the linker.
  if (word.starts_with("-W")) return is_of(word.substr(2), plain);
  if (word.starts_with("-fsanitize=")) return is_of(word.substr(11), "abcdefghijklmnopqrstuvwxyz-,");
  const std::size_t value = word.find('=') + 1;  // npos + 1 is 0
  return is_among(word.substr(0, value), plain_flags) && is_of(word.substr(value), plain);
}

bool is_unneeded(string_view word) {
  return is_among(word, unneeded) || (word.starts_with("-o") && word.find('=') == word.npos) ||
         std::ranges::any_of(unneeded_starts, [&](string_view start) { return word.starts_with(start); });
}

}  // namespace

std::vector<std::string> flags_in_lines(std::string_view text) {
  std::vector<std::string> flags;
  for (const string_view line : split(text, '\n')) {
    if (const string_view flag = trim(line); !flag.empty()) flags.emplace_back(flag);
  }
  return flags;
}

AllowedFlags allowed_compile_flags(const std::vector<std::string>& arguments) {
  AllowedFlags result;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const string_view word = arguments[i];
    const auto next_word = [&] {
      return i + 1 < arguments.size() ? string_view(arguments[++i]) : string_view();
    };
    const auto add_if = [&](bool is_allowed, std::string flag) {
      if (is_allowed) {
        result.flags.push_back(std::move(flag));
      } else {
        ++result.left_out;
      }
    };
    if (word.starts_with('@')) ++result.left_out;
    if (!word.starts_with('-') || word == "-" || word == "--") continue;
    if (word == "-x" || word == "-target") {
      const std::string joined = std::string(word == "-x" ? "-x" : "--target=").append(next_word());
      add_if(is_allowed_word(joined), joined);
    } else if (const auto* flag =
                   std::ranges::find_if(path_flags, [&](string_view each) { return word.starts_with(each); });
               flag != std::end(path_flags)) {
      string_view value = word.substr(flag->size());
      if (value.empty()) value = next_word();
      const string_view written = *flag == "--sysroot" ? "--sysroot=" : *flag;
      add_if(is_safe_value(value), std::string(written).append(value));
    } else if (is_allowed_word(word)) {
      result.flags.emplace_back(word);
    } else if (is_among(word, unneeded_with_value)) {
      (void)next_word();
    } else if (!is_unneeded(word)) {
      ++result.left_out;
    }
  }
  return result;
}

std::string allowed_compiler(const std::vector<std::string>& command) {
  static const re2::RE2 known(
      R"((?:.*/)?((?:\w[\w.+-]*-)?(?:clang|clang\+\+|gcc|g\+\+|cc|c\+\+)(?:-[0-9.]+)?))", re2::RE2::Latin1);
  std::string name = "clang";
  for (std::size_t i = 0; i < std::min<std::size_t>(command.size(), 2); ++i) {
    if (re2::RE2::FullMatch(command[i], known, &name)) break;
  }
  return name;
}

}  // namespace symbols::servers
