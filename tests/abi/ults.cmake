# SPDX-License-Identifier: Apache-2.0
# What tulle/introspect.h says of ULTs.
add_executable(abi_ults ${CMAKE_CURRENT_LIST_DIR}/ults.c)
target_compile_options(abi_ults PRIVATE -fopenmp)
target_include_directories(abi_ults PRIVATE ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(abi_ults PRIVATE tulle tulle_warnings)
add_test(NAME abi/ults COMMAND abi_ults)
set_tests_properties(abi/ults PROPERTIES TIMEOUT 600
  PASS_REGULAR_EXPRESSION "^24 steps, 0 ULTs by calls, as many as wait by a barrier\n$")
