# -DSYMBOLS_SANITIZE=address,undefined; for every target, so that no library is left out.
if(SYMBOLS_SANITIZE)
  add_compile_options(-fsanitize=${SYMBOLS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  # Two fifths of what a compiler has to do are for these. ASan finds the same, but for objects of another class than their
  # pointer's, which take a cast: the program has none down to a class.
  add_compile_options(-fno-sanitize=null,object-size,vptr)
  add_link_options(-fsanitize=${SYMBOLS_SANITIZE})
endif()
# libFuzzer learns from the edges that an input reaches: every target counts them. Its main() comes with tests/fuzz alone.
if(SYMBOLS_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    message(FATAL_ERROR "SYMBOLS_FUZZ needs clang, for its libFuzzer: cmake --preset fuzz")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
  # RapidJSON 1.1 adds to null pointers and counts the leading zeros of 0, in its headers, which are compiled into everything.
  add_compile_options(-fno-sanitize=pointer-overflow,builtin)
endif()
