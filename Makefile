# SPDX-License-Identifier: Apache-2.0
# A short front for CMake.  Every target sets up what it needs by itself.
PREFIX ?= /usr/local
RELEASE = build/release

all: release

release:
	@tools/setup.sh build
	@cmake --preset release -DBUILD_TESTING=OFF >/dev/null
	@cmake --build $(RELEASE)

# Builds the tool, makes a small collection and shows what can be done with it.
demo: release
	@tools/demo.sh $(RELEASE)/intervale

# What every change must pass, in at most 15 minutes on two cores: release and
# sanitized builds with gcc, a build with clang.
test:
	@tools/setup.sh test
	@tools/test.sh

# All there is: tests labelled long too, all of them in every build, and fuzzing.
test-all:
	@tools/setup.sh test
	@tools/test.sh all
	@tools/fuzz.sh $(SECONDS_EACH)

# Speed, in units of the domain and as ratios; takes a few minutes.
bench: release
	@tools/bench.sh $(RELEASE)

# Every fuzz target for SECONDS_EACH seconds.
SECONDS_EACH ?= 60
fuzz:
	@tools/setup.sh test
	@tools/fuzz.sh $(SECONDS_EACH)

install: release
	@cmake --install $(RELEASE) --prefix $(PREFIX)

clean:
	rm -rf build demo

.PHONY: all release demo test test-all bench fuzz install clean
