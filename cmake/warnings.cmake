# symbols_warnings: linked by every target of ours; what it asks for must stay silent.
add_library(symbols_warnings INTERFACE)
target_compile_options(symbols_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
option(SYMBOLS_WERROR "Treat warnings as errors" OFF)
if(SYMBOLS_WERROR)
  target_compile_options(symbols_warnings INTERFACE -Werror)
endif()
