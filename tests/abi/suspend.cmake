# SPDX-License-Identifier: Apache-2.0
# The interface for libraries whose calls block, by both compilers: on Tulle with 1 to 64 threads, with polling
# and sleeping workers, and on the compiler's own runtime, where it is not there.
function(tulle_suspend_test name compiler)
  set(program ${CMAKE_CURRENT_BINARY_DIR}/suspend_${name})
  add_custom_command(OUTPUT ${program}
    COMMAND timeout 300 ${compiler} -std=gnu17 -O2 -Wall -Wextra -Werror -fopenmp
            -I${PROJECT_SOURCE_DIR}/include ${CMAKE_CURRENT_LIST_DIR}/suspend.c -pthread -o ${program}
    DEPENDS ${CMAKE_CURRENT_LIST_DIR}/suspend.c ${PROJECT_SOURCE_DIR}/include/tulle/suspend.h VERBATIM)
  add_custom_target(suspend_program_${name} ALL DEPENDS ${program})
  foreach(threads IN ITEMS 1 2 8 64)
    foreach(policy IN ITEMS passive active)
      add_test(NAME abi/suspend.${name}.${threads}.${policy} COMMAND ${program} ${threads})
      set_tests_properties(abi/suspend.${name}.${threads}.${policy} PROPERTIES
        TIMEOUT 60 PASS_REGULAR_EXPRESSION "^told\n$"
        ENVIRONMENT "LD_LIBRARY_PATH=${TULLE_RUNTIME_DIR};OMP_WAIT_POLICY=${policy}")
    endforeach()
  endforeach()
  add_test(NAME abi/suspend.${name}.elsewhere COMMAND ${program})
  set_tests_properties(abi/suspend.${name}.elsewhere PROPERTIES
    TIMEOUT 60 PASS_REGULAR_EXPRESSION "^elsewhere\n$")
endfunction()

foreach(compiler IN ITEMS GCC CLANG)
  if(TULLE_${compiler}_C)
    string(TOLOWER ${compiler} name)
    tulle_suspend_test(${name} ${TULLE_${compiler}_C})
  endif()
endforeach()
