# SPDX-License-Identifier: Apache-2.0
# Debian's cross compiler, and libraries that tools/cross.sh has put into
# build/sysroot/s390x; programs run under qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(CMAKE_C_COMPILER s390x-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER s390x-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE s390x-linux-gnu)
set(sysroot ${CMAKE_CURRENT_LIST_DIR}/../../build/sysroot/s390x)
set(CMAKE_PREFIX_PATH ${sysroot}/usr)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-s390x -L /usr/s390x-linux-gnu
    -E LD_LIBRARY_PATH=${sysroot}/usr/lib/s390x-linux-gnu)
# What the libraries need themselves is found when the program starts.
set(CMAKE_EXE_LINKER_FLAGS_INIT -Wl,-rpath-link,${sysroot}/usr/lib/s390x-linux-gnu)
