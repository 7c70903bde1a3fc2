# SPDX-License-Identifier: Apache-2.0
# The interfaces for libraries whose calls block, Tulle's own and ALPI 1.2, by both compilers, with 1 to 64 threads,
# with polling and sleeping workers; Tulle's on the compiler's own runtime too, where it is not there.
function(tulle_suspend_test subject name compiler)
  set(program ${CMAKE_CURRENT_BINARY_DIR}/${subject}_${name})
  add_custom_command(OUTPUT ${program}
    COMMAND timeout 300 ${compiler} -std=gnu17 -O2 -Wall -Wextra -Werror -fopenmp
            -I${PROJECT_SOURCE_DIR}/include -I${TULLE_SUPPORT_DIR} ${CMAKE_CURRENT_LIST_DIR}/${subject}.c ${ARGN} -pthread -o ${program}
    DEPENDS tulle ${CMAKE_CURRENT_LIST_DIR}/${subject}.c ${PROJECT_SOURCE_DIR}/include/tulle/${subject}.h
            ${TULLE_SUPPORT_HEADERS} VERBATIM)
  add_custom_target(${subject}_program_${name} ALL DEPENDS ${program})
  foreach(threads IN ITEMS 1 2 8 64)
    foreach(policy IN ITEMS passive active)
      add_test(NAME abi/${subject}.${name}.${threads}.${policy} COMMAND ${program} ${threads})
      set_tests_properties(abi/${subject}.${name}.${threads}.${policy} PROPERTIES
        TIMEOUT 60 PASS_REGULAR_EXPRESSION "^told\n$"
        ENVIRONMENT "LD_LIBRARY_PATH=${TULLE_RUNTIME_DIR};OMP_WAIT_POLICY=${policy}")
      tulle_default_workers(abi/${subject}.${name}.${threads}.${policy})
    endforeach()
  endforeach()
endfunction()

foreach(compiler IN ITEMS GCC CLANG)
  if(TULLE_${compiler}_C)
    string(TOLOWER ${compiler} name)
    tulle_suspend_test(alpi ${name} ${TULLE_${compiler}_C} ${TULLE_RUNTIME_DIR}/libgomp.so.1)
    tulle_suspend_test(suspend ${name} ${TULLE_${compiler}_C})
    add_test(NAME abi/suspend.${name}.elsewhere COMMAND ${CMAKE_CURRENT_BINARY_DIR}/suspend_${name})
    set_tests_properties(abi/suspend.${name}.elsewhere PROPERTIES
      TIMEOUT 60 PASS_REGULAR_EXPRESSION "^elsewhere\n$")
  endif()
endforeach()
