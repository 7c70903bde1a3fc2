# SPDX-License-Identifier: Apache-2.0
# The interface of Clang, Flang and Intel's compilers: exports beside libomp's.
find_library(TULLE_SYSTEM_LIBOMP NAMES libomp.so.5 PATHS /usr/lib/llvm-22/lib /usr/lib/llvm-19/lib)
if(TULLE_SYSTEM_LIBOMP)
  add_test(NAME abi/kmp_exports
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/kmp_exports.py
      --nm ${CMAKE_NM} --library $<TARGET_FILE:tulle> --libomp ${TULLE_SYSTEM_LIBOMP}
      --later ${CMAKE_CURRENT_LIST_DIR}/kmp_exports.later
      --omitted ${CMAKE_CURRENT_LIST_DIR}/kmp_exports.omitted)
  set_tests_properties(abi/kmp_exports PROPERTIES TIMEOUT 600)
else()
  message(WARNING "libomp not found: abi/kmp_exports is left out")
endif()

# What programs with device code need of LLVM's offloading library.
find_library(TULLE_SYSTEM_LIBOMPTARGET NAMES libomptarget.so.22.1 PATHS /usr/lib/llvm-22/lib)
if(TULLE_SYSTEM_LIBOMPTARGET)
  add_test(NAME abi/target_exports
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/kmp_exports.py
      --nm ${CMAKE_NM} --library $<TARGET_FILE:tulle> --libomp ${TULLE_SYSTEM_LIBOMPTARGET} --node VERS1.0 --least 50
      --later ${CMAKE_CURRENT_LIST_DIR}/target_exports.later
      --omitted ${CMAKE_CURRENT_LIST_DIR}/target_exports.omitted)
  set_tests_properties(abi/target_exports PROPERTIES TIMEOUT 600)
else()
  message(WARNING "libomptarget not found: abi/target_exports is left out")
endif()

# Programs that call the entry points by name; what clang and flang emit today is in
# tests/conformance, which they build too.
foreach(name IN ITEMS regions loops simd tasks depend routines)
  add_executable(kmp_${name} ${CMAKE_CURRENT_LIST_DIR}/kmp_${name}.c)
  target_compile_options(kmp_${name} PRIVATE -fopenmp -std=gnu17)
  target_include_directories(kmp_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
  target_link_libraries(kmp_${name} PRIVATE tulle tulle_warnings)
  foreach(threads IN ITEMS 1 2 4 16)
    add_test(NAME abi/kmp_${name}/${threads} COMMAND kmp_${name})
    set_tests_properties(abi/kmp_${name}/${threads} PROPERTIES
      TIMEOUT 600 ENVIRONMENT "OMP_NUM_THREADS=${threads};OMP_DYNAMIC=false")
  endforeach()
endforeach()

# Code that Clang emits in one mode or for one construct only.
find_program(TULLE_CLANG_C NAMES clang-22)
find_program(TULLE_CLANG_CXX NAMES clang++-22)
set(conformance ${PROJECT_SOURCE_DIR}/tests/conformance)
set(kmp_programs)
function(tulle_kmp_clang_test name compiler source)
  set(program ${CMAKE_CURRENT_BINARY_DIR}/kmp_${name}_clang)
  add_custom_command(
    OUTPUT ${program}
    COMMAND timeout 300 ${compiler} -O2 -g -fopenmp -I${TULLE_SUPPORT_DIR} ${ARGN} ${source}
      -o ${program} -pthread
    DEPENDS ${source} ${TULLE_SUPPORT_HEADERS} VERBATIM)
  add_test(NAME abi/kmp_${name}.clang COMMAND ${TULLE_SUPPORT_DIR}/run_grid.sh ${program})
  set_tests_properties(abi/kmp_${name}.clang PROPERTIES
    TIMEOUT 600 ENVIRONMENT "TULLE_RUNTIME_DIR=${TULLE_RUNTIME_DIR};TULLE_EXPECT_RUNTIME=1")
  set(kmp_programs ${kmp_programs} ${program} PARENT_SCOPE)
endfunction()
if(TULLE_CLANG_C AND TULLE_CLANG_CXX)
  tulle_kmp_clang_test(untied ${TULLE_CLANG_C} ${CMAKE_CURRENT_LIST_DIR}/kmp_untied.c)
  tulle_kmp_clang_test(record ${TULLE_CLANG_C} ${CMAKE_CURRENT_LIST_DIR}/kmp_record.c)
  # threadprivate without thread-local storage
  foreach(source IN ITEMS persistence.c addresses.c)
    get_filename_component(name ${source} NAME_WE)
    tulle_kmp_clang_test(threadprivate_${name} ${TULLE_CLANG_C}
      ${conformance}/threadprivate/${source} -fnoopenmp-use-tls)
  endforeach()
  tulle_kmp_clang_test(threadprivate_classes ${TULLE_CLANG_CXX}
    ${conformance}/threadprivate/classes.cpp -fnoopenmp-use-tls -std=c++20)
  add_custom_target(kmp_clang_programs ALL DEPENDS ${kmp_programs})
else()
  message(WARNING "clang-22 not found: abi/kmp_*.clang are left out")
endif()
