# The two commands to know: `make demo` shows it work, `make test` proves it.
# Everything else is for people who work on it: `make help`.
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
BIN := build/release/greenkgc
PYTHON := /usr/bin/python3
PREFIX ?= /usr/local

.PHONY: help setup build python demo test tsan-test fuzz lint format bench install package clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: ## install the Debian packages that are missing
	@scripts/setup.sh

build: setup ## build the release: build/release/greenkgc
	@scripts/build.sh release

python: setup ## build the Python package into build/python (`pip install .` does the same into a virtual environment)
	@$(PYTHON) python/build_package.py

demo: setup ## see it work on the embedded `world` graph
	@scripts/build.sh release greenkgc_cli
	@scripts/demo.sh $(BIN)

test: build ## every check that needs no patience: unit, command, sanitizers, a short fuzz
	@scripts/test.sh

tsan-test: setup ## unit tests under the thread sanitizer
	@scripts/build.sh tsan greenkgc_tests greenkgc_server_tests
	@TSAN_OPTIONS="suppressions=$(CURDIR)/tests/tsan.supp" build/tsan/tests/greenkgc_tests --gtest_brief=1
	@TSAN_OPTIONS="suppressions=$(CURDIR)/tests/tsan.supp" build/tsan/tests/greenkgc_server_tests --gtest_brief=1

fuzz: setup ## fuzz every reader of bytes, SECONDS_EACH (default 300)
	@scripts/fuzz.sh $(or $(SECONDS_EACH),300)

lint: setup ## clang-format and clang-tidy, no changes made
	@scripts/lint.sh

format: setup ## let clang-format rewrite the sources
	@git ls-files '*.h' '*.cc' | xargs clang-format -i

bench: build ## the speed figures of the docs, in one run
	@$(PYTHON) bench/run.py

install: build ## install into PREFIX (default /usr/local)
	@cmake --install build/release --prefix $(PREFIX)

package: build ## a .deb in build/release
	@cd build/release && cpack -G DEB

clean: ## remove everything that was built
	@rm -rf build
