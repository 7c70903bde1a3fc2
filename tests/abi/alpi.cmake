# SPDX-License-Identifier: Apache-2.0
# ALPI 1.2, by both compilers, with 1 to 64 threads, with polling and sleeping workers.
function(tulle_alpi_test name compiler)
  set(program ${CMAKE_CURRENT_BINARY_DIR}/alpi_${name})
  add_custom_command(OUTPUT ${program}
    COMMAND timeout 300 ${compiler} -std=gnu17 -O2 -Wall -Wextra -Werror -fopenmp
            -I${PROJECT_SOURCE_DIR}/include ${CMAKE_CURRENT_LIST_DIR}/alpi.c
            ${TULLE_RUNTIME_DIR}/libgomp.so.1 -pthread -o ${program}
    DEPENDS tulle ${CMAKE_CURRENT_LIST_DIR}/alpi.c ${PROJECT_SOURCE_DIR}/include/tulle/alpi.h VERBATIM)
  add_custom_target(alpi_program_${name} ALL DEPENDS ${program})
  foreach(threads IN ITEMS 1 2 8 64)
    foreach(policy IN ITEMS passive active)
      add_test(NAME abi/alpi.${name}.${threads}.${policy} COMMAND ${program} ${threads})
      set_tests_properties(abi/alpi.${name}.${threads}.${policy} PROPERTIES
        TIMEOUT 60 PASS_REGULAR_EXPRESSION "^told\n$"
        ENVIRONMENT "LD_LIBRARY_PATH=${TULLE_RUNTIME_DIR};OMP_WAIT_POLICY=${policy}")
    endforeach()
  endforeach()
endfunction()

foreach(compiler IN ITEMS GCC CLANG)
  if(TULLE_${compiler}_C)
    string(TOLOWER ${compiler} name)
    tulle_alpi_test(${name} ${TULLE_${compiler}_C})
  endif()
endforeach()
