# SPDX-License-Identifier: Apache-2.0
# Debian's GROMACS.
find_program(TULLE_GROMACS NAMES gmx PATHS /usr/bin NO_DEFAULT_PATH)
if(TULLE_GROMACS)
  add_test(NAME programs/molecules
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/run.py
      --gmx ${TULLE_GROMACS} --runtime ${TULLE_RUNTIME_DIR})
  set_tests_properties(programs/molecules PROPERTIES TIMEOUT 600 LABELS programs)
endif()
