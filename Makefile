# make race    install into .venv and run the main job; writes race/
# make test    install with the development extras; lint, types, layers, tests
# make help    all targets
#
# Needs: Python >= 3.11 (PYTHON=... chooses one), a C++17 compiler, make, a package index.
# The install is editable: edits in src/ take effect at once, and the stamps below reinstall only
# when pyproject.toml, CMakeLists.txt or native/ changed (then ninja recompiles what changed).
# Nothing here asks git, and GNU make 3.81 is enough.

PYTHON ?= python3
JOBS ?= auto
WERROR ?= ON
RACE ?=
PYTEST ?=
SUITES ?=
BENCH ?=
VERIFY ?= --count 100000

BIN := .venv/bin
# The stamps carry the folder's checksum: a .venv copied along with the tree still points to the
# old tree, so it has no valid stamp here and is made anew.
PLACE := $(shell pwd -P | cksum | cut -d' ' -f1)
STAMPS := .venv/.stamps-$(PLACE)
PYTHON_FILES := src tests tools noxfile.py $(wildcard benchmarks benchopt examples docs)
NATIVE_FILES := $(shell find native -name '*.cpp' -o -name '*.hpp')
NATIVE_DIRS := $(shell find native -type d)
SOURCES := pyproject.toml CMakeLists.txt $(NATIVE_FILES) $(NATIVE_DIRS)
PIP := $(BIN)/python -m pip --disable-pip-version-check
# No build isolation: the build tools live in .venv, so a second build is incremental.
INSTALL := $(PIP) install --quiet --no-build-isolation --constraint tools/constraints.txt
# Every option is given each time, because CMake remembers what it was told before.
CMAKE := --config-settings=cmake.define.BANDITCD_DEBUG_CHECKS=OFF \
         --config-settings=cmake.define.BANDITCD_SANITIZE=OFF

.PHONY: help race test test-full test-suites pytest lint lint-types lint-rest format stubs bench-steps bench-lasso bench-logistic bench-svm bench-svm-l1 bench-svr bench-ridge bench-ridge-classifier bench-multinomial bench-groups bench-gpu bench-disk bench-dask verify sanitize tsan fuzz twins ends docs docs-check clean

help:
	@echo 'make race         run the default race; RACE="--epochs 20" adds arguments'
	@echo 'make test         lint, then the tests; PYTEST="-k name" adds arguments'
	@echo 'make test-full    lint, then every test, at full size too'
	@echo 'make test-suites  scikit-learn'"'"'s own tests with our classes; SUITES="test_ridge" chooses'
	@echo 'make pytest       the tests alone'
	@echo 'make lint         ruff, mypy, clang-format, import layers, stub, sizes'
	@echo 'make format       rewrite Python and C++ files in the house format'
	@echo 'make stubs        regenerate src/banditcd/_core.pyi'
	@echo 'make bench-steps  nanoseconds per coordinate step'
	@echo 'make bench-lasso  the Lasso against other libraries; BENCH="--quick" adds arguments'
	@echo 'make bench-logistic, make bench-svm, make bench-svr, make bench-ridge, make bench-svm-l1, make bench-ridge-classifier  the same for the other models'
	@echo 'make bench-multinomial  several classes against scikit-learn'
	@echo 'make bench-groups  several responses and groups of features against other libraries'
	@echo 'make bench-gpu  fits of arrays on a GPU; needs a card and CuPy'
	@echo 'make bench-disk  fits of a file that does not fit in the memory allowed'
	@echo 'make bench-dask  fits on a Dask cluster against dask-ml and Spark MLlib'
	@echo 'make verify       random fits judged by banditcd.verify; VERIFY="--start 5000" adds arguments'
	@echo 'make docs         the site, into build/site; warnings are errors'
	@echo 'make docs-check   the site, then its spelling, links, pictures, accessibility and widths'
	@echo 'make sanitize     native and estimator tests under ASan and UBSan; PYTEST="tests/native" for some'
	@echo 'make tsan         tests of threads under the thread sanitizer'
	@echo 'make fuzz         fuzzing of the readers guided by coverage; needs Clang; FUZZ_SECONDS=600'
	@echo 'make twins        verify on fits of celer and skglm'
	@echo 'make ends         the tests with the oldest and newest dependencies, on every Python found'
	@echo 'make clean        remove .venv and everything the targets above made'

race: $(STAMPS)/run
	$(BIN)/banditcd race $(RACE)

test: lint pytest

test-full: MARKS := -m "full or not full"
test-full: lint pytest

test-suites: $(STAMPS)/dev
	$(BIN)/python -m tests.suites.report -n $(JOBS) $(SUITES)

pytest: $(STAMPS)/dev
	$(BIN)/python -m pytest -n $(JOBS) $(MARKS) $(PYTEST)

# Types take as long as all the rest: both at the same time.
lint: $(STAMPS)/dev
	@$(MAKE) --no-print-directory -j 2 lint-types lint-rest

lint-types: $(STAMPS)/dev
	$(BIN)/mypy

lint-rest: $(STAMPS)/dev
	$(BIN)/ruff check $(PYTHON_FILES)
	$(BIN)/ruff format --check $(PYTHON_FILES)
	@echo '$(BIN)/clang-format --dry-run --Werror (native files)'
	@$(BIN)/clang-format --dry-run --Werror $(NATIVE_FILES)
	$(BIN)/lint-imports --no-logo
	$(BIN)/python tools/stubs.py --check
	$(BIN)/python -m tools.sizes

format: $(STAMPS)/dev
	$(BIN)/ruff check --fix $(PYTHON_FILES)
	$(BIN)/ruff format $(PYTHON_FILES)
	$(BIN)/clang-format -i $(NATIVE_FILES)

docs: $(STAMPS)/docs
	$(BIN)/sphinx-build -q -W --keep-going -j $(JOBS) -c docs -d build/site-doctrees . build/site
	@echo 'open build/site/index.html'

docs-check: $(STAMPS)/site docs
	$(BIN)/python -m tools.docs_check build/site

stubs: $(STAMPS)/dev
	$(BIN)/python tools/stubs.py

bench-steps: $(STAMPS)/run
	$(BIN)/python benchmarks/steps.py

bench-lasso: $(STAMPS)/run
	$(BIN)/python -m benchmarks.lasso $(BENCH)

bench-logistic: $(STAMPS)/run
	$(BIN)/python -m benchmarks.logistic $(BENCH)

bench-svm: $(STAMPS)/run
	$(BIN)/python -m benchmarks.svm $(BENCH)

bench-svm-l1: $(STAMPS)/run
	$(BIN)/python -m benchmarks.svm_l1 $(BENCH)

bench-ridge-classifier: $(STAMPS)/run
	$(BIN)/python -m benchmarks.ridge_classifier $(BENCH)

bench-svr: $(STAMPS)/run
	$(BIN)/python -m benchmarks.svr $(BENCH)

bench-ridge: $(STAMPS)/run
	$(BIN)/python -m benchmarks.ridge $(BENCH)

bench-multinomial: $(STAMPS)/run
	$(BIN)/python -m benchmarks.multinomial $(BENCH)

bench-groups: $(STAMPS)/run
	$(BIN)/python -m benchmarks.groups $(BENCH)

bench-gpu: $(STAMPS)/run
	$(BIN)/python -m benchmarks.gpu $(BENCH)

bench-disk: $(STAMPS)/run
	$(BIN)/python -m benchmarks.disk $(BENCH)

bench-dask: $(STAMPS)/dev
	$(BIN)/python -m benchmarks.dask_race $(BENCH)

verify: $(STAMPS)/run
	$(BIN)/python -m benchmarks.verify $(VERIFY)

# In environments of their own, made once and kept (-r).
sanitize tsan fuzz twins: $(STAMPS)/dev
	$(BIN)/nox -r -s $@ -- $(PYTEST)

ends: $(STAMPS)/dev
	$(BIN)/nox -r -t ends -- $(PYTEST)

clean:
	rm -rf .venv .nox build dist race .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -rf .import_linter_cache
	find . -name .git -prune -o -name __pycache__ -type d -print | xargs rm -rf

$(STAMPS)/venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo 'banditcd needs Python >= 3.11, and $(PYTHON) is:' `$(PYTHON) --version 2>&1`; \
	  echo 'Choose another interpreter: make PYTHON=python3.12 ...'; exit 1; }
	@if ls -d .venv/.stamps-* >/dev/null 2>&1; then rm -rf .venv; fi
	test -x $(BIN)/python || $(PYTHON) -m venv .venv || { rm -rf .venv; \
	  echo 'This Python has no venv module (on Debian it is the package python3-venv).'; exit 1; }
	$(PIP) install --quiet --constraint tools/constraints.txt $$($(BIN)/python tools/requirements.py)
	@mkdir -p $(STAMPS) && touch $@

# Once the development extras are there, they stay: both stamps are then renewed by one install.
$(STAMPS)/run: $(STAMPS)/venv $(SOURCES) tools/constraints.txt
	@if test -e $(STAMPS)/dev; then $(MAKE) --no-print-directory $(STAMPS)/dev; else \
	  set -x; $(INSTALL) $(CMAKE) --editable '.[plots,progress]'; fi
	@touch $@

# The extras are fetched by one process while the module is compiled by others.
$(STAMPS)/dev: $(STAMPS)/venv $(SOURCES) tools/constraints.txt
	@$(MAKE) --no-print-directory -j 2 $(STAMPS)/extras $(STAMPS)/module
	@touch $(STAMPS)/run $@

$(STAMPS)/extras: $(STAMPS)/venv pyproject.toml tools/constraints.txt
	$(INSTALL) $$($(BIN)/python tools/requirements.py dev)
	@touch $@

$(STAMPS)/module: $(STAMPS)/venv $(SOURCES)
	$(INSTALL) $(CMAKE) --config-settings=cmake.define.BANDITCD_WERROR=$(WERROR) --no-deps --editable .
	@touch $@

# The tools of the site, beside the development extras.
$(STAMPS)/docs: $(STAMPS)/dev
	$(INSTALL) $(CMAKE) --editable '.[dev,docs]'
	@touch $@

# A browser is not among them: one that is installed is used, or what needs it is skipped.
$(STAMPS)/site: $(STAMPS)/docs
	$(INSTALL) $(CMAKE) --editable '.[dev,site]'
	@touch $@
