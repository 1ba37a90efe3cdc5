# SPDX-License-Identifier: BSD-3-Clause
# What people type. The work itself is in CMakePresets.json and scripts/.
.DEFAULT_GOAL := help
.PHONY: help demo test docs wheel bench soak fuzz format lint clean setup setup-docs setup-test
JOBS ?= $(shell nproc)
export JOBS

help:  ## show this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: setup  ## install what is missing, build, and go from synthetic volumes to a report
	@scripts/build.sh release
	@scripts/demo.sh

test: setup-test  ## every test: warnings, unit, command line, browser, sanitizers, layers, fuzzing, format, lint
	@scripts/test.sh

wheel: setup  ## the Python package as dist/*.tar.gz and dist/*.whl, tried in an empty environment
	@scripts/wheel.sh $(PYTHONS)

docs: setup-docs  ## the site in build/docs/html: guide, gallery, API, commands; needs Python 3.11
	@scripts/docs.sh

bench: setup-test  ## time our kernels beside their rivals, after checking their results
	@scripts/build.sh release -DSTURM_BENCH=ON
	@scripts/bench.sh

soak: setup-test  ## kills and faults by the hundred, then the unit tests shuffled for SOAK_MINUTES (10)
	@scripts/build.sh asan -DSTURM_CLI=ON
	@scripts/soak.sh

fuzz: setup-test  ## the readers of files against made-up ones, FUZZ_SECONDS (1800) each
	@scripts/fuzz.sh $${FUZZ_SECONDS:-1800}

format:  ## rewrite our sources in the house format
	@scripts/sources.sh | xargs clang-format -i

lint: setup-test  ## clang-format check, clang-tidy, layers
	@scripts/build.sh dev
	@scripts/lint.sh

clean:  ## remove everything built
	@rm -rf build demo dist third_party docs/site/api docs/site/gallery docs/site/reference

setup:
	@scripts/setup.sh

setup-test:
	@scripts/setup.sh --test

setup-docs:
	@scripts/setup.sh --docs
