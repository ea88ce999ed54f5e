# cmake --install: the program, its manual pages and completions, and what editors/ holds. CPack makes packages of the same.
include(GNUInstallDirs)
# Debian's zsh looks into vendor-completions instead.
set(SYMBOLS_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "Where zsh finds completions, below the prefix")

install(TARGETS symbols RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
# scripts/package writes it.
install(FILES ${PROJECT_BINARY_DIR}/THIRD-PARTY-NOTICES.txt DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(DIRECTORY editors/ DESTINATION ${CMAKE_INSTALL_DATADIR}/symbols/editors
  PATTERN node_modules EXCLUDE PATTERN dist EXCLUDE PATTERN bin EXCLUDE PATTERN *.vsix EXCLUDE PATTERN *.sh EXCLUDE PATTERN .*ignore EXCLUDE)
if(NOT SYMBOLS_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  set(made ${PROJECT_BINARY_DIR}/made)
  install(DIRECTORY ${made}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(FILES ${made}/completions/symbols DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${made}/completions/_symbols DESTINATION ${SYMBOLS_ZSH_DIR})
  install(FILES ${made}/completions/symbols.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_CONTACT "the symbols maintainers <symbols@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "symbols of source files, from language servers, as compact tables")
set(CPACK_PACKAGE_DESCRIPTION
  "Asks language servers for the symbols of source files and prints them as\ncompact tables, for people, scripts and language models. As symbols proxy it\nstands between a client and its language server.")
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "clangd, gopls, nodejs")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# What Debian asks of a package besides: compressed pages, a changelog, a copyright file.
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/debian/files.cmake)
include(CPack)
