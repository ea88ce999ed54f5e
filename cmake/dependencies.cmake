# Everything that we build on. Debian 12: see scripts/setup for the package names.
# How they are linked: `shared`; `bundled`, where only what releases of a distribution have in common is shared (libc, libstdc++,
# SQLite, md4c), so that one package fits several of them; or `static`, where nothing is and one file runs on any Linux.
set(SYMBOLS_LINK shared CACHE STRING "Link libraries: shared, bundled or static")
set_property(CACHE SYMBOLS_LINK PROPERTY STRINGS shared bundled static)
set(archive "")
if(SYMBOLS_LINK STREQUAL shared)
elseif(SYMBOLS_LINK MATCHES "^(bundled|static)$")
  set(archive ${CMAKE_STATIC_LIBRARY_SUFFIX})
  set(Boost_USE_STATIC_LIBS ON)
else()
  message(FATAL_ERROR "SYMBOLS_LINK is ${SYMBOLS_LINK}; it can be shared, bundled or static")
endif()
if(SYMBOLS_LINK STREQUAL static)
  if(CMAKE_POSITION_INDEPENDENT_CODE)
    # From cmake/hardening.cmake. gcc takes the last of its kind, and CMake's own `-pie` would undo `-static`.
    set(CMAKE_CXX_LINK_OPTIONS_PIE -static-pie)
  else()
    add_link_options(-static)
  endif()
  # See proxy/servers/trust_boundary.cc.
  add_compile_definitions(SYMBOLS_STATIC_LIBC)
endif()

# Debian's boost 1.81 lies beside its default 1.74, which is too old for Process v2.
find_package(Boost 1.81 CONFIG REQUIRED COMPONENTS filesystem)
find_package(Threads REQUIRED)
find_package(RapidJSON REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)

# Debian has no libfmt.a, but all of it in headers.
add_library(symbols_fmt INTERFACE)
if(archive)
  target_link_libraries(symbols_fmt INTERFACE fmt::fmt-header-only)
else()
  target_link_libraries(symbols_fmt INTERFACE fmt::fmt)
endif()

# Debian's RapidJSONConfig.cmake of 1.1.0 defines a variable, later ones a target: one name for both.
add_library(symbols_rapidjson INTERFACE)
target_include_directories(symbols_rapidjson SYSTEM INTERFACE ${RapidJSON_INCLUDE_DIRS} ${RAPIDJSON_INCLUDE_DIRS})
target_compile_definitions(symbols_rapidjson INTERFACE RAPIDJSON_HAS_STDSTRING=1)

# From Boost 1.86 Process is a compiled library with a target of its own; before, v2 is header-only.
add_library(symbols_boost_process INTERFACE)
target_link_libraries(symbols_boost_process INTERFACE Boost::headers Boost::filesystem Threads::Threads)
if(TARGET Boost::process)
  target_link_libraries(symbols_boost_process INTERFACE Boost::process)
endif()

# Debian 12's libre2-dev has no CMake package, later ones have; these need more libraries, so their target comes first.
add_library(symbols_re2 INTERFACE)
find_package(re2 CONFIG QUIET)
if(TARGET re2::re2)
  target_link_libraries(symbols_re2 INTERFACE re2::re2)
else()
  set(name re2)
  if(archive)
    set(name libre2${archive})
  endif()
  find_library(RE2_LIBRARY ${name} REQUIRED)
  find_path(RE2_INCLUDE_DIR re2/re2.h REQUIRED)
  target_link_libraries(symbols_re2 INTERFACE ${RE2_LIBRARY} Threads::Threads)
  target_include_directories(symbols_re2 SYSTEM INTERFACE ${RE2_INCLUDE_DIR})
endif()

# Debian's CMake package of md4c fails without the library that writes HTML, which we do not need. Nor has Debian a libmd4c.a: it is
# compiled from the one source file that md4c has (scripts/package gets it from Debian's own source package).
set(SYMBOLS_MD4C_SOURCE "" CACHE FILEPATH "md4c.c, to link md4c statically")
find_path(MD4C_INCLUDE_DIR md4c.h REQUIRED)
add_library(symbols_md4c INTERFACE)
if(SYMBOLS_MD4C_SOURCE)
  enable_language(C)
  add_library(symbols_md4c_source STATIC "${SYMBOLS_MD4C_SOURCE}")
  set_target_properties(symbols_md4c_source PROPERTIES UNITY_BUILD OFF)
  target_link_libraries(symbols_md4c INTERFACE symbols_md4c_source)
else()
  set(name md4c)
  if(SYMBOLS_LINK STREQUAL static)
    set(name libmd4c${archive})
  endif()
  find_library(MD4C_LIBRARY ${name} REQUIRED)
  target_link_libraries(symbols_md4c INTERFACE ${MD4C_LIBRARY})
endif()
target_include_directories(symbols_md4c SYSTEM INTERFACE ${MD4C_INCLUDE_DIR})

find_package(PkgConfig REQUIRED)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3>=3.35)
add_library(symbols_sqlite INTERFACE)
if(SYMBOLS_LINK STREQUAL static)
  target_link_libraries(symbols_sqlite INTERFACE ${SQLITE_STATIC_LIBRARIES})
else()
  target_link_libraries(symbols_sqlite INTERFACE PkgConfig::SQLITE)
endif()

# Only its header: what it has is compiled in.
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
add_library(symbols_xxhash INTERFACE)
target_include_directories(symbols_xxhash SYSTEM INTERFACE ${XXHASH_INCLUDE_DIR})
