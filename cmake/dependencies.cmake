# Everything that we build on. Debian 12: see scripts/setup for the package names.
# Debian's boost 1.81 lies beside its default 1.74, which is too old for Process v2.
find_package(Boost 1.81 CONFIG REQUIRED COMPONENTS filesystem)
find_package(Threads REQUIRED)
find_package(RapidJSON REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)

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
  find_library(RE2_LIBRARY re2 REQUIRED)
  find_path(RE2_INCLUDE_DIR re2/re2.h REQUIRED)
  target_link_libraries(symbols_re2 INTERFACE ${RE2_LIBRARY} Threads::Threads)
  target_include_directories(symbols_re2 SYSTEM INTERFACE ${RE2_INCLUDE_DIR})
endif()

# Debian's CMake package of md4c fails without the library that writes HTML, which we do not need.
find_library(MD4C_LIBRARY md4c REQUIRED)
find_path(MD4C_INCLUDE_DIR md4c.h REQUIRED)
add_library(symbols_md4c INTERFACE)
target_link_libraries(symbols_md4c INTERFACE ${MD4C_LIBRARY})
target_include_directories(symbols_md4c SYSTEM INTERFACE ${MD4C_INCLUDE_DIR})

find_package(PkgConfig REQUIRED)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3>=3.35)
add_library(symbols_sqlite INTERFACE)
target_link_libraries(symbols_sqlite INTERFACE PkgConfig::SQLITE)

# Only its header: what it has is compiled in.
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
add_library(symbols_xxhash INTERFACE)
target_include_directories(symbols_xxhash SYSTEM INTERFACE ${XXHASH_INCLUDE_DIR})
