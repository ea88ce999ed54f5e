#include "proxy/servers/filtered_database.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <re2/re2.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <system_error>
#include <utility>

#include "base/descriptor.h"
#include "base/text.h"
#include "lsp/json/json_document.h"
#include "lsp/json/raw_json.h"
#include "proxy/files/project_root.h"
#include "proxy/files/regular_file.h"
#include "proxy/servers/compilation_database.h"
#include "table/escape.h"

namespace symbols::servers {
namespace {

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
constexpr std::string_view unneeded_with_value = "-o -MF -MT -MQ -MJ -L -l -framework";

// Whether no reader can mistake the value for anything else, joined to its flag or not: `-include` and `-pch`
// would make `-include-pch`.
bool is_safe_value(std::string_view value) {
  return !value.empty() && value.front() != '-' && value.front() != '@' &&
         std::ranges::none_of(value, [](unsigned char c) { return c < 0x20 || c == 0x7F; });
}

// `json` with each entry's command reduced to what is allowed.
Result<std::string> filtered_commands(const std::string& json, const fs::path& folder,
                                      std::size_t& left_out) {
  const Result<rapidjson::Document> document = lsp::parse_json(json);
  if (!document) return document.error();
  if (!document->IsArray()) return Error{"not an array of commands", {}};
  std::string out = "[";
  for (const rapidjson::Value& entry : document->GetArray()) {
    const std::vector<std::string> command = words_of_entry(entry);
    const std::string named = lsp::text_member(entry, "file");
    if (command.empty() || named.empty()) continue;
    const fs::path directory = folder / lsp::text_member(entry, "directory");
    // Absolute, so that it cannot read as a flag.
    const std::string file = (directory / named).string();
    AllowedFlags allowed = allowed_compile_flags({command.begin() + 1, command.end()});
    left_out += allowed.left_out;
    out += fmt::format(R"({}{{"directory":{},"file":{},"arguments":[{})", out.size() > 1 ? ",\n" : "",
                       lsp::json_string(directory.string()), lsp::json_string(file),
                       lsp::json_string(allowed_compiler(command)));
    for (const std::string& flag : allowed.flags) out += "," + lsp::json_string(flag);
    out += "," + lsp::json_string(file) + "]}";
  }
  return {boost::system::in_place_value, out + "]"};
}

std::string filtered_flags(const std::string& text, const fs::path& folder, std::size_t& left_out) {
  const AllowedFlags allowed = allowed_compile_flags(flags_in_lines(text));
  left_out += allowed.left_out;
  // Paths are relative to its own folder, not the copy's. Omitted for a folder with a newline in its name.
  std::string out;
  if (folder.string().find('\n') == std::string::npos) out = "-working-directory=" + folder.string() + "\n";
  for (const std::string& flag : allowed.flags) out += flag + "\n";
  return out;
}

constexpr std::size_t max_start = std::size_t{64} << 10;
constexpr std::size_t max_entries = 100;  // files that a build makes may come first

// The folder of the other checkout in which the project had `file`; empty if the project has no such file.
std::string former_root(const fs::path& file, const fs::path& root) {
  fs::path rest = file.relative_path();
  for (fs::path folder = "/"; !rest.empty();) {
    if (files::is_file(root / rest)) return folder == "/" ? std::string() : folder.string();
    folder /= *rest.begin();
    rest = rest.lexically_relative(*rest.begin());
    if (rest == ".") break;
  }
  return {};
}

// Of the database that starts with `json`; empty if it is of this checkout.
std::string former_root_in(std::string_view json, const fs::path& root) {
  // In a `command` other characters would have to be quoted.
  const std::string to = root.string();
  static const RE2 plain(R"([\w./+-]+)", RE2::Latin1);
  if (!RE2::FullMatch(to, plain)) return {};
  std::string found;
  std::size_t entries = 0;
  // Its end may be missing: the entries before are visited all the same.
  (void)lsp::for_each_element(json.substr(0, max_start), [&](std::string_view element) {
    if (!found.empty() || entries >= max_entries) return;
    ++entries;
    const Result<rapidjson::Document> entry = lsp::parse_json(element);
    const fs::path directory = entry ? lsp::text_member(*entry, "directory") : std::string();
    const fs::path file =
        entry ? (directory / lsp::text_member(*entry, "file")).lexically_normal() : fs::path();
    if (!directory.is_absolute() || files::contains(root, file) || files::is_there(file) ||
        files::is_there(directory)) {
      entries = max_entries;
    } else {
      found = former_root(file, root);
    }
  });
  return found;
}

}  // namespace

std::vector<std::string> flags_in_lines(std::string_view text) {
  std::vector<std::string> flags;
  for (const std::string_view line : split(text, '\n')) {
    if (const std::string_view flag = trim(line); !flag.empty()) flags.emplace_back(flag);
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

Result<std::size_t> write_filtered_database(const std::string& database, const std::string& folder,
                                            const std::string& root) {
  if (database.empty()) return {boost::system::in_place_value, std::size_t{0}};
  Result<std::string> text = files::read_regular_file(database, max_database);
  if (!text) return text.error();
  const fs::path path = database;
  const bool is_flags = path.filename() == flags_file;
  std::size_t left_out = 0;
  const Result<std::string> filtered =
      is_flags ? filtered_flags(*text, path.parent_path(), left_out)
               : filtered_commands(in_this_checkout(*std::move(text), root), path.parent_path(), left_out);
  if (!filtered) {
    return Error{fmt::format("cannot read {}: {}", table::quoted(database), filtered.error().message),
                 "fix it, or pass --trust-project if you trust the project"};
  }
  const Result<void> written =
      write_database((fs::path(folder) / (is_flags ? flags_file : commands_file)).string(), *filtered);
  if (!written) return written.error();
  return {boost::system::in_place_value, left_out};
}

Result<void> write_database(const std::string& file, std::string_view text) {
  const Result<std::string> before = files::read_regular_file(file, max_database);
  if (before && *before == text) return {};
  const fs::path fresh = file + fmt::format(".{}", ::getpid());
  std::error_code error;
  fs::remove(fresh, error);
  // Not through a link: a server may write there.
  const Descriptor created(::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  const bool is_written = files::write_all(created, text);
  if (is_written) fs::rename(fresh, file, error);
  if (!is_written || error) {
    std::error_code ignored;
    fs::remove(fresh, ignored);
    return Error{fmt::format("cannot write {}", table::quoted(file)),
                 "set TMPDIR and XDG_CACHE_HOME to folders that may be written and have room"};
  }
  return {};
}

bool is_of_another_checkout(const fs::path& database, const fs::path& root) {
  std::string start(max_start, '\0');
  std::ifstream stream(database, std::ios::binary);
  stream.read(start.data(), max_start);
  start.resize(static_cast<std::size_t>(stream.gcount()));
  return !former_root_in(start, root).empty();
}

std::string in_this_checkout(std::string json, const fs::path& root) {
  const std::string from = former_root_in(json, root);
  // Not where a longer name goes on.
  const RE2 name(RE2::QuoteMeta(from) + R"(([^\w.-]|$))", RE2::Latin1);
  if (!from.empty()) RE2::GlobalReplace(&json, name, root.string() + R"(\1)");
  return json;
}

}  // namespace symbols::servers
