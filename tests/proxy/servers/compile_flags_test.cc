#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/text.h"
#include "proxy/servers/filtered_database.h"
#include "proxy/servers/server_lookup.h"

namespace symbols::servers {
namespace compile_flags_test {

// "-DA -Iinc (1)": the allowed flags of a command line, and the number of others.
std::string allowed(const std::string& text) {
  const AllowedFlags result = allowed_compile_flags(split_command_line(text).value());
  return fmt::format("{} ({})", fmt::join(result.flags, " "), result.left_out);
}

TEST_CASE("flags that say what the sources mean are allowed, each as one word") {
  const std::pair<const char*, const char*> cases[] = {
      {"-I inc -Iother -isystem /usr/x -iquote q -idirafter d",
       "-Iinc -Iother -isystem/usr/x -iquoteq -idirafterd (0)"},
      {"-DA -D B=1 -U C -include pre.h", "-DA -DB=1 -UC -includepre.h (0)"},
      {"-std=c++20 -x c++ -xc++-header -target arm-none-eabi --target=x86_64-linux-gnu",
       "-std=c++20 -xc++ -xc++-header --target=arm-none-eabi --target=x86_64-linux-gnu (0)"},
      {"-isysroot /s --sysroot=/t --sysroot /u -nostdinc -nostdinc++",
       "-isysroot/s --sysroot=/t --sysroot=/u -nostdinc -nostdinc++ (0)"},
      {"-Wall -Wno-error=shadow -w -Wlarger-than=1 -O2 -O -Ofast",
       "-Wall -Wno-error=shadow -w -Wlarger-than=1 -O2 -O -Ofast (0)"},
      {"-fPIC -fno-rtti -fexceptions -fvisibility=hidden -fsanitize=address,undefined",
       "-fPIC -fno-rtti -fexceptions -fvisibility=hidden -fsanitize=address,undefined (0)"},
      {"-m32 -march=armv8-a+crc -mavx2 -mno-sse4.1 -pthread",
       "-m32 -march=armv8-a+crc -mavx2 -mno-sse4.1 -pthread (0)"},
      // Without influence, and not counted.
      {"-g -ggdb3 -c a.cpp -o a.o -MD -MF a.d -MT a.o -MMD -MP -pipe -Wl,-O1 -L/usr/lib -lm -shared --",
       " (0)"},
  };
  for (const auto& [text, expected] : cases) CHECK(allowed(text) == expected);
}

TEST_CASE("nothing else is") {
  constexpr std::string_view refused =
      "-serialize-diagnostics --serialize-diagnostics -fmodules -fmodules-cache-path=/x -fplugin=/x.so "
      "-fpass-plugin=/x.so -Xclang -Xpreprocessor -Xassembler -mllvm -Wp,-MD,/x -Wa,-o,/x -save-temps "
      "-save-temps=obj --save-temps -ftime-trace -ftime-trace=/x -fprofile-generate=/x "
      "-fprofile-instr-generate=/x -fcrash-diagnostics-dir=/x -index-store-path -dependency-file -MJ/x "
      "-fsave-optimization-record -foptimization-record-file=/x --config=/x @flags -I@flags "
      "-fsanitize-ignorelist=/x -fsanitize=/x -include-pch -include-pch=/x -isystem-after -I- -xir "
      "-fvisibility=/x -std=/x -O/x -no-integrated-as -B/x -specs=/x -resource-dir=/x --gcc-toolchain=/x "
      "-ivfsoverlay/x -working-directory=/x -fno-modules -mno-llvm -f -m -x -I -D -include -flto=/x "
      "-Wsystem-headers-in-module=a/b -### -cc1";
  for (const std::string_view flag : split(refused, ' '))
    CHECK_MESSAGE(allowed(std::string(flag)) == " (1)", flag);
  // The next word is the value of a flag, or a word of its own; it is never both.
  CHECK(allowed("-I -serialize-diagnostics /x") == " (1)");
  CHECK(allowed("-I @flags -isystem @flags -x @flags") == " (3)");
  CHECK(allowed("-o -serialize-diagnostics /x") == " (0)");
  CHECK(allowed("-Xclang -DA -Xclang -plugin") == "-DA (3)");
  CHECK(allowed("-I 'a\nb' -D \"\"") == " (2)");
}

TEST_CASE("a compiler is a name without a folder") {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"/usr/bin/c++", "-c"}, "c++"},
      {{"clang++-19"}, "clang++-19"},
      {{"/opt/x86_64-linux-gnu-g++-12"}, "x86_64-linux-gnu-g++-12"},
      {{"/usr/bin/ccache", "/opt/bin/gcc"}, "gcc"},
      {{"./hostile"}, "clang"},
      {{"clang-cl"}, "clang"},
      {{"-gcc"}, "clang"},
      {{"@gcc"}, "clang"},
      {{}, "clang"},
  };
  for (const auto& [command, expected] : cases) CHECK(allowed_compiler(command) == expected);
}

}  // namespace compile_flags_test
}  // namespace symbols::servers
