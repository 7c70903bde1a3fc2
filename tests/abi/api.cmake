# SPDX-License-Identifier: Apache-2.0
# The omp_* routines: exports beside libomp's (gomp_exports.py covers libgomp's), and what each does
# when called from C, from Fortran, and outside of everything.
find_library(TULLE_SYSTEM_LIBOMP NAMES libomp.so.5 PATHS /usr/lib/llvm-22/lib /usr/lib/llvm-19/lib)
find_path(TULLE_CLANG_OMP_H NAMES omp.h
  PATHS /usr/lib/llvm-22/lib/clang/22/include NO_DEFAULT_PATH)
find_program(TULLE_CLANG_CPP NAMES clang-22 clang)
if(TULLE_SYSTEM_LIBOMP AND TULLE_CLANG_OMP_H AND TULLE_CLANG_CPP)
  add_test(NAME abi/api_exports
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/api_exports.py
      --nm ${CMAKE_NM} --library $<TARGET_FILE:tulle> --libomp ${TULLE_SYSTEM_LIBOMP}
      --clang ${TULLE_CLANG_CPP} --header ${TULLE_CLANG_OMP_H}/omp.h
      --omitted ${CMAKE_CURRENT_LIST_DIR}/api_exports.omitted)
  set_tests_properties(abi/api_exports PROPERTIES TIMEOUT 600)
else()
  message(WARNING "libomp or clang 22's omp.h not found: abi/api_exports is left out")
endif()

add_executable(api_calls
  ${CMAKE_CURRENT_LIST_DIR}/api_calls.cpp ${CMAKE_CURRENT_LIST_DIR}/api_calls_memory.cpp)
target_link_libraries(api_calls PRIVATE tulle_warnings tulle_sanitizer ${CMAKE_DL_LIBS})
add_test(NAME abi/api_calls
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/api_calls.py
    --nm ${CMAKE_NM} --library $<TARGET_FILE:tulle> --program $<TARGET_FILE:api_calls>)
set_tests_properties(abi/api_calls PROPERTIES TIMEOUT 600)

if(NOT TULLE_SANITIZE)
  add_test(NAME abi/api_loading
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/api_loading.py $<TARGET_FILE:tulle>)
  set_tests_properties(abi/api_loading PROPERTIES TIMEOUT 600)
endif()
