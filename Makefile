# `make run` and `make test` need Python 3.11 to 3.15, git and make; everything else goes into .venv.

# A Python with which molehunt works: the one it is measured with, the machine's own, or another one that is there.
FITS       := import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 16))
PYTHON     ?= $(shell for name in python3.11 python3 python3.12 python3.13 python3.14 python3.15; do \
	$$name -c '$(FITS)' >/dev/null 2>&1 && echo $$name && break; done || echo python3)
# One for which all libraries of the extras are built.
HAS_ALL    := import sys; sys.exit(sys.version_info >= (3, 15))
VENV       ?= .venv
BIN        := $(VENV)/bin
LEARNERS   ?= .venv-learners
CODE       ?= build/machine_code
TORCH      ?= torch
RUN        ?= study --small
SERVE      ?= --open
WORKERS    ?= 2
PYTEST     ?=
BENCHMARKS ?= $(sort $(wildcard benchmarks/*.py))

# Byte code is kept, also where somebody asks Python not to: the commands and the tests start many processes, and each would compile
# all sources again. `make clean` removes it.
unexport PYTHONDONTWRITEBYTECODE

# Errors of pip are shown, its progress and its warnings are not.
PIP := $(BIN)/python -m pip --quiet --quiet --no-input --disable-pip-version-check install --no-compile --constraint constraints.txt
# What pip would do on one core: libraries are compiled to byte code, without their own tests.
BYTES := $(BIN)/python -m compileall -qq -j 0 -x '/tests?/' $(VENV)/lib || true

# The tests of the pages need a browser: one that is there, or the one that Playwright fetches.
CHROMIUM := command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome

# Stamp files: what is installed is installed again only when what it was made from changes.
MADE := $(VENV)/.made
WEB  := $(VENV)/.web
CORE := $(VENV)/.core
DEV  := $(VENV)/.dev

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run serve test lint types format bench docs wheel compiled learners dev clean

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1	\2/p' Makefile

run: $(CORE) ## the main job: every study in small (another one: make run RUN='study --help')
	@$(BIN)/molehunt $(RUN)

serve: $(WEB) ## the browser table: play, watch, replay (other settings: make serve SERVE='--host 0.0.0.0')
	@$(BIN)/molehunt serve $(SERVE)

test: $(DEV) ## all tests, e.g. make test PYTEST='-k maze' WORKERS=8
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(PYTEST)

lint: $(DEV) ## check format and style
	@$(BIN)/ruff format --check
	@$(BIN)/ruff check

types: $(DEV) ## check types
	@$(BIN)/mypy

format: $(DEV) ## put the sources into format and mend what can be mended by itself
	@$(BIN)/ruff check --fix-only
	@$(BIN)/ruff format

bench: $(CORE) ## run every script in benchmarks/
	@test -n "$(BENCHMARKS)" || echo "There is no script in benchmarks/."
	@set -e; for script in $(BENCHMARKS); do echo "== $$script"; $(BIN)/python "$$script"; done

docs: $(DEV) ## build the documentation site into build/site
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs --quiet build
	@echo "The site is in build/site/index.html."

wheel: $(MADE) ## the archive of the sources and the wheel, into dist/; a release: release/make_release.py
	@$(PIP) hatchling
	@$(BIN)/python -m hatchling build

compiled: $(CORE) ## one more wheel, with machine code for this version of Python and this kind of machine; some minutes
	@$(PIP) hatchling
	@rm -rf $(CODE)
	@$(BIN)/python release/compile_kernels.py $(CODE)
	@MOLEHUNT_MACHINE_CODE=$(CODE) $(BIN)/python -m hatchling build --target wheel

learners: $(LEARNERS)/.made ## the examples of other libraries' learners, in an environment of their own (gigabytes)
	@$(LEARNERS)/bin/python -m pytest -q tests/adapters/test_learners.py tests/adapters/test_environments.py tests/learning -k 'learner or baselines or training' \
		-m 'thorough or not thorough'

dev: $(DEV) ## set up .venv for development, and run nothing

clean: ## remove the environment, the builds and the caches of the tools
	rm -rf $(VENV) $(LEARNERS) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src tests benchmarks examples docs -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

$(MADE):
	@$(PYTHON) -c '$(FITS)' >/dev/null 2>&1 || { \
		found=`$(PYTHON) -V 2>&1` || found="not here or does not run"; \
		echo "molehunt needs Python 3.11 to 3.15, and $(PYTHON) is $$found." >&2; \
		echo "Install Python 3.11, or name another one: make PYTHON=/path/to/python" >&2; exit 1; }
	@echo "Setting up $(VENV) with `$(PYTHON) -V 2>&1`; this is done once."
	@$(PYTHON) -m venv --clear $(VENV) || { \
		rm -rf $(VENV); \
		echo "$(PYTHON) cannot make virtual environments; on Debian and Ubuntu, install its venv package." >&2; exit 1; }
	@touch $@

# The build backend is installed first, pinned like all else, so that building needs no second environment.
$(WEB): $(MADE) pyproject.toml constraints.txt
	@echo "Installing molehunt and the libraries of the browser table into $(VENV)"
	@$(PIP) hatchling editables
	@$(PIP) --no-build-isolation --editable '.[web]'
	@$(BYTES)
	@touch $@

$(CORE): $(MADE) pyproject.toml constraints.txt
	@echo "Installing molehunt and its libraries into $(VENV)"
	@$(PIP) hatchling editables
	@$(PIP) --no-build-isolation --editable '.[report,web]'
	@$(BYTES)
	@touch $(WEB) $@

$(DEV): $(MADE) pyproject.toml constraints.txt
	@echo "Installing molehunt, its libraries and the tools for development into $(VENV)"
	@$(PIP) hatchling editables
	@if $(BIN)/python -c '$(HAS_ALL)'; then $(PIP) --no-build-isolation --editable '.[cluster,dev,docs,report,rl,tune,web]'; else \
		echo "For this Python there is neither Ray nor OpenSpiel yet; what needs them is left out."; \
		$(PIP) --no-build-isolation --editable '.[dev,docs,report,tune,web]'; fi
	@$(BYTES)
	@($(CHROMIUM)) >/dev/null 2>&1 || $(BIN)/playwright install chromium >/dev/null 2>&1 || \
		echo "There is no Chromium here and it cannot be fetched; the tests of the pages will be left out." >&2
	@touch $(WEB) $(CORE) $@

# Without the constraints: RLlib wants another Gymnasium. TORCH says which build, where there are several: make learners TORCH='torch==...+cpu'.
$(LEARNERS)/.made: pyproject.toml | $(MADE)
	@echo "Installing molehunt and the learners of other libraries into $(LEARNERS)"
	@$(PYTHON) -m venv --clear $(LEARNERS)
	@$(LEARNERS)/bin/python -m pip --quiet --no-input --disable-pip-version-check install --editable '.[learn,learners,report]' '$(TORCH)' pytest
	@touch $@
