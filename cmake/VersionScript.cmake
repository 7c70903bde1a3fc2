# SPDX-License-Identifier: Apache-2.0
# tulle_version_script(OUTPUT MAP...): joins the version nodes of the interface layers into one
# linker script. The maps hold nodes with `global:` only; what no node names is local, which the
# node of the extension API, added last, says once.
function(tulle_version_script output)
  set(script "")
  foreach(map IN LISTS ARGN)
    set(map ${CMAKE_CURRENT_SOURCE_DIR}/${map})
    if(NOT EXISTS ${map})
      continue()
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${map})
    file(READ ${map} text)
    if(text MATCHES "local[ \t\n]*:")
      message(FATAL_ERROR "${map}: a `local:` part belongs to the generated script alone")
    endif()
    string(APPEND script "${text}\n")
  endforeach()
  string(APPEND script "TULLE_1.0 {\n  global: tulle_*; alpi_*;\n  local: *;\n};\n")
  file(CONFIGURE OUTPUT ${output} CONTENT "${script}" @ONLY)
endfunction()
