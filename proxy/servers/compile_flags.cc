#include "proxy/servers/compile_flags.h"

#include <re2/re2.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace symbols::servers {
namespace {

using std::string_view;

// Flags that name what is read; the value may be joined or be the next word. It is joined in the result.
constexpr const char* path_flags =
    "(?s)(-isystem|-iquote|-idirafter|-include|-isysroot|--sysroot=|--sysroot|-I|-D|-U)(.*)";

// The others, where no value holds a path. With a comma, -W would pass words on to the preprocessor, the
// assembler or the linker.
constexpr const char* other_flags =
    R"(-(?:w|ansi|pedantic|pedantic-errors|pthread|undef|trigraphs|nostdinc|nostdinc\+\+|nostdlibinc|m32|m64)"
    R"(|mx32|mthumb|marm|O[0123szg]?|Ofast|x(?:c|c\+\+|objective-c|objective-c\+\+)(?:-header)?|xcuda)"
    R"(|f(?:no-)?(?:PIC|PIE|access-control|aligned-allocation|asynchronous-unwind-tables|blocks|builtin)"
    R"(|char8_t|color-diagnostics|common|concepts|coroutines|coroutines-ts|data-sections)"
    R"(|delayed-template-parsing|diagnostics-color|exceptions|fast-math|freestanding|function-sections)"
    R"(|gnu-keywords|hosted|inline|inline-functions|lto|math-errno|ms-compatibility|ms-extensions|objc-arc)"
    R"(|objc-exceptions|omit-frame-pointer|openmp|openmp-simd|operator-names|permissive|pic|pie|plt|rtti)"
    R"(|semantic-interposition|short-enums|short-wchar|signed-char|sized-deallocation)"
    R"(|stack-clash-protection|stack-protector|stack-protector-all|stack-protector-strong|strict-aliasing)"
    R"(|strict-enums|threadsafe-statics|trapv|unroll-loops|unsigned-char|unwind-tables)"
    R"(|visibility-inlines-hidden|wrapv))"
    R"(|m(?:no-)?(?:3dnow|adx|aes|altivec|avx|avx2|avx512bw|avx512cd|avx512dq|avx512f|avx512vl|avx512vnni)"
    R"(|bmi|bmi2|cx16|f16c|fma|general-regs-only|lzcnt|mmx|movbe|pclmul|popcnt|rdrnd|red-zone|sha|sse|sse2)"
    R"(|sse3|sse4|sse4\.1|sse4\.2|sse4a|ssse3|stackrealign|unaligned-access|vsx|xsave))"
    R"(|W[\w.+=:-]+|fsanitize=[a-z,-]+|(?:std|-std|stdlib|-target|march|mtune|mcpu|mfpu|mfloat-abi|mabi)"
    R"(|mcmodel|mmacosx-version-min|miphoneos-version-min|fvisibility|ftemplate-depth|fconstexpr-depth)"
    R"(|fconstexpr-steps|fbracket-depth|ffp-contract|fmessage-length|fdiagnostics-color|ftls-model|flto))"
    R"(=[\w.+=:-]+))";

// Flags that do not affect declarations: what to write, where, and how to link. Those in the second list take
// the next word as their value.
constexpr const char* unneeded_flags =
    "(?s)-(?:[cSEvs]|MM?D?|MP|MG|pipe|rdynamic|shared|static|o[^=]*|(?:[lLg]|Wl,|MF|MT|MQ).*)";
constexpr string_view unneeded_with_value = "-o -MF -MT -MQ -MJ -L -l -framework";

// Whether no reader can mistake the value for anything else, joined to its flag or not: `-include` and `-pch`
// would make `-include-pch`.
bool is_safe_value(string_view value) {
  return !value.empty() && value.front() != '-' && value.front() != '@' &&
         std::ranges::none_of(value, [](unsigned char c) { return c < 0x20 || c == 0x7F; });
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
  static const RE2 path_flag(path_flags, RE2::Latin1), other_flag(other_flags, RE2::Latin1),
      unneeded(unneeded_flags, RE2::Latin1);
  AllowedFlags result;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    const auto next_word = [&] { return i + 1 < arguments.size() ? arguments[++i] : std::string(); };
    const auto add_if = [&](bool is_allowed, std::string flag) {
      if (is_allowed) {
        result.flags.push_back(std::move(flag));
      } else {
        ++result.left_out;
      }
    };
    if (word.starts_with('@')) ++result.left_out;
    if (!word.starts_with('-') || word == "-" || word == "--") continue;
    std::string flag, value;
    if (word == "-x" || word == "-target") {
      flag = (word == "-x" ? "-x" : "--target=") + next_word();
      add_if(RE2::FullMatch(flag, other_flag), flag);
    } else if (RE2::FullMatch(word, path_flag, &flag, &value)) {
      if (value.empty()) value = next_word();
      if (flag == "--sysroot") flag += '=';
      add_if(is_safe_value(value), flag + value);
    } else if (is_among(word, unneeded_with_value)) {
      (void)next_word();
    } else if (!RE2::FullMatch(word, unneeded)) {
      add_if(RE2::FullMatch(word, other_flag), word);
    }
  }
  return result;
}

std::string allowed_compiler(const std::vector<std::string>& command) {
  static const RE2 known(R"((?:.*/)?((?:\w[\w.+-]*-)?(?:clang|clang\+\+|gcc|g\+\+|cc|c\+\+)(?:-[0-9.]+)?))",
                         RE2::Latin1);
  std::string name = "clang";
  for (std::size_t i = 0; i < std::min<std::size_t>(command.size(), 2); ++i) {
    if (RE2::FullMatch(command[i], known, &name)) break;
  }
  return name;
}

}  // namespace symbols::servers
