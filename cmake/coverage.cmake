# Which lines and branches run: clang's counters, read by scripts/coverage. For every target, so that no library is left out.
option(SYMBOLS_COVERAGE "Count what runs (preset coverage, scripts/coverage)" OFF)
if(SYMBOLS_COVERAGE)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    message(FATAL_ERROR "SYMBOLS_COVERAGE needs clang: cmake --preset coverage")
  endif()
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()
