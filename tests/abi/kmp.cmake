# SPDX-License-Identifier: Apache-2.0
# The interface of Clang, Flang and Intel's compilers: exports beside libomp's.
find_library(TULLE_SYSTEM_LIBOMP NAMES libomp.so.5 PATHS /usr/lib/llvm-22/lib /usr/lib/llvm-19/lib)
if(TULLE_SYSTEM_LIBOMP)
  add_test(NAME abi/kmp_exports
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/kmp_exports.py
      --nm ${CMAKE_NM} --library $<TARGET_FILE:tulle> --libomp ${TULLE_SYSTEM_LIBOMP}
      --later ${CMAKE_CURRENT_LIST_DIR}/kmp_exports.later
      --omitted ${CMAKE_CURRENT_LIST_DIR}/kmp_exports.omitted)
  set_tests_properties(abi/kmp_exports PROPERTIES TIMEOUT 60)
else()
  message(WARNING "libomp not found: abi/kmp_exports is left out")
endif()
