# Tests that are explored: run under many schedules, not under the one that happens.
#
#   list(APPEND CMAKE_MODULE_PATH /usr/local/share/unpick/cmake)
#   include(Unpick)
#   unpick_add_test(NAME TARGET PROGRAM
#     [ARGS argument...]       for the program
#     [STRATEGY name]          see `unpick explore --help`; by default auto
#     [TIME seconds] [RUNS n]  what to spend; by default a minute
#     [JOBS n]                 programs to run at once; by default 1, for ctest -j runs tests at once
#     [EXPECT_EXIT status]     of a run that passes; by default 0
#     [FAIL_ON race]           what else counts as a failure
#     [OPTIONS option...])     further ones of `unpick explore`
#
# `ctest` then builds the project once more, with `unpick cc` and `unpick c++` for compilers, into the folder `unpick` of the
# build folder (the test `unpick-build`, which the others require), and explores the PROGRAMs in it. So libraries of the
# project are seen, too, and an ordinary build takes no longer. Traces go to `unpick/out/NAME`. All of these tests have the
# label `unpick`.
#
# Needs CMake 3.19 and `unpick` in PATH; -DUNPICK=/path/to/unpick names another one. Where there is none, or with
# -DUNPICK=OFF, nothing is added, and that is said.

cmake_minimum_required(VERSION 3.19)

# As a script: the second build.
if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  # Compilers of one word each, whatever is in the tool's path.
  foreach(language cc c++)
    file(CREATE_LINK "${UNPICK}" "${FOLDER}/unpick-${language}" SYMBOLIC)
  endforeach()
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${FOLDER}/build" -C "${FOLDER}/cache.cmake" -G "${GENERATOR}"
    RESULT_VARIABLE failed)
  if(NOT failed)
    execute_process(COMMAND "${CMAKE_COMMAND}" --build "${FOLDER}/build" --parallel RESULT_VARIABLE failed)
  endif()
  if(failed)
    message(FATAL_ERROR "the project could not be built with Unpick")
  endif()
  return()
endif()

find_program(UNPICK unpick DOC "Runs tests under many schedules")

function(unpick_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 its "" "TARGET;STRATEGY;TIME;RUNS;JOBS;EXPECT_EXIT;FAIL_ON" "ARGS;OPTIONS")
  if(its_UNPARSED_ARGUMENTS OR its_KEYWORDS_MISSING_VALUES OR NOT its_TARGET)
    message(FATAL_ERROR "unpick_add_test(${name}): what is `${its_UNPARSED_ARGUMENTS}${its_KEYWORDS_MISSING_VALUES}`? "
      "NAME TARGET PROGRAM is needed; see ${CMAKE_CURRENT_FUNCTION_LIST_FILE}")
  endif()
  # The second build only has to say where its programs are.
  if(UNPICK_SECOND_BUILD)
    file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/programs/${name}" CONTENT "$<TARGET_FILE:${its_TARGET}>")
    return()
  endif()
  if(NOT UNPICK)
    message(STATUS "without unpick: the test ${name} is left out")
    return()
  endif()
  if(NOT its_JOBS)
    set(its_JOBS 1)
  endif()
  set(folder "${CMAKE_BINARY_DIR}/unpick")
  set(words --out "${folder}/out/${name}" --jobs "${its_JOBS}")
  foreach(option STRATEGY TIME RUNS EXPECT_EXIT FAIL_ON)
    if(DEFINED its_${option})
      string(TOLOWER "${option}" long)
      string(REPLACE "_" "-" long "${long}")
      list(APPEND words "--${long}" "${its_${option}}")
    endif()
  endforeach()
  list(APPEND words ${its_OPTIONS})
  if(its_ARGS)
    list(APPEND words -- ${its_ARGS})
  endif()
  add_test(NAME "${name}"
    COMMAND sh -c "tool=$1 program=$(cat \"$2\") && shift 2 && exec \"$tool\" explore \"$program\" \"$@\""
      sh "${UNPICK}" "${folder}/build/programs/${name}" ${words})
  set_tests_properties("${name}" PROPERTIES
    LABELS unpick FIXTURES_REQUIRED unpick-build PROCESSORS "${its_JOBS}")
  get_property(prepared GLOBAL PROPERTY UNPICK_PREPARED)
  if(NOT prepared)
    set_property(GLOBAL PROPERTY UNPICK_PREPARED ON)
    # When all that the project wants of the cache is known; also where the first such test is in a folder below.
    cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _unpick_prepare)
  endif()
endfunction()

# The second build, as a test that comes before the others, with what this one was told.
function(_unpick_prepare)
  set(folder "${CMAKE_BINARY_DIR}/unpick")
  # With assertions, whatever this build has.
  set(text "set(UNPICK_SECOND_BUILD ON CACHE BOOL \"\" FORCE)
set(UNPICK [==[${UNPICK}]==] CACHE FILEPATH \"\" FORCE)
set(CMAKE_BUILD_TYPE Debug CACHE STRING \"\" FORCE)
set(CMAKE_C_COMPILER [==[${folder}/unpick-cc]==] CACHE FILEPATH \"\" FORCE)
set(CMAKE_CXX_COMPILER [==[${folder}/unpick-c++]==] CACHE FILEPATH \"\" FORCE)
")
  set(of_cmake CMAKE_PREFIX_PATH CMAKE_MODULE_PATH CMAKE_TOOLCHAIN_FILE CMAKE_C_FLAGS CMAKE_CXX_FLAGS
    CMAKE_EXE_LINKER_FLAGS CMAKE_SHARED_LINKER_FLAGS CMAKE_C_STANDARD CMAKE_CXX_STANDARD)
  get_cmake_property(variables CACHE_VARIABLES)
  foreach(variable IN LISTS variables)
    get_property(type CACHE "${variable}" PROPERTY TYPE)
    if(type MATCHES "^(INTERNAL|STATIC)$" OR variable MATCHES "^UNPICK(_SECOND_BUILD)?$"
        OR variable MATCHES "^CMAKE_" AND NOT variable IN_LIST of_cmake)
      continue()
    endif()
    if(type STREQUAL "UNINITIALIZED")
      set(type STRING)
    endif()
    string(APPEND text "set(${variable} [==[$CACHE{${variable}}]==] CACHE ${type} \"\" FORCE)\n")
  endforeach()
  file(WRITE "${folder}/cache.cmake" "${text}")
  add_test(NAME unpick-build
    COMMAND "${CMAKE_COMMAND}" "-DUNPICK=${UNPICK}" "-DFOLDER=${folder}" "-DSOURCE=${CMAKE_SOURCE_DIR}"
      "-DGENERATOR=${CMAKE_GENERATOR}" -P "${CMAKE_CURRENT_FUNCTION_LIST_FILE}")
  set_tests_properties(unpick-build PROPERTIES LABELS unpick FIXTURES_SETUP unpick-build)
endfunction()
