# -DSYMBOLS_SANITIZE=address,undefined or thread; for every target, so that no library is left out.
if(SYMBOLS_SANITIZE)
  add_compile_options(-fsanitize=${SYMBOLS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(SYMBOLS_SANITIZE MATCHES thread AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # Asio has fences, which gcc's ThreadSanitizer does not see. Ours is one thread.
    add_compile_options(-Wno-tsan)
  endif()
  add_link_options(-fsanitize=${SYMBOLS_SANITIZE})
endif()
