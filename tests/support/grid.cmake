# SPDX-License-Identifier: Apache-2.0
# tulle_conformance_test(SOURCE
#   [CASE name]                 a further run of the same program, with settings of its own
#   [ENVIRONMENT VAR=value...]  settings of the run
#   [COUNTS n...]               thread counts in place of the grid; "-" sets no OMP_NUM_THREADS
#   [WITHOUT_GCC reason] [WITHOUT_CLANG reason]   compilers that do not take the source, and why
#   [OPTIONS flag...] [LABELS label...] [COUNT_TIMEOUT seconds]
#   [SERIAL]                    run beside no other test
#   [DEFAULT_WORKERS])          it is about as many workers as the runtime chooses: not those of TULLE_WORKERS
# Builds SOURCE with GCC and with Clang 22 (Flang 22 for .f90) as any user would, without Tulle, and
# runs it on the runtime in TULLE_RUNTIME_DIR. With TULLE_EXPECT_RUNTIME=0 any runtime will do.

# For another processor also: programs of TULLE_EMULATED_PART bear the label part, and the target
# emulated_part builds them.

set(TULLE_RUNTIME_DIR "${CMAKE_BINARY_DIR}/lib" CACHE PATH "Folder of the runtime under test")
set(TULLE_EXPECT_RUNTIME 1 CACHE STRING "1: tests fail on a runtime from elsewhere")
set(TULLE_GRID "1 2 4 16 64" CACHE STRING "Thread counts of the conformance tests")

find_program(TULLE_TIMEOUT timeout REQUIRED)
# For another processor: the cross compilers, and no Fortran of LLVM's, whose own library is this processor's.
# LLVM's OpenMP is not there for the other one, so Clang links the library under test in its place.
set(gcc_prefix "")
if(CMAKE_CROSSCOMPILING)
  set(gcc_prefix ${TULLE_TARGET}-)
  set(TULLE_CLANG_FLAGS --target=${TULLE_TARGET} -L${TULLE_RUNTIME_DIR})
  set(TULLE_CLANG_DEPENDS tulle)
else()
  find_program(TULLE_CLANG_FORTRAN NAMES flang-22 flang-new-22)
endif()
find_program(TULLE_GCC_C NAMES ${gcc_prefix}gcc-12 ${gcc_prefix}gcc REQUIRED)
find_program(TULLE_GCC_CXX NAMES ${gcc_prefix}g++-12 ${gcc_prefix}g++ REQUIRED)
find_program(TULLE_GCC_FORTRAN NAMES ${gcc_prefix}gfortran-12 ${gcc_prefix}gfortran)
find_program(TULLE_CLANG_C NAMES clang-22)
find_program(TULLE_CLANG_CXX NAMES clang++-22)
foreach(tool GCC_FORTRAN CLANG_C CLANG_CXX CLANG_FORTRAN)
  if(NOT TULLE_${tool})
    message(WARNING "TULLE_${tool} not found: its conformance programs are neither built nor run")
  endif()
endforeach()

function(tulle_conformance_test source)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SERIAL;DEFAULT_WORKERS" "CASE;WITHOUT_GCC;WITHOUT_CLANG;COUNT_TIMEOUT"
                        "ENVIRONMENT;COUNTS;OPTIONS;LABELS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${source}: unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  get_filename_component(extension ${source} LAST_EXT)
  if(extension STREQUAL ".c")
    set(language C)
    set(flags -std=gnu17 -Wall)
  elseif(extension STREQUAL ".cpp")
    set(language CXX)
    set(flags -std=c++20 -Wall)
  elseif(extension STREQUAL ".f90")
    set(language FORTRAN)
    set(flags)
    list(APPEND arg_LABELS fortran)
  else()
    message(FATAL_ERROR "${source}: no compiler for ${extension}")
  endif()
  foreach(compiler GCC CLANG)
    if(arg_WITHOUT_${compiler} OR NOT TULLE_${compiler}_${language})
      continue()
    endif()
    tulle_grid_program(program ${compiler} ${language} ${source} ${flags})
    if(source IN_LIST TULLE_EMULATED_PART)
      list(APPEND arg_LABELS part)
      set_property(GLOBAL APPEND PROPERTY TULLE_EMULATED_PROGRAMS ${program})
    endif()
    tulle_grid_run(${compiler} ${program})
  endforeach()
endfunction()

function(tulle_grid_program result compiler language source)
  string(TOLOWER ${compiler} folder)
  get_filename_component(suite "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
  string(REGEX REPLACE "\\.[^.]*$" "" name "${source}")
  set(program "${CMAKE_CURRENT_BINARY_DIR}/${folder}/${name}")
  set(${result} "${program}" PARENT_SCOPE)
  get_property(known DIRECTORY PROPERTY TULLE_GRID_PROGRAMS)
  if(program IN_LIST known)
    return()
  endif()
  set_property(DIRECTORY APPEND PROPERTY TULLE_GRID_PROGRAMS "${program}")
  get_filename_component(output_dir "${program}" DIRECTORY)
  file(MAKE_DIRECTORY "${output_dir}")
  set(module_dir)
  if(language STREQUAL FORTRAN)
    string(REPLACE "/" "_" modules "${name}")
    set(modules "${output_dir}/modules_${modules}")
    file(MAKE_DIRECTORY "${modules}")
    if(compiler STREQUAL GCC)
      set(module_dir "-J${modules}")
    else()
      set(module_dir -module-dir "${modules}")
    endif()
  endif()
  add_custom_command(
    OUTPUT "${program}"
    COMMAND "${TULLE_TIMEOUT}" 300 "${TULLE_${compiler}_${language}}" ${TULLE_${compiler}_FLAGS} -O2 -fopenmp ${ARGN}
            ${module_dir} "-I${TULLE_SUPPORT_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}/${source}"
            -o "${program}" -pthread -lm ${arg_OPTIONS}
    DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${source}" ${TULLE_SUPPORT_HEADERS} ${TULLE_${compiler}_DEPENDS}
    COMMENT "${TULLE_${compiler}_${language}} ${suite}/${source}"
    VERBATIM)
endfunction()

function(tulle_grid_run compiler program)
  string(TOLOWER ${compiler} label)
  get_filename_component(suite "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
  file(RELATIVE_PATH name "${CMAKE_CURRENT_BINARY_DIR}/${label}" "${program}")
  if(arg_CASE)
    string(APPEND name ".${arg_CASE}")
  endif()
  set(grid "${TULLE_GRID}")
  if(arg_COUNTS)
    string(REPLACE ";" " " grid "${arg_COUNTS}")
  endif()
  if(NOT arg_COUNT_TIMEOUT)
    set(arg_COUNT_TIMEOUT 60)
  endif()
  list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " emulator)
  add_test(NAME "${suite}/${name}.${label}"
           COMMAND "${TULLE_SUPPORT_DIR}/run_grid.sh" "${program}" ${arg_ENVIRONMENT})
  set_tests_properties("${suite}/${name}.${label}" PROPERTIES
    TIMEOUT 600
    RUN_SERIAL "${arg_SERIAL}"
    LABELS "${suite};${label};${arg_LABELS}"
    ENVIRONMENT "TULLE_GRID=${grid};TULLE_COUNT_TIMEOUT=${arg_COUNT_TIMEOUT};TULLE_RUNTIME_DIR=${TULLE_RUNTIME_DIR};TULLE_EXPECT_RUNTIME=${TULLE_EXPECT_RUNTIME};TULLE_EMULATOR=${emulator}")
  if(arg_DEFAULT_WORKERS)
    tulle_default_workers("${suite}/${name}.${label}")
  endif()
endfunction()

# The test runs without TULLE_WORKERS, which may be set for the whole suite.
function(tulle_default_workers test)
  set_property(TEST "${test}" PROPERTY ENVIRONMENT_MODIFICATION "TULLE_WORKERS=unset:")
endfunction()

# Called once at the end of each folder that defined tests.
function(tulle_grid_target name)
  get_property(programs DIRECTORY PROPERTY TULLE_GRID_PROGRAMS)
  add_custom_target(${name} ALL DEPENDS ${programs})
endfunction()
