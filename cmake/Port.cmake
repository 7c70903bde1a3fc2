# SPDX-License-Identifier: Apache-2.0
# Whose user-level threads stand under the runtime's: a folder of src/ult that has ult/port.h. tulle_port is what that
# needs beside it.
set(TULLE_ULT native CACHE STRING "User-level threads under the runtime's: a folder of src/ult")
if(NOT EXISTS ${PROJECT_SOURCE_DIR}/src/ult/${TULLE_ULT}/ult/port.h)
  message(FATAL_ERROR "TULLE_ULT is ${TULLE_ULT}: src/ult/${TULLE_ULT} has no ult/port.h")
endif()
add_library(tulle_port INTERFACE)
if(TULLE_ULT STREQUAL "argobots")
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(argobots IMPORTED_TARGET argobots)
  if(NOT argobots_FOUND)
    message(FATAL_ERROR "TULLE_ULT is argobots: pkg-config does not find argobots (PKG_CONFIG_PATH names its lib/pkgconfig)")
  endif()
  target_link_libraries(tulle_port INTERFACE PkgConfig::argobots)
endif()
