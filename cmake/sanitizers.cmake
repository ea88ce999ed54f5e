# -DSYMBOLS_SANITIZE=address,undefined; for every target, so that no library is left out.
if(SYMBOLS_SANITIZE)
  add_compile_options(-fsanitize=${SYMBOLS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SYMBOLS_SANITIZE})
endif()
