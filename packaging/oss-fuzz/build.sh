#!/bin/bash -eu
# SPDX-License-Identifier: Apache-2.0
# In the manner of OSS-Fuzz: CC, CXX, CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE and OUT are
# given; every fuzz target goes to $OUT, with its corpus beside it.
cd "$(dirname "$0")/../.."
cmake -S . -B build/oss-fuzz -G Ninja -DCMAKE_BUILD_TYPE=Debug -DINTERVALE_FUZZ=ON \
    -DINTERVALE_THREADS=OFF -DINTERVALE_HTML=OFF \
    -DINTERVALE_FUZZ_ENGINE="${LIB_FUZZING_ENGINE:--fsanitize=fuzzer}"
cmake --build build/oss-fuzz
for target in build/oss-fuzz/tests/fuzz_*; do
    [ -f "$target" ] && [ -x "$target" ] || continue
    name=$(basename "$target")
    cp "$target" "$OUT/"
    python3 -c 'import shutil, sys; shutil.make_archive(sys.argv[1], "zip", sys.argv[2])' \
        "$OUT/${name}_seed_corpus" "tests/fuzz/corpus/${name#fuzz_}"
done
