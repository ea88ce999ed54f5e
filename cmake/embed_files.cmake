# Writes a C++ source with the texts of files, for symbols_embed_files below, which runs it as a script:
#   cmake -DOUTPUT=… -DFUNCTION=symbols::setup::editor_files -DHEADER=… -DFOLDER=… -DFILES=a,b/c -P embed_files.cmake
# Texts stand in raw string literals, of which a compiler needs to take no more than so many bytes.
if(CMAKE_SCRIPT_MODE_FILE)
  set(delimiter symbols_file)
  set(longest 65536)
  string(REPLACE "," ";" files "${FILES}")
  string(REGEX MATCH "^(.*)::([^:]+)$" ignored "${FUNCTION}")
  set(namespace "${CMAKE_MATCH_1}")
  set(name "${CMAKE_MATCH_2}")
  # The first entry is none: an array has at least one.
  set(source "// Made by cmake/embed_files.cmake.\n#include \"${HEADER}\"\n\nnamespace ${namespace} {\nnamespace {\n\nconstexpr EmbeddedFile ${name}_table[] = {\n    {},\n")
  foreach(file IN LISTS files)
    file(READ "${FOLDER}/${file}" text)
    string(FIND "${text}" ")${delimiter}\"" end)
    if(NOT end EQUAL -1)
      message(FATAL_ERROR "${FOLDER}/${file}: cannot be embedded: it has )${delimiter}\" in it")
    endif()
    string(LENGTH "${text}" length)
    if(length GREATER_EQUAL longest)
      message(FATAL_ERROR "${FOLDER}/${file}: cannot be embedded: it has ${length} bytes, a string literal fewer than ${longest}")
    endif()
    string(APPEND source "    {\"${file}\", R\"${delimiter}(${text})${delimiter}\"},\n")
  endforeach()
  string(APPEND source "};\n\n}  // namespace\n\nstd::span<const EmbeddedFile> ${name}() {\n  return std::span(${name}_table).subspan(1);\n}\n\n}  // namespace ${namespace}\n")
  file(WRITE "${OUTPUT}" "${source}")
  return()
endif()

# symbols_embed_files(OUTPUT FUNCTION HEADER FOLDER file…): OUTPUT, a source file, defines FUNCTION, which HEADER declares as
# std::span<const EmbeddedFile> FUNCTION(), and is made anew when one of the files below FOLDER changes.
set(SYMBOLS_EMBED_FILES_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")
function(symbols_embed_files output function header folder)
  list(TRANSFORM ARGN PREPEND "${folder}/" OUTPUT_VARIABLE paths)
  list(JOIN ARGN "," names)
  add_custom_command(OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" "-DFUNCTION=${function}" "-DHEADER=${header}" "-DFOLDER=${folder}" "-DFILES=${names}"
      -P "${SYMBOLS_EMBED_FILES_SCRIPT}"
    DEPENDS ${paths} "${SYMBOLS_EMBED_FILES_SCRIPT}"
    COMMENT "Embedding ${folder}"
    VERBATIM)
endfunction()
