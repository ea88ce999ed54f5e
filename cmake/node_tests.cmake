# Tests that drive the finished program, written for Node.js's own test runner.
include_guard(DIRECTORY)
find_program(SYMBOLS_NODE node DOC "Node.js 18 or newer, runs the end-to-end tests")

# Empty, or what the end-to-end tests lack. They are left out then, and ctest tells at its end which it did not run; with
# SYMBOLS_REQUIRE_NODE_TESTS, as scripts/test has it, that is an error.
set(SYMBOLS_NODE_TESTS_LACK "")
if(NOT SYMBOLS_NODE)
  set(SYMBOLS_NODE_TESTS_LACK "Node.js is not here")
else()
  execute_process(COMMAND "${SYMBOLS_NODE}" --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  string(REGEX REPLACE "^v" "" version "${version}")
  if(version VERSION_LESS 18)
    set(SYMBOLS_NODE_TESTS_LACK "${SYMBOLS_NODE} is Node.js ${version}, older than 18")
  endif()
endif()
foreach(packages scripts/servers tests/npm)
  if(NOT SYMBOLS_NODE_TESTS_LACK AND NOT EXISTS "${PROJECT_SOURCE_DIR}/${packages}/node_modules")
    set(SYMBOLS_NODE_TESTS_LACK "${packages} has no npm packages (scripts/setup --tests installs them)")
  endif()
endforeach()
if(SYMBOLS_NODE_TESTS_LACK AND SYMBOLS_REQUIRE_NODE_TESTS)
  message(FATAL_ERROR "The end-to-end tests cannot run: ${SYMBOLS_NODE_TESTS_LACK}")
elseif(SYMBOLS_NODE_TESTS_LACK)
  message(STATUS "The end-to-end tests are left out: ${SYMBOLS_NODE_TESTS_LACK}")
endif()

# symbols_node_test(FILE.test.mjs [WITH name VARIABLE=value] [NEEDS program] [COST seconds] [PROCESSORS n] [SCRIPTED] [LABELS label…]):
# one ctest test, named after folder and file, and after the name, where one file is tested with several, for each of which it finds the
# variable set. Where the program that it needs is not there when it is run the test is skipped, which ctest tells at its end.
# COST is about how many seconds it takes beside others, 10 and more: the longest start first, and the others fill what these leave of
# the processors. What a test waits for has limits of its own; TIMEOUT ends a file that hangs all the same.
# PROCESSORS says how many of ctest's parallel jobs it takes. Those with the label slow run with scripts/test --slow alone; under
# sanitizers these are all that are not SCRIPTED: those whose server is mostly our own.
# What the file finds in its environment:
#   SYMBOLS                   path of the program under test
#   SYMBOLS_SERVERS_DIR       folder whose node_modules/ holds the TypeScript language servers
#   SYMBOLS_TEST_SOURCES_DIR  folder whose node_modules/ holds real TypeScript sources (zod, rxjs)
#   SYMBOLS_CLIENTS_DIR       folder whose node_modules/ holds real LSP clients, where SYMBOLS_CLIENT_TESTS is on
#   SYMBOLS_TIME_FACTOR       how many times slower than usual the program may be (sanitizers)
function(symbols_node_test file)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SCRIPTED" "COST;PROCESSORS;NEEDS" "LABELS;WITH")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "symbols_node_test(${file}): cannot use ${arg_UNPARSED_ARGUMENTS} ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  cmake_path(ABSOLUTE_PATH file OUTPUT_VARIABLE path)
  if(NOT EXISTS "${path}")
    message(FATAL_ERROR "symbols_node_test(${file}): no such file")
  endif()
  if(NOT arg_COST)
    set(arg_COST 1)
  endif()
  if(NOT arg_PROCESSORS)
    set(arg_PROCESSORS 1)
  endif()
  set(factor 1)
  if(SYMBOLS_SANITIZE)
    set(factor 4)
    if(NOT arg_SCRIPTED)
      list(APPEND arg_LABELS slow)
    endif()
  endif()

  cmake_path(GET path PARENT_PATH folder)
  cmake_path(GET folder FILENAME folder)
  cmake_path(GET path FILENAME name)
  string(REGEX REPLACE "\\.test\\.mjs$" "" name "${name}")
  set(test "${folder}: ${name}")
  set(setting "")
  if(arg_WITH)
    list(POP_FRONT arg_WITH with setting)
    string(APPEND test " (${with})")
    if(NOT setting MATCHES "^[A-Z_]+=." OR arg_WITH)
      message(FATAL_ERROR "symbols_node_test(${file}): WITH takes a name and VARIABLE=value")
    endif()
  endif()
  set(disabled FALSE)
  if(SYMBOLS_NODE_TESTS_LACK)
    set(disabled TRUE)
  endif()
  set(command "${SYMBOLS_NODE}" --test-reporter=spec "${path}")
  if(arg_NEEDS)
    list(PREPEND command sh -c [[test -e "$0" && exec "$@" || exit 77]] "${arg_NEEDS}")
  endif()
  add_test(NAME "${test}" COMMAND ${command})
  set_tests_properties("${test}" PROPERTIES
    TIMEOUT 2400
    COST ${arg_COST}
    PROCESSORS ${arg_PROCESSORS}
    DISABLED ${disabled}
    LABELS "${arg_LABELS}"
    SKIP_RETURN_CODE 77
    # All of the file's tests, as what they need is missing: that is no pass.
    SKIP_REGULAR_EXPRESSION "pass 0\n[^\n]*fail 0\n[^\n]*cancelled 0\n[^\n]*skipped [1-9]"
    ENVIRONMENT "SYMBOLS=$<TARGET_FILE:symbols>;SYMBOLS_SERVERS_DIR=${PROJECT_SOURCE_DIR}/scripts/servers;SYMBOLS_TEST_SOURCES_DIR=${PROJECT_SOURCE_DIR}/tests/npm;SYMBOLS_CLIENTS_DIR=${PROJECT_SOURCE_DIR}/tests/clients;SYMBOLS_TIME_FACTOR=${factor};${setting}")
endfunction()
