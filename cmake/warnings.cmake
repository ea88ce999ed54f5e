# symbols_warnings: linked by every target of ours; what it asks for must stay silent.
add_library(symbols_warnings INTERFACE)
target_compile_options(symbols_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # gcc 12 sees overlapping copies in `"text" + std::string` where there are none (GCC bug 105651).
  target_compile_options(symbols_warnings INTERFACE -Wno-restrict)
  # And members of aggregates in an array as not initialised, where others before them are vectors: tables of
  # cases in tests (GCC bug 105562 and its like).
  set(SYMBOLS_TEST_WARNINGS -Wno-maybe-uninitialized)
endif()
option(SYMBOLS_WERROR "Treat warnings as errors" OFF)
if(SYMBOLS_WERROR)
  target_compile_options(symbols_warnings INTERFACE -Werror)
endif()
