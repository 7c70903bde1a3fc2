# SPDX-License-Identifier: Apache-2.0
# Intel's MKL with its own threading layer, which asks for libiomp5.so.
if(TULLE_PROGRAM_TESTS)
  add_test(NAME programs/mkl
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/run.py
      --runtime ${TULLE_RUNTIME_DIR} --folder ${CMAKE_CURRENT_BINARY_DIR}/mkl)
  set_tests_properties(programs/mkl PROPERTIES TIMEOUT 900 LABELS programs)
endif()
