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
set_tests_properties(abi/gomp_exports PROPERTIES TIMEOUT 600)

# Programs that call the entry points by name. Those that GCC emits today are called through it in
# tests/conformance.
foreach(name IN ITEMS loops doacross old later next error offload)
  add_executable(gomp_${name} ${CMAKE_CURRENT_LIST_DIR}/gomp_${name}.c)
  target_compile_options(gomp_${name} PRIVATE -fopenmp -std=gnu17)
  target_include_directories(gomp_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
  target_link_libraries(gomp_${name} PRIVATE tulle tulle_warnings)
endforeach()

foreach(name IN ITEMS loops doacross old later next)
  foreach(threads IN ITEMS 1 2 4 16)
    add_test(NAME abi/gomp_${name}/${threads} COMMAND gomp_${name})
    set_tests_properties(abi/gomp_${name}/${threads} PROPERTIES
      TIMEOUT 600 ENVIRONMENT "OMP_NUM_THREADS=${threads};OMP_DYNAMIC=false")
  endforeach()
endforeach()

function(tulle_error_test how pattern)
  add_test(NAME abi/gomp_error/${how} COMMAND gomp_error ${how})
  set_tests_properties(abi/gomp_error/${how} PROPERTIES
    TIMEOUT 600 PASS_REGULAR_EXPRESSION "${pattern}")
endfunction()
tulle_error_test(directive "tulle: error directive encountered: from C\n.*went on")
tulle_error_test(plain "tulle: error directive encountered\n.*went on")
tulle_error_test(fortran "tulle: error directive encountered: from Fortran\n.*went on")
tulle_error_test(fatal "^tulle: fatal error: error directive encountered: last words\n$")

function(tulle_offload_test policy device pattern)
  set(test abi/gomp_offload/${policy}_${device})
  add_test(NAME ${test} COMMAND gomp_offload ${device})
  set_tests_properties(${test} PROPERTIES
    TIMEOUT 600 ENVIRONMENT OMP_TARGET_OFFLOAD=${policy} PASS_REGULAR_EXPRESSION "${pattern}")
endfunction()
foreach(device IN ITEMS default chosen host 3)
  tulle_offload_test(default ${device} "^ran on the host\n$")
  tulle_offload_test(disabled ${device} "^ran on the host\n$")
endforeach()
tulle_offload_test(mandatory host "^ran on the host\n$")
tulle_offload_test(mandatory chosen "^ran on the host\n$")
tulle_offload_test(mandatory default "^ran on the host\n$")
tulle_offload_test(mandatory 3 "^tulle: OMP_TARGET_OFFLOAD is mandatory, but there is no such device\n$")
