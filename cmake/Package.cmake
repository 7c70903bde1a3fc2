# SPDX-License-Identifier: Apache-2.0
# What programs that use the extension API need to find it: tulle.pc and TulleConfig.cmake.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Tulle)

configure_file(${PROJECT_SOURCE_DIR}/cmake/tulle.pc.in ${CMAKE_BINARY_DIR}/tulle.pc @ONLY)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/TulleConfig.cmake.in
  ${CMAKE_BINARY_DIR}/TulleConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/TulleConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)

install(FILES ${CMAKE_BINARY_DIR}/tulle.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${CMAKE_BINARY_DIR}/TulleConfig.cmake ${CMAKE_BINARY_DIR}/TulleConfigVersion.cmake
  DESTINATION ${package_dir})
