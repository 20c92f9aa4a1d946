# SPDX-License-Identifier: Apache-2.0
# Debian's cross compiler, and libraries that tools/cross.sh has put into
# build/sysroot/aarch64; programs run under qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(sysroot ${CMAKE_CURRENT_LIST_DIR}/../../build/sysroot/aarch64)
set(CMAKE_PREFIX_PATH ${sysroot}/usr)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu
    -E LD_LIBRARY_PATH=${sysroot}/usr/lib/aarch64-linux-gnu)
# What the libraries need themselves is found when the program starts.
set(CMAKE_EXE_LINKER_FLAGS_INIT -Wl,-rpath-link,${sysroot}/usr/lib/aarch64-linux-gnu)
