# SPDX-License-Identifier: Apache-2.0
# A short front for CMake.  Every target sets up what it needs by itself.
PREFIX ?= /usr/local
RELEASE = build/release

all: release

release:
	@tools/setup.sh build
	@tools/build.sh release -DBUILD_TESTING=OFF

# Builds the tool, makes a small collection and shows what can be done with it.
demo: release
	@tools/demo.sh $(RELEASE)/intervale

# The same with pages (--format html), whose scripts come from npm.
html:
	@tools/setup.sh html
	@tools/build.sh release -DBUILD_TESTING=OFF -DINTERVALE_HTML=ON

# What every change must pass, in at most 15 minutes on two cores: a release build
# with gcc, a sanitized one with clang.
test:
	@tools/setup.sh test
	@tools/test.sh

# The release build's tests alone: what a packager runs.
check:
	@tools/setup.sh test
	@tools/test.sh release

# All there is: tests labelled long too, all of them in every build, one more of them, and fuzzing.
test-all:
	@tools/setup.sh test-all
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

# Changes lines one at a time and lists the changes that no test notices: COUNT random ones for
# each SEED, or those of one's own change (SINCE=main), or every change of some (LINES=FILE:1-9).
SEED ?= 1
COUNT ?= 30
mutants:
	@tools/setup.sh test
	@python3 -B tools/mutants.py --seed $(SEED) --count $(COUNT) $(if $(SINCE),--since $(SINCE)) \
	    $(if $(LINES),--lines $(LINES)) $(if $(AGAIN),--again) $(if $(FAST),--fast)

install: release
	@cmake --install $(RELEASE) --prefix "$(PREFIX)"

# Removes what `make install` installed.
uninstall:
	@cmake -DBUILD=$(RELEASE) -P cmake/uninstall.cmake

# build/dist/intervale-X.Y.Z.tar.zst of the last commit, which builds without npm and
# without a network, with an SBOM and checksums.
dist:
	@tools/setup.sh dist
	@tools/dist.sh

# build/static/intervale: one file that runs on any Linux of its processor.
static:
	@tools/setup.sh build
	@tools/static.sh

# Debian packages, built and tried in a scratch root, in build/deb.
deb:
	@tools/setup.sh deb
	@tools/deb.sh

# The Python package: an sdist and wheels in build/wheel, each tried in an environment of its own;
# one for aarch64 where `tools/setup.sh cross` was run.
wheel:
	@tools/setup.sh wheel
	@python3 -B tests/python/wheel.py . build/wheel

# Wheels for Linux, macOS and Windows in build/wheels, all compiled here.
wheels:
	@tools/setup.sh web
	@python3 -B tools/wheels.py . build/wheels

# The archive, built and tested without a network, as another user, in a path with
# blanks and letters beyond ASCII; needs root.
dist-check: dist
	@tools/setup.sh test
	@tools/dist_check.sh

# build/web: the tool as one web page, which any file server serves.
web:
	@tools/setup.sh web
	@tools/web.sh

# build/npm: the tool as a package for Node, in WebAssembly.
npm:
	@tools/setup.sh web
	@tools/npm.sh

# Foreign processors under qemu-user: the same bytes as here.
cross: release
	@tools/setup.sh cross
	@for arch in aarch64 s390x armhf; do tools/cross.sh $$arch $(RELEASE)/intervale || exit 1; done

# A build without threads, zlib, zstd, Jansson and pages: the same bytes, on one thread.
bare: release
	@tools/bare.sh $(RELEASE)/intervale

# Two threads that use the library at once, under the ThreadSanitizer.
threads:
	@tools/setup.sh test
	@tools/threads.sh

# The release build by another compiler: make compiler COMPILER=gcc-13
COMPILER ?= gcc
compiler:
	@tools/setup.sh compiler $(COMPILER)
	@tools/compiler.sh $(COMPILER)

# build/site: the documents, commands and interfaces as a web site, with the browser tool in it.
site: release web
	@python3 -B tools/site.py build/site $(RELEASE)/intervale build/web

clean:
	rm -rf build demo

.PHONY: all release html demo test check test-all bench fuzz mutants install uninstall dist dist-check static deb wheel wheels web npm cross bare \
    threads compiler site clean
