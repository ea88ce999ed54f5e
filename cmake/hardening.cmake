# What makes a mistake in memory a crash in place of an attack, for every target of an optimised build: the program reads what
# servers and projects that nobody trusts send. tests/scripts/hardening_test.sh looks for each in the program.
# Not under the sanitizers, which see more and do not go together with _FORTIFY_SOURCE.
option(SYMBOLS_HARDEN "Harden optimised builds: checked library calls, stack protector, PIE, RELRO, zeroed variables" ON)
if(NOT SYMBOLS_HARDEN OR SYMBOLS_SANITIZE)
  return()
endif()
include(CheckCXXCompilerFlag)
include(CheckPIESupported)

# Position-independent, so that addresses are random. (A static program: cmake/dependencies.cmake.)
check_pie_supported(LANGUAGES CXX)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# Lengths that the compiler knows are checked in memcpy, read and the like. Some distributions' compilers define a lower level.
# Not _GLIBCXX_ASSERTIONS, which checks the operators of strings and vectors too: bench/render takes 5 to 9% longer with it (table,
# tree; medians of 9 to 25 alternating runs), and 7% more instructions (callgrind). What passes the proxy takes as long as without.
add_compile_options($<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=3>)

# The stack: a canary before return addresses, each page touched in turn; a variable without a value is 0 rather than what was
# left of another. Not -fcf-protection: it holds only where all libraries have it, which those of Debian have not.
foreach(flag -fstack-protector-strong -fstack-clash-protection -ftrivial-auto-var-init=zero)
  string(MAKE_C_IDENTIFIER "SYMBOLS_HAS${flag}" has)
  check_cxx_compiler_flag(${flag} ${has})
  if(${has})
    add_compile_options(${flag})
  endif()
endforeach()

# The table of library functions is filled at the start and then read-only.
if(CMAKE_SYSTEM_NAME STREQUAL Linux)
  add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
endif()
