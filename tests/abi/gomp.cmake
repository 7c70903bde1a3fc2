# SPDX-License-Identifier: Apache-2.0
# The GCC interface: the export table beside that of the libgomp that this machine's GCC uses.
execute_process(
  COMMAND ${CMAKE_C_COMPILER} -print-file-name=libgomp.so
  OUTPUT_VARIABLE system_libgomp OUTPUT_STRIP_TRAILING_WHITESPACE)

add_test(NAME abi/gomp_exports
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/gomp_exports.py
    --nm ${CMAKE_NM} --library $<TARGET_FILE:tulle> --reference ${system_libgomp}
    --later ${CMAKE_CURRENT_LIST_DIR}/gomp_exports.later
    --omitted ${CMAKE_CURRENT_LIST_DIR}/gomp_exports.omitted)
set_tests_properties(abi/gomp_exports PROPERTIES TIMEOUT 60)
