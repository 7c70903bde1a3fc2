# SPDX-License-Identifier: Apache-2.0
# Registers runs of the fuzzer: include it, then call the function.

# tulle_fuzz(COMPILER FIRST LAST [further arguments of run.py])
function(tulle_fuzz compiler first last)
  string(TOUPPER ${compiler} tool)
  if(NOT TULLE_${tool}_C)
    return()
  endif()
  add_test(NAME "fuzz/${first}.${compiler}"
           COMMAND Python3::Interpreter "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/run.py" --seeds ${first}..${last}
                   --compiler ${compiler} --seconds 120
                   --runtime "${TULLE_RUNTIME_DIR}" ${ARGN})
  set_tests_properties("fuzz/${first}.${compiler}" PROPERTIES
    TIMEOUT 1200 COST 10 LABELS "fuzz;${compiler}")
endfunction()
