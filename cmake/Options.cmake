# SPDX-License-Identifier: Apache-2.0
# Options of the build, the build type's flags, and the interface targets that carry them.
option(TULLE_WERROR "Treat warnings as errors" OFF)
option(TULLE_LTO "Link-time optimisation of the runtime" OFF)
option(TULLE_TESTS "Build the tests" ON)
option(TULLE_TOOLS "Build the tulle command and the demos" ON)
set(TULLE_SANITIZE "" CACHE STRING "Sanitizers of the build: address, undefined, both, thread or none")
set_property(CACHE TULLE_SANITIZE PROPERTY STRINGS "" address undefined address,undefined thread)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
foreach(lang IN ITEMS C CXX)
  set(CMAKE_${lang}_FLAGS_RELEASE "-O2 -g -DNDEBUG")
  set(CMAKE_${lang}_FLAGS_RELWITHDEBINFO "-O2 -g")
  set(CMAKE_${lang}_FLAGS_DEBUG "-Og -g")
  # Enough to name the place of a report, in half the compiler's time.
  if(TULLE_SANITIZE)
    set(CMAKE_${lang}_FLAGS_RELWITHDEBINFO "-O1 -g1")
  endif()
endforeach()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# The folder that holds the runtime under every name that a program may ask for.
set(TULLE_RUNTIME_DIR ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

add_library(tulle_warnings INTERFACE)
target_compile_options(tulle_warnings INTERFACE -Wall -Wextra $<$<BOOL:${TULLE_WERROR}>:-Werror>)

add_library(tulle_sanitizer INTERFACE)
if(TULLE_SANITIZE)
  target_compile_options(tulle_sanitizer INTERFACE
    -fsanitize=${TULLE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  target_link_options(tulle_sanitizer INTERFACE -fsanitize=${TULLE_SANITIZE})
endif()
if(TULLE_SANITIZE STREQUAL "thread")
  target_compile_definitions(tulle_sanitizer INTERFACE TULLE_UNDER_TSAN)
endif()
