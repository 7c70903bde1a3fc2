# SPDX-License-Identifier: Apache-2.0
# Task graphs that are recorded (include/tulle/graph.h) or built (task_graph.h), in each language by each compiler: on Tulle with
# 1 to 64 threads, and on the compiler's own runtime, where nothing is replayed.
function(tulle_graph_program name compiler source)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/graph_${name})
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${folder}/program
    COMMAND timeout 300 ${compiler} -O2 -fopenmp -I${PROJECT_SOURCE_DIR}/include -I${TULLE_SUPPORT_DIR} ${ARGN} -o ${folder}/program
    DEPENDS ${CMAKE_CURRENT_LIST_DIR}/${source} ${TULLE_SUPPORT_HEADERS}
            ${PROJECT_SOURCE_DIR}/include/tulle/graph.h ${PROJECT_SOURCE_DIR}/include/tulle/task_graph.h
            ${PROJECT_SOURCE_DIR}/include/tulle/tulle.F90 ${PROJECT_SOURCE_DIR}/include/tulle/task_graph.F90
    WORKING_DIRECTORY ${folder} VERBATIM)
  add_custom_target(graph_program_${name} ALL DEPENDS ${folder}/program)
endfunction()

function(tulle_graph_test name pattern)
  set(program ${CMAKE_CURRENT_BINARY_DIR}/graph_${name}/program)
  foreach(threads IN ITEMS 1 2 8 64)
    add_test(NAME abi/graph.${name}.${threads} COMMAND ${program} ${threads})
    set_tests_properties(abi/graph.${name}.${threads} PROPERTIES TIMEOUT 60
      ENVIRONMENT "LD_LIBRARY_PATH=${TULLE_RUNTIME_DIR}" PASS_REGULAR_EXPRESSION "${pattern}")
  endforeach()
  add_test(NAME abi/graph.${name}.elsewhere COMMAND ${program} 4)
  set_tests_properties(abi/graph.${name}.elsewhere PROPERTIES TIMEOUT 60
    PASS_REGULAR_EXPRESSION "^ *elsewhere\n$")
endfunction()

# What no graph can repeat runs as it is written, each time, with one line.
function(tulle_graph_left_out name case line)
  add_test(NAME abi/graph.left_out.${name}.${case}
    COMMAND ${CMAKE_CURRENT_BINARY_DIR}/graph_left_out_${name}/program ${case})
  set_tests_properties(abi/graph.left_out.${name}.${case} PROPERTIES TIMEOUT 60
    ENVIRONMENT "LD_LIBRARY_PATH=${TULLE_RUNTIME_DIR};OMP_NUM_THREADS=8;${ARGN}"
    PASS_REGULAR_EXPRESSION "^tulle: [^\n]*${line}[^\n]*\nright\n$")
endfunction()

# What is no graph runs nothing, and one line says why.
function(tulle_graph_not_built name case line)
  add_test(NAME abi/graph.not_built.${name}.${case}
    COMMAND ${CMAKE_CURRENT_BINARY_DIR}/graph_built_${name}_c/program ${case})
  set_tests_properties(abi/graph.not_built.${name}.${case} PROPERTIES TIMEOUT 60
    ENVIRONMENT "LD_LIBRARY_PATH=${TULLE_RUNTIME_DIR}" PASS_REGULAR_EXPRESSION "^tulle: [^\n]*${line}[^\n]*\n$")
endfunction()

# Programs that say nothing of their graphs.
function(tulle_graph_repeated name compiler)
  tulle_graph_program(repeated_${name} ${compiler} graph_repeated.c -x c -std=gnu17 ${ARGN}
    ${CMAKE_CURRENT_LIST_DIR}/graph_repeated.c)
  foreach(threads IN ITEMS 1 2 8 64)
    foreach(mode IN ITEMS auto off)
      set(test abi/graph.repeated.${name}.${threads}.${mode})
      add_test(NAME ${test} COMMAND ${CMAKE_CURRENT_BINARY_DIR}/graph_repeated_${name}/program ${threads})
      set(pattern "none replayed\n$")
      if(mode STREQUAL auto)
        set(pattern "(many|few) replayed\n$")
      endif()
      set_tests_properties(${test} PROPERTIES TIMEOUT 120 PASS_REGULAR_EXPRESSION "${pattern}"
        ENVIRONMENT "LD_LIBRARY_PATH=${TULLE_RUNTIME_DIR};TULLE_TASK_GRAPH=${mode}")
    endforeach()
  endforeach()
  if(NOT TARGET tulle_command)
    return()
  endif()
  foreach(other IN ITEMS 0 1)
    tulle_graph_program(small_${other}_${name} ${compiler} graph_small.c -x c -std=gnu17 ${ARGN} -DOTHER=${other}
      ${CMAKE_CURRENT_LIST_DIR}/graph_small.c)
  endforeach()
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/graph_file_${name})
  add_test(NAME abi/graph.file.${name}
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/graph_file.py
            ${CMAKE_CURRENT_BINARY_DIR}/graph_small_0_${name}/program
            ${CMAKE_CURRENT_BINARY_DIR}/graph_small_1_${name}/program
            $<TARGET_FILE:tulle_command> ${TULLE_RUNTIME_DIR} ${CMAKE_CURRENT_BINARY_DIR}/graph_file_${name})
  set_tests_properties(abi/graph.file.${name} PROPERTIES TIMEOUT 300)
endfunction()

set(warnings -Wall -Wextra -Werror)
foreach(compiler IN ITEMS GCC CLANG)
  string(TOLOWER ${compiler} name)
  if(TULLE_${compiler}_C)
    tulle_graph_program(${name}_c ${TULLE_${compiler}_C} graph.c -x c -std=gnu17 ${warnings}
      ${CMAKE_CURRENT_LIST_DIR}/graph.c)
    tulle_graph_test(${name}_c "^replayed\n$")
    tulle_graph_repeated(${name} ${TULLE_${compiler}_C} ${warnings})
    tulle_graph_program(built_${name}_c ${TULLE_${compiler}_C} task_graph.c -x c -std=gnu17 ${warnings}
      ${CMAKE_CURRENT_LIST_DIR}/task_graph.c)
    tulle_graph_test(built_${name}_c "^replayed\n$")
    tulle_graph_not_built(${name} twice "two of its tasks have the same identifier")
    tulle_graph_not_built(${name} bound "a loop's counter is not below its bound")
    tulle_graph_not_built(${name} construct "a construct's number or")
    tulle_graph_not_built(${name} unknown "a dependence names a task that it does not have")
    tulle_graph_not_built(${name} order "a task follows one that was not added before it")
    tulle_graph_not_built(${name} late "a task graph that has run is complete")
  endif()
  if(TULLE_${compiler}_CXX)
    tulle_graph_program(${name}_cxx ${TULLE_${compiler}_CXX} graph.c -x c++ -std=c++20 ${warnings}
      ${CMAKE_CURRENT_LIST_DIR}/graph.c)
    tulle_graph_test(${name}_cxx "^replayed\n$")
    tulle_graph_program(built_${name}_cxx ${TULLE_${compiler}_CXX} task_graph.c -x c++ -std=c++20 ${warnings}
      ${CMAKE_CURRENT_LIST_DIR}/task_graph.c)
    tulle_graph_test(built_${name}_cxx "^replayed\n$")
    tulle_graph_program(left_out_${name} ${TULLE_${compiler}_CXX} graph_left_out.cpp -std=c++20 ${warnings}
      ${CMAKE_CURRENT_LIST_DIR}/graph_left_out.cpp)
    tulle_graph_left_out(${name} detach "a task of it has an event")
    tulle_graph_left_out(${name} object "a task of it copies an object")
    tulle_graph_left_out(${name} taskloop "it has a taskloop")
    tulle_graph_left_out(${name} reduction "it reduces over tasks")
    tulle_graph_left_out(${name} inside "it has another one inside")
    tulle_graph_left_out(${name} built "it runs a graph that the program builds")
    tulle_graph_left_out(${name} cancel "OMP_CANCELLATION is on" OMP_CANCELLATION=true)
    if(compiler STREQUAL GCC)  # what Clang makes of one is a task as any other
      tulle_graph_left_out(${name} target "it has a target construct")
    endif()
    tulle_graph_left_out(${name} asked "the program asks for it")
    tulle_graph_left_out(${name} unended "the task that began it did not end it")
    tulle_graph_left_out(${name} end "ends a task graph that it did not begin")
  endif()
  if(TULLE_${compiler}_FORTRAN)
    tulle_graph_program(${name}_fortran ${TULLE_${compiler}_FORTRAN} graph.f90
      ${PROJECT_SOURCE_DIR}/include/tulle/tulle.F90 ${CMAKE_CURRENT_LIST_DIR}/graph.f90)
    set(replayed "^ *replayed\n$")
    if(compiler STREQUAL CLANG)
      set(replayed "^tulle: [^\n]*flang frees what its tasks capture[^\n]*\n *elsewhere\n$")
    endif()
    tulle_graph_test(${name}_fortran "${replayed}")
    tulle_graph_program(built_${name}_fortran ${TULLE_${compiler}_FORTRAN} task_graph.f90
      ${PROJECT_SOURCE_DIR}/include/tulle/tulle.F90 ${PROJECT_SOURCE_DIR}/include/tulle/task_graph.F90
      ${CMAKE_CURRENT_LIST_DIR}/task_graph.f90)
    tulle_graph_test(built_${name}_fortran "^ *replayed\n$")
    add_test(NAME abi/graph.not_built.${name}_fortran
      COMMAND ${CMAKE_CURRENT_BINARY_DIR}/graph_built_${name}_fortran/program 0)
    set_tests_properties(abi/graph.not_built.${name}_fortran PROPERTIES TIMEOUT 60
      ENVIRONMENT "LD_LIBRARY_PATH=${TULLE_RUNTIME_DIR}"
      PASS_REGULAR_EXPRESSION "^tulle: [^\n]*a loop's counter is not below its bound[^\n]*\n$")
  endif()
endforeach()
