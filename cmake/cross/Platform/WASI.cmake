# SPDX-License-Identifier: Apache-2.0
# CMake 3.25 does not know the name of the system that wasm32.cmake is for.
set(WASI 1)
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
