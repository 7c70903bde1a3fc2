# SPDX-License-Identifier: Apache-2.0
# Debian's numpy on Debian's OpenBLAS for OpenMP.
find_program(TULLE_DEBIAN_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
file(GLOB openblas /usr/lib/*-linux-gnu/openblas-openmp)
if(TULLE_DEBIAN_PYTHON AND openblas AND EXISTS /usr/lib/python3/dist-packages/numpy)
  add_test(NAME programs/algebra
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/run.py
      --python ${TULLE_DEBIAN_PYTHON} --openblas ${openblas} --runtime ${TULLE_RUNTIME_DIR})
  set_tests_properties(programs/algebra PROPERTIES TIMEOUT 600 COST 10 LABELS programs)
endif()
