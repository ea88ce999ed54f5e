# What a build from nothing takes; every user waits for one, for the first table comes after it. Most of it is the reading of
# the same headers for each source, not optimising: on the 185 sources of the program gcc 12 needed, of 100 seconds of
# processor time, 56 for parsing alone; 96 with -O2 in place of -O3; 73 with precompiled headers; 41 as a unity build.

# Sixteen sources are compiled as one, for which their unnamed namespaces must agree. Not in the dev preset: there each source
# is compiled alone, which shows an include that is missing, and one changed source is not compiled together with fifteen others.
option(CMAKE_UNITY_BUILD "Compile many sources as one" ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 16)

# Plain `cmake -B build` is for people who want the program.
get_property(several_build_types GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT CMAKE_BUILD_TYPE AND NOT several_build_types)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()

# symbols_compile_alone(FILE…): not together with others, of whatever target; paths from the project's folder.
set(SYMBOLS_COMPILED_ALONE "" CACHE STRING "Sources to compile alone in a unity build (scripts/mutate)")
function(symbols_compile_alone)
  foreach(file IN LISTS ARGN)
    string(REGEX MATCH "^[a-z]+" module ${file})
    set_source_files_properties(${PROJECT_SOURCE_DIR}/${file} TARGET_DIRECTORY symbols_${module}
      PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
endfunction()
