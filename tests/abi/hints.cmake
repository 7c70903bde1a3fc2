# SPDX-License-Identifier: Apache-2.0
# The hints of include/tulle, in each language by each compiler: on Tulle, on the compiler's own
# runtime, and on Tulle with TULLE_NO_HINTS. As any user would, the programs are built without Tulle.
find_program(TULLE_GCC_C NAMES gcc-12 gcc)
find_program(TULLE_GCC_CXX NAMES g++-12 g++)
find_program(TULLE_GCC_FORTRAN NAMES gfortran-12 gfortran)
find_program(TULLE_CLANG_C NAMES clang-22)
find_program(TULLE_CLANG_CXX NAMES clang++-22)
find_program(TULLE_CLANG_FORTRAN NAMES flang-22 flang-new-22)

set(include ${PROJECT_SOURCE_DIR}/include)
set(sources_C -x c -std=gnu17 -Wall -Wextra -Werror ${CMAKE_CURRENT_LIST_DIR}/hints.c)
set(sources_CXX -x c++ -std=c++20 -Wall -Wextra -Werror ${CMAKE_CURRENT_LIST_DIR}/hints.c)
set(sources_FORTRAN ${include}/tulle/tulle.F90 ${CMAKE_CURRENT_LIST_DIR}/hints.f90)

function(tulle_hint_program name compiler)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/hints/${name})
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${folder}/hints
    COMMAND timeout 300 ${compiler} -O2 -fopenmp -I${include} ${ARGN} -lm -o ${folder}/hints
    DEPENDS ${CMAKE_CURRENT_LIST_DIR}/hints.c ${CMAKE_CURRENT_LIST_DIR}/hints.f90
      ${include}/tulle/hints.h ${include}/tulle/tulle.F90
    WORKING_DIRECTORY ${folder} VERBATIM)
  set_property(DIRECTORY APPEND PROPERTY TULLE_HINT_PROGRAMS ${folder}/hints)
endfunction()

function(tulle_hint_test name program runtime pattern)
  add_test(NAME abi/hints.${name} COMMAND ${CMAKE_CURRENT_BINARY_DIR}/hints/${program}/hints)
  set_tests_properties(abi/hints.${name} PROPERTIES
    TIMEOUT 600 ENVIRONMENT "LD_LIBRARY_PATH=${runtime}" PASS_REGULAR_EXPRESSION "${pattern}")
endfunction()

foreach(compiler IN ITEMS GCC CLANG)
  foreach(language IN ITEMS C CXX FORTRAN)
    if(NOT TULLE_${compiler}_${language})
      continue()
    endif()
    string(TOLOWER ${compiler}_${language} name)
    tulle_hint_program(${name} ${TULLE_${compiler}_${language}} ${sources_${language}})
    tulle_hint_program(${name}_without ${TULLE_${compiler}_${language}} -DTULLE_NO_HINTS
      ${sources_${language}})
    tulle_hint_test(${name}.tulle ${name} ${TULLE_RUNTIME_DIR}
      "^tulle: tulle_set_load\\(-1\\): [^\n]*\n(tulle: [^\n]*no such policy[^\n]*\n)?14 members, policy 1\n$")
    tulle_hint_test(${name}.elsewhere ${name} "" "^14 members, policy 0\n$")
    tulle_hint_test(${name}.without ${name}_without ${TULLE_RUNTIME_DIR}
      "^14 members, policy 0\n$")
  endforeach()
endforeach()
# The headers are those of the oldest C that programs are written in.
foreach(compiler IN ITEMS GCC CLANG)
  if(TULLE_${compiler}_C)
    string(TOLOWER ${compiler} name)
    add_test(NAME abi/headers.${name}_c90
      COMMAND ${TULLE_${compiler}_C} -x c -std=c90 -pedantic -Wall -Wextra -Werror -fsyntax-only
              -I${include} -include tulle/hints.h -include tulle/tasks.h -include tulle/tulle.h
              -include tulle/policy.h -include tulle/suspend.h -include tulle/graph.h
              -include tulle/blocking.h /dev/null)
  endif()
endforeach()
get_property(programs DIRECTORY PROPERTY TULLE_HINT_PROGRAMS)
add_custom_target(hint_programs ALL DEPENDS ${programs})
