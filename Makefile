# SPDX-License-Identifier: Apache-2.0
# The commands of the README. Everything that they need is installed first if it is missing.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
TEST ?= .
SEED ?= 100000
SECONDS ?= 600
SANITIZERS ?= asan-ubsan tsan
WERROR := $(if $(CI),ON,OFF)
INSTALL := dependencies/install.sh
# The thread sanitizer of GCC 12 cannot place its shadow where the kernel randomises addresses widely.
FIXED_ADDRESSES := $(shell setarch -R true 2>/dev/null && echo setarch -R)

.PHONY: all demo test check check-sanitizers check-aarch64 check-aarch64-part bench scale corpus soak install uninstall wheel deb \
  all-aarch64 wheel-aarch64 deb-aarch64 clean

all:
	@$(INSTALL) build
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j $(JOBS)

demo: all
	@$(INSTALL) demo
	@python3 demo/run.py build/release $(DEMO_ARGS)

# The last lines are ctest's own summary of the release build, after the output of tests that failed.
test: check-sanitizers
	@tests/emulated.sh part $(JOBS)
	@cmake --preset release -DTULLE_TESTS=ON -DTULLE_WERROR=$(WERROR) >/dev/null
	@cmake --build --preset release -j $(JOBS)
	@python3 tests/run_suite.py build/release --preset release -j $(JOBS) --no-tests=error

# The tests whose names match TEST, of the release build: make check TEST=command.run
check:
	@$(INSTALL) build test
	@cmake --preset release -DTULLE_TESTS=ON >/dev/null
	@cmake --build --preset release -j $(JOBS)
	@ctest --preset release -R '$(TEST)' -j $(JOBS) --no-tests=error

# The unit tests, and programs built likewise on a runtime built likewise, under each sanitizer.
check-sanitizers:
	@$(INSTALL) build test
	@for preset in $(SANITIZERS); do \
	  echo "unit tests: $$preset"; \
	  cmake --preset $$preset >/dev/null && \
	  cmake --build --preset $$preset -j $(JOBS) -t unit_tests && \
	  { $(FIXED_ADDRESSES) python3 tests/run_suite.py build/$$preset --preset $$preset -L unit -j $(JOBS) \
	      --no-tests=error >build/$$preset/unit.log || { cat build/$$preset/unit.log; exit 1; }; } && \
	  grep 'tests passed' build/$$preset/unit.log || exit 1; \
	done

# On an emulated aarch64: a part of the tests in a minute or two, and all that an emulator can run.
check-aarch64-part:
	@$(INSTALL) build test
	@tests/emulated.sh part $(JOBS)

check-aarch64:
	@$(INSTALL) build test
	@tests/emulated.sh all $(JOBS)

bench: all
	@$(INSTALL) bench
	@python3 bench/run.py $(BENCH_ARGS)

# Machines of many cores, in the model of coherence: docs/bench/scale.json and plots.
scale: all
	@$(INSTALL) bench
	@cmake --build --preset release -j $(JOBS) -t tulle_coherence
	@python3 bench/scale/run.py build/release/lib/tulle-coherence share/machines --json docs/bench/scale.json \
	  --plots docs/bench --venv build $(SCALE_ARGS)

# Real programs of Debian and PyPI, under their own runtime and under Tulle; CORPUS_ARGS=--page writes docs/corpus.md.
corpus: all
	@$(INSTALL) corpus
	@python3 tests/programs/corpus/run.py --tulle build/release/bin/tulle --folder build/corpus $(CORPUS_ARGS)

# Random programs for SECONDS, from seed SEED on.
soak: all
	@python3 tests/fuzz/run.py --runtime build/release/lib --seeds $(SEED)..$(SEED) --until $(SECONDS) \
	  --validate --shrink
	@$(INSTALL) soak
	@$(MAKE) --no-print-directory wheel
	@python3 tests/wheel/learn.py dist/tulle-*.whl build/programs/wheels
	@python3 tests/programs/learn/run.py --tulle build/release/bin/tulle --folder build/programs/learn
	@python3 tests/programs/mkl/run.py --runtime build/release/lib --folder build/programs/mkl --times report
	@python3 tests/programs/molecules/run.py --gmx /usr/bin/gmx --runtime $(CURDIR)/build/release/lib

install: all
	@cmake --install build/release --prefix "$(PREFIX)"

# What any `make install` put there, with the same PREFIX and DESTDIR.
uninstall:
	@cmake "-DPREFIX=$(PREFIX)" -P cmake/Uninstall.cmake

# dist/tulle-VERSION-py3-none-manylinux….whl. auditwheel, from PyPI, says what it asks of a system.
wheel: all
	$(call make_wheel,release,$$(uname -m))

define make_wheel # of a preset, for a processor
@cmake --build --preset $(1) -j $(JOBS) -t portable
@python3 packaging/wheel/make.py $$(sed -n 's/^CMAKE_PROJECT_VERSION:[A-Z]*=//p' build/$(1)/CMakeCache.txt) build/$(1)/portable dist
@packaging/wheel/audit.sh dist/tulle-*_$(2).whl
endef

# dist/tulle_VERSION_ARCHITECTURE.deb, checked by lintian where that is installed.
deb: all
	@packaging/debian/make.sh build/release dist

# Both for aarch64, by Debian's cross compilers.
all-aarch64:
	@$(INSTALL) build cross
	@dependencies/unpack_for.sh arm64 build/arm64
	@cmake --preset release-aarch64 >/dev/null
	@cmake --build --preset release-aarch64 -j $(JOBS)

wheel-aarch64: all-aarch64
	$(call make_wheel,release-aarch64,aarch64)

deb-aarch64: all-aarch64
	@packaging/debian/make.sh build/release-aarch64 dist

clean:
	@cmake -E rm -rf build
