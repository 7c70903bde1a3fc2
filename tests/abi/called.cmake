# SPDX-License-Identifier: Apache-2.0
# Each exported entry is called by a test. What clang and flang emit needs their programs.
find_program(TULLE_CLANG_C NAMES clang-22)
find_program(TULLE_CLANG_FORTRAN NAMES flang-22 flang-new-22)

foreach(name IN ITEMS kmp_atomics kmp_entries kmp_settings gomp_entries)
  add_executable(${name} ${CMAKE_CURRENT_LIST_DIR}/${name}.c)
  target_compile_options(${name} PRIVATE -fopenmp -std=gnu17)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
  target_link_libraries(${name} PRIVATE tulle tulle_warnings)
  foreach(threads IN ITEMS 1 4)
    add_test(NAME abi/${name}/${threads} COMMAND ${name})
    set_tests_properties(abi/${name}/${threads} PROPERTIES
      TIMEOUT 600 ENVIRONMENT "OMP_NUM_THREADS=${threads};OMP_DYNAMIC=false")
  endforeach()
endforeach()

if(TULLE_CLANG_C AND TULLE_CLANG_FORTRAN)
  add_test(NAME abi/called
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/called.py
      --nm ${CMAKE_NM} --library $<TARGET_FILE:tulle> --api-calls $<TARGET_FILE:api_calls>
      --elsewhere ${CMAKE_CURRENT_LIST_DIR}/called.elsewhere
      ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} ${CMAKE_BINARY_DIR}/tests)
  set_tests_properties(abi/called PROPERTIES TIMEOUT 600 COST 20)
endif()
