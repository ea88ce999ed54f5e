# symbols_warnings: linked by every target of ours; what it asks for must stay silent.
add_library(symbols_warnings INTERFACE)
target_compile_options(symbols_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # gcc 12 sees overlapping copies in `"text" + std::string` where there are none (GCC bug 105651).
  target_compile_options(symbols_warnings INTERFACE -Wno-restrict)
  # And members of aggregates in an array as not initialised, where others before them are vectors: tables of
  # cases in tests (GCC bug 105562 and its like).
  # With -O1, as tests are compiled, it also reckons with strings that `std::string + "text"` has just made room for as if
  # it had not.
  set(SYMBOLS_TEST_WARNINGS -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # RapidJSON 1.1 has iterators that C++20 may compare in two ways.
  # Its -Wconversion also has what gcc calls -Wsign-conversion, which is not in gcc's.
  target_compile_options(symbols_warnings INTERFACE -Wno-ambiguous-reversed-operator -Wno-sign-conversion)
endif()
if(CMAKE_UNITY_BUILD)
  # What a source names for itself is no longer its own there: a name in one's unnamed namespace is shadowed in another, and a
  # type of one is taken for a header's. The dev preset and the lint test compile each source alone and see the true cases.
  target_compile_options(symbols_warnings INTERFACE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()
option(SYMBOLS_WERROR "Treat warnings as errors" OFF)
if(SYMBOLS_WERROR)
  target_compile_options(symbols_warnings INTERFACE -Werror)
endif()
