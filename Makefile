# The two commands to know: `make demo` shows it work, `make test` proves it.
# Everything else is for people who work on it: `make help`.
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
BIN := build/release/greenkgc
PYTHON := /usr/bin/python3
PREFIX ?= /usr/local
SETUP := @scripts/setup.sh

.PHONY: help setup build python wheel demo check test tsan-test fuzz lint format bench install package clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: ## install every Debian package that any target needs (each target installs its own)
	$(SETUP)

build: ## build the release: build/release/greenkgc
	$(SETUP) build
	@scripts/build.sh release greenkgc_cli libgreenkgc.so

python: ## build the Python package into build/python (`pip install .` does the same into a virtual environment)
	$(SETUP) build python
	@$(PYTHON) python/build_package.py

wheel: ## a wheel with the command and all libraries, in build/wheel, for the Python that builds it
	$(SETUP) build web python wheel
	@$(PYTHON) python/build_package.py --wheel build/wheel

demo: ## see it work on the embedded `world` graph
	$(SETUP) build
	@scripts/build.sh release greenkgc_cli
	@scripts/demo.sh $(BIN)

check: ## format, order of includes and unit tests of the release: what to run before each commit
	$(SETUP) build test
	@scripts/build.sh release greenkgc_tests greenkgc_server_tests
	@scripts/check.sh

test: ## every check that needs no patience: unit, command, sanitizers, a short fuzz
	$(SETUP) build web python wheel deb test
	@scripts/build.sh release
	@scripts/test.sh

tsan-test: ## all unit tests under the thread sanitizer
	$(SETUP) build test
	@scripts/tsan.sh all

fuzz: ## fuzz every reader of bytes, SECONDS_EACH (default 300)
	$(SETUP) build test
	@scripts/fuzz.sh $(or $(SECONDS_EACH),300)

lint: ## clang-format and clang-tidy, no changes made
	$(SETUP) build lint
	@scripts/lint.sh

format: ## let clang-format rewrite the sources
	$(SETUP) lint
	@git ls-files '*.h' '*.cc' | xargs clang-format -i

bench: ## the speed figures of the docs, in one run
	$(SETUP) build bench
	@scripts/build.sh release
	@$(PYTHON) bench/run.py

install: build ## install into PREFIX (default /usr/local)
	@cmake --install build/release --prefix $(PREFIX)

package: ## a .deb with the command, the library, its headers and the Python module, in build/release
	$(SETUP) build web python deb
	@scripts/build.sh release greenkgc_cli libgreenkgc.so
	@$(PYTHON) python/build_package.py
	@cd build/release && cpack -G DEB

clean: ## remove everything that was built
	@rm -rf build
