# Writes a C++ source with the texts of files, for symbols_embed_files below, which runs it as a script:
#   cmake -DOUTPUT=… -DFOLDER=… -DFILES=a,b/c -P embed_files.cmake
# Texts stand in raw string literals, of which a compiler needs to take no more than so many bytes.
if(CMAKE_SCRIPT_MODE_FILE)
  set(delimiter symbols_file)
  set(longest 65536)
  string(REPLACE "," ";" files "${FILES}")
  set(source "// Made by cmake/embed_files.cmake.\n#include \"proxy/setup/editor_files.h\"\n\nnamespace symbols::setup {\nnamespace {\n\n")
  string(APPEND source "constexpr EditorFile files[] = {\n    {},\n")
  foreach(name IN LISTS files)
    file(READ "${FOLDER}/${name}" text)
    string(FIND "${text}" ")${delimiter}\"" end)
    if(NOT end EQUAL -1)
      message(FATAL_ERROR "${FOLDER}/${name}: cannot be embedded: it has )${delimiter}\" in it")
    endif()
    string(LENGTH "${text}" length)
    if(length GREATER_EQUAL longest)
      message(FATAL_ERROR "${FOLDER}/${name}: cannot be embedded: it has ${length} bytes, a string literal fewer than ${longest}")
    endif()
    string(APPEND source "    {\"${name}\", R\"${delimiter}(${text})${delimiter}\"},\n")
  endforeach()
  # The first entry is none: an array has at least one.
  string(APPEND source "};\n\n}  // namespace\n\nstd::span<const EditorFile> editor_files() {\n  return std::span(files).subspan(1);\n}\n\n")
  string(APPEND source "const EditorFile* editor_file(std::string_view name) {\n  for (const EditorFile& file : editor_files()) {\n    if (file.name == name) return &file;\n  }\n  return nullptr;\n}\n\n}  // namespace symbols::setup\n")
  file(WRITE "${OUTPUT}" "${source}")
  return()
endif()

# symbols_embed_files(OUTPUT FOLDER file…): OUTPUT, a source file, is made anew when one of the files below FOLDER changes.
set(SYMBOLS_EMBED_FILES_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")
function(symbols_embed_files output folder)
  list(TRANSFORM ARGN PREPEND "${folder}/" OUTPUT_VARIABLE paths)
  list(JOIN ARGN "," names)
  add_custom_command(OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" "-DFOLDER=${folder}" "-DFILES=${names}" -P "${SYMBOLS_EMBED_FILES_SCRIPT}"
    DEPENDS ${paths} "${SYMBOLS_EMBED_FILES_SCRIPT}"
    COMMENT "Embedding ${folder}"
    VERBATIM)
endfunction()
