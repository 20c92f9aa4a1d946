# SPDX-License-Identifier: Apache-2.0
# A short front for CMake.  Every target sets up what it needs by itself.
PREFIX ?= /usr/local
RELEASE = build/release

all: $(RELEASE)/build.ninja
	@cmake --build $(RELEASE)

$(RELEASE)/build.ninja:
	@tools/setup.sh build
	@cmake --preset release -DBUILD_TESTING=OFF >/dev/null

.PHONY: all
