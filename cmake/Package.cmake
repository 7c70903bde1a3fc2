# SPDX-License-Identifier: Apache-2.0
# What programs that use the extension API need to find it: tulle.pc, tulle-glt.pc and TulleConfig.cmake. They are the
# component `development`, and can be moved with the prefix.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Tulle)
# The library folder may be several levels deep: lib/x86_64-linux-gnu.
file(RELATIVE_PATH TULLE_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" TULLE_PC_TO_PREFIX "${TULLE_PC_TO_PREFIX}")

configure_file(${PROJECT_SOURCE_DIR}/cmake/tulle.pc.in ${CMAKE_BINARY_DIR}/tulle.pc @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/cmake/tulle-glt.pc.in ${CMAKE_BINARY_DIR}/tulle-glt.pc @ONLY)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/TulleConfig.cmake.in
  ${CMAKE_BINARY_DIR}/TulleConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/TulleConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)

install(FILES ${CMAKE_BINARY_DIR}/tulle.pc ${CMAKE_BINARY_DIR}/tulle-glt.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
install(FILES ${CMAKE_BINARY_DIR}/TulleConfig.cmake ${CMAKE_BINARY_DIR}/TulleConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT development)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tulle)
