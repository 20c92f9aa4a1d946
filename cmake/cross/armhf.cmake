# SPDX-License-Identifier: Apache-2.0
# Debian's cross compiler, and libraries that tools/cross.sh has put into
# build/sysroot/armhf; programs run under qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-linux-gnueabihf-gcc)
set(CMAKE_CXX_COMPILER arm-linux-gnueabihf-g++)
set(CMAKE_LIBRARY_ARCHITECTURE arm-linux-gnueabihf)
set(sysroot ${CMAKE_CURRENT_LIST_DIR}/../../build/sysroot/armhf)
set(CMAKE_PREFIX_PATH ${sysroot}/usr)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-arm -L /usr/arm-linux-gnueabihf
    -E LD_LIBRARY_PATH=${sysroot}/usr/lib/arm-linux-gnueabihf)
# What the libraries need themselves is found when the program starts.
set(CMAKE_EXE_LINKER_FLAGS_INIT -Wl,-rpath-link,${sysroot}/usr/lib/arm-linux-gnueabihf)
