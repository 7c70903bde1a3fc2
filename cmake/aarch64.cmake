# SPDX-License-Identifier: Apache-2.0
# Toolchain: Debian's cross compilers for aarch64, whose programs QEMU's user emulation runs.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(TULLE_TARGET aarch64-linux-gnu)
set(CMAKE_C_COMPILER ${TULLE_TARGET}-gcc)
set(CMAKE_CXX_COMPILER ${TULLE_TARGET}-g++)
set(folder /usr/${TULLE_TARGET})
find_program(TULLE_QEMU NAMES qemu-aarch64-static qemu-aarch64)
if(TULLE_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${TULLE_QEMU} -L ${folder})
endif()

# What dependencies/unpack_for.sh unpacked, if anything.
set(TULLE_TARGET_PACKAGES "" CACHE PATH "Files of the target's packages")
set(CMAKE_FIND_ROOT_PATH ${folder} ${TULLE_TARGET_PACKAGES})
if(TULLE_TARGET_PACKAGES)
  set(CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES ${TULLE_TARGET_PACKAGES}/usr/include/${TULLE_TARGET})
endif()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
