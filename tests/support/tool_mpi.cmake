# SPDX-License-Identifier: Apache-2.0
# tulle_tool_mpi_tests(LABEL SOURCE [HEADER...]): adds LABEL/mpi.MPI for each MPI that is there. The folder's mpi.py gets the
# command, the MPI, its mpirun, and the program.
function(tulle_tool_mpi_tests label source)
  get_filename_component(name ${source} NAME_WE)
  foreach(mpi IN ITEMS openmpi mpich)
    find_program(TULLE_MPICC_${mpi} NAMES mpicc.${mpi})
    find_program(TULLE_MPIRUN_${mpi} NAMES mpirun.${mpi})
    if(NOT TARGET tulle_mpi_${mpi} OR NOT TULLE_MPICC_${mpi} OR NOT TULLE_MPIRUN_${mpi})
      continue()
    endif()
    set(program ${CMAKE_CURRENT_BINARY_DIR}/${mpi}/${name})
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${mpi})
    add_custom_command(OUTPUT ${program}
      COMMAND ${TULLE_TIMEOUT} 300 ${TULLE_MPICC_${mpi}} -O2 -g -fopenmp -I${TULLE_SUPPORT_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${program}
      DEPENDS ${source} ${ARGN} ${TULLE_SUPPORT_HEADERS} VERBATIM)
    set_property(DIRECTORY APPEND PROPERTY TULLE_GRID_PROGRAMS ${program})
    add_test(NAME ${label}/mpi.${mpi}
      COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/mpi.py $<TARGET_FILE:tulle_command>
        ${mpi} ${TULLE_MPIRUN_${mpi}} ${program})
    set_tests_properties(${label}/mpi.${mpi} PROPERTIES LABELS "${label};mpi" TIMEOUT 300 PROCESSORS 2)
  endforeach()
endfunction()
