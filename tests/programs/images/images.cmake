# SPDX-License-Identifier: Apache-2.0
# Debian's ImageMagick.
find_program(TULLE_CONVERT NAMES convert-im6.q16 convert-im7.q16 PATHS /usr/bin NO_DEFAULT_PATH)
if(TULLE_CONVERT)
  add_test(NAME programs/images
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/run.py
      --convert ${TULLE_CONVERT} --runtime ${TULLE_RUNTIME_DIR})
  set_tests_properties(programs/images PROPERTIES TIMEOUT 600 LABELS programs)
endif()
