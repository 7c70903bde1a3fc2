# SPDX-License-Identifier: Apache-2.0
# The runtime once more for the wheel, out of the same objects: linked as on a system with glibc 2.17, with
# hwloc inside of the topology module, stripped, and with stubs for its other names. `portable` builds it all.
#
# Functions that glibc moved from libpthread and libdl into libc have a new version there; the old one,
# in the library where it was, is what every glibc has. So stubs of those two stand before libc.
set(portable_dir ${CMAKE_BINARY_DIR}/portable)
set(first_glibc GLIBC_2.2.5)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  set(first_glibc GLIBC_2.17)
endif()
set(moved_pthread pthread_attr_getstack pthread_attr_setguardsize pthread_attr_setstacksize pthread_create pthread_detach
  pthread_getattr_np pthread_getspecific pthread_join pthread_key_create pthread_key_delete pthread_kill
  pthread_once pthread_setspecific pthread_sigmask)
set(moved_dl dladdr dlclose dlerror dlopen dlsym dlvsym)

function(tulle_old_library target soname)
  list(JOIN ARGN "(void) {}\nvoid " functions)
  list(JOIN ARGN "; " names)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target})
  file(CONFIGURE OUTPUT ${folder}/${target}.c CONTENT "void ${functions}(void) {}\n" @ONLY)
  file(CONFIGURE OUTPUT ${folder}/${target}.map CONTENT "${first_glibc} { global: ${names}; };\n" @ONLY)
  add_library(${target} SHARED EXCLUDE_FROM_ALL ${folder}/${target}.c)
  set_target_properties(${target} PROPERTIES NO_SONAME ON LIBRARY_OUTPUT_DIRECTORY ${folder})
  target_compile_options(${target} PRIVATE -fno-builtin -w)
  target_link_options(${target} PRIVATE -nostdlib -Wl,-soname,${soname} -Wl,--version-script,${folder}/${target}.map)
endfunction()

tulle_old_library(old_pthread libpthread.so.0 ${moved_pthread})
tulle_old_library(old_dl libdl.so.2 ${moved_dl})

function(tulle_portable_properties target)
  set_target_properties(${target} PROPERTIES
    PREFIX "" LINKER_LANGUAGE CXX LIBRARY_OUTPUT_DIRECTORY ${portable_dir} SKIP_BUILD_RPATH ON)
  target_link_options(${target} PRIVATE -s -nodefaultlibs -Wl,--no-undefined -Wl,-z,now -Wl,-z,relro -Wl,-z,noexecstack)
endfunction()

add_library(tulle_portable SHARED EXCLUDE_FROM_ALL ${objects})
set_target_properties(tulle_portable PROPERTIES OUTPUT_NAME libgomp SUFFIX .so.1 NO_SONAME ON
  LINK_DEPENDS "${map};${aliases}")
tulle_portable_properties(tulle_portable)
target_link_options(tulle_portable PRIVATE -Wl,-soname,libgomp.so.1 -Wl,-z,nodelete
  -Wl,--version-script,${map} ${aliases})
target_link_libraries(tulle_portable PRIVATE old_pthread old_dl c gcc)
add_custom_target(portable DEPENDS tulle_portable)

# A program that asks for one of these by name gets what is loaded already: a stub of this name, with the
# versions that it may ask for, which needs the runtime.
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/other_name.c "")
file(STRINGS ${map} nodes REGEX "^[A-Za-z0-9_.]+ {")
set(node_script "")
foreach(node IN LISTS nodes)
  string(REGEX REPLACE " {.*" " {};\n" node "${node}")
  string(APPEND node_script "${node}")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/other_name.map CONTENT "${node_script}" @ONLY)
foreach(name IN ITEMS libomp.so.5 libiomp5.so)
  string(MAKE_C_IDENTIFIER other_${name} target)
  add_library(${target} SHARED EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/other_name.c)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} SUFFIX "" NO_SONAME ON INSTALL_RPATH "$ORIGIN"
    BUILD_WITH_INSTALL_RPATH ON)
  tulle_portable_properties(${target})
  set_target_properties(${target} PROPERTIES SKIP_BUILD_RPATH OFF LINKER_LANGUAGE C)
  target_link_options(${target} PRIVATE -nostartfiles -Wl,-soname,${name} -Wl,--no-as-needed
    -Wl,--version-script,${CMAKE_CURRENT_BINARY_DIR}/other_name.map)
  target_link_libraries(${target} PRIVATE tulle_portable)
  add_dependencies(portable ${target})
endforeach()

# Distributions' archives of hwloc are not position-independent; one that is (configure --enable-static --with-pic)
# can be given, and without it the wheel reads the machine's shape from the kernel's files.
set(TULLE_HWLOC_ARCHIVE "" CACHE FILEPATH "A position-independent libhwloc.a for the wheel")
if(TARGET tulle_topology_module AND TULLE_HWLOC_ARCHIVE)
  add_library(tulle_topology_portable MODULE EXCLUDE_FROM_ALL
    topology/hwloc/module.cpp ${PROJECT_SOURCE_DIR}/packaging/wheel/hwloc_needs.c)
  set_target_properties(tulle_topology_portable PROPERTIES OUTPUT_NAME libtulle-topology C_VISIBILITY_PRESET hidden)
  tulle_portable_properties(tulle_topology_portable)
  target_include_directories(tulle_topology_portable PRIVATE ${HWLOC_INCLUDE_DIR})
  target_link_options(tulle_topology_portable PRIVATE -Wl,--exclude-libs,ALL)
  target_link_libraries(tulle_topology_portable PRIVATE tulle_runtime_flags ${TULLE_HWLOC_ARCHIVE} old_pthread old_dl c gcc)
  add_dependencies(portable tulle_topology_portable)
endif()
