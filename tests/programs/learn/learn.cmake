# SPDX-License-Identifier: Apache-2.0
# scikit-learn, LightGBM, joblib and threadpoolctl from PyPI.
if(TULLE_PROGRAM_TESTS AND TARGET tulle_command)
  add_test(NAME programs/learn
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/run.py
      --tulle $<TARGET_FILE:tulle_command> --folder ${CMAKE_CURRENT_BINARY_DIR}/learn)
  set_tests_properties(programs/learn PROPERTIES TIMEOUT 900 LABELS programs)
endif()
