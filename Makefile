# Two commands do all the set-up: `make demo` and `make test`. PYTHON picks the interpreter (3.11 to 3.13).
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile

# installed without bytecode (it would double the size), so the first import of each module must be allowed to keep it
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-skipped test-slow test-deep lint types floors check docs bench reproduce check-papers \
  check-arena rerun-trials arena-lite release-check clean

demo: $(VENV)/.installed
	@mkdir -p demo
	$(BIN)/mvarena run --algo apmc eeimvc daimc concat sc-concat kernel-addition --data dermatology \
	  --rates 0.1:0.9:0.2 --repeats 3 --jobs 2 --db demo/results.db --metric acc
	@$(BIN)/mvarena report --db demo/results.db --metric acc --out demo >demo/report.txt
	@$(BIN)/mvarena report --db demo/results.db --html demo/site >>demo/report.txt
	@echo "Picture: demo/figure-rate.png, ACC of six methods as more samples miss a view: the order changes with the rate."
	@echo "Page: demo/index.md; site: demo/site/index.html; all commands: $(BIN)/mvarena --help"

# as many processes as there are cores, each with one thread of linear algebra; a file's tests stay together
PYTEST := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 .ci/in_memory $(BIN)/python -m pytest -n auto --dist loadfile
TEST_PLUGINS = $(MAKE) --no-print-directory -j 2 test-plugin-omics test-plugin-peers

# make test SLOW=1 runs the slow ones, too; OPTIONS are further ones of pytest
test: $(VENV)/.installed-test
	$(PYTEST) $(if $(SLOW),,-m "not slow") $(OPTIONS)
	@$(TEST_PLUGINS)

test-slow: $(VENV)/.installed-test
	$(PYTEST) -m slow $(OPTIONS)

# the tests that OPTIONS="--write-skipped=FILE" says were skipped, with what they lacked
test-skipped: $(VENV)/.installed-test
	$(PYTEST) --only-skipped=$(SKIPPED)

test-plugin-%: $(VENV)/.installed-test
	PYTHONPATH=plugins/mvarena-$* OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -q plugins/mvarena-$*

# the deep methods; PyTorch (700 MB on a disk) goes into an environment of its own
test-deep: $(VENV)-deep/.installed
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(VENV)-deep/bin/python -m pytest -q plugins/mvarena-deep

check: lint types floors

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-test
	$(BIN)/mypy mvarena benchmarks

floors: $(VENV)/.installed-test
	$(BIN)/lint-imports

# the pages of papers and of the arena are what their results give, and so are a few of the trials behind them: minutes
reproduce: check-papers check-arena rerun-trials

check-papers: $(VENV)/.installed
	$(BIN)/mvarena reproduce --check

# RELEASES : folder of the whole databases of releases, with labels; without the one that the card names, what needs labels
# is not made again. 'make arena-lite' makes such a run of the small suite
WHOLE = $(addprefix --whole ,$(wildcard $(RELEASES)/$(shell sed -n 's/^name = "\(.*\.db\)"/\1/p' reports/$(1)/release.toml)))

check-arena: $(VENV)/.installed
	$(BIN)/mvarena arena page reports/arena --check $(call WHOLE,arena)
	$(BIN)/mvarena arena page reports/arena-lite --check $(call WHOLE,arena-lite)

rerun-trials: $(VENV)/.installed
	$(BIN)/mvarena reproduce --quick --jobs 2

# the small suite of the arena with the methods for omics data, 20 minutes on two cores where its data are at hand, and
# what changed since the release; trials that reach a limit are results of it, and make exit code 1
ARENA := $(VENV)-arena/bin/mvarena
arena-lite: $(VENV)-arena/.installed
	$(ARENA) run arena-lite --db arena-lite/run.db --jobs 2 --quiet || [ $$? = 1 ]
	$(ARENA) run arena-lite --algo "mvarena_omics:*" --db arena-lite/run.db --jobs 2 --quiet || [ $$? = 1 ]
	$(ARENA) arena release arena-lite --db arena-lite/run.db --suite arena-lite --name arena-lite-now
	$(ARENA) arena changes reports/arena-lite arena-lite

# a warning is an error; open docs/_build/html/index.html
docs: $(VENV)/.installed-docs
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet docs docs/_build/html

# builds what is published, and runs the tests against the wheel in a fresh environment; into dist/
release-check:
	PYTHON=$(PYTHON) .ci/release_check

bench: $(VENV)/.installed
	$(BIN)/python -m benchmarks --quick --rounds 1

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "mvarena needs Python 3.11 or newer; name one, as in: make demo PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml constraints.txt
	@echo "Installing mvarena into $(VENV) (about a minute) ..."
	$(PIP_INSTALL) -e .
	@touch $@

$(VENV)/.installed-test: $(VENV)/.installed
	@echo "Installing the test tools into $(VENV) ..."
	$(PIP_INSTALL) -e ".[test]"
	@touch $@

$(VENV)-deep/.installed: pyproject.toml constraints.txt plugins/mvarena-deep/pyproject.toml
	@echo "Installing mvarena, mvarena-deep and PyTorch into $(VENV)-deep ..."
	$(PYTHON) -m venv $(VENV)-deep
	PIP_CONSTRAINT=constraints.txt $(VENV)-deep/bin/python -m pip install --quiet --disable-pip-version-check \
	  torch==2.13.0 -e . -e "plugins/mvarena-deep[test]"
	@touch $@

$(VENV)-arena/.installed: pyproject.toml constraints.txt plugins/mvarena-omics/pyproject.toml
	@echo "Installing mvarena and mvarena-omics into $(VENV)-arena ..."
	$(PYTHON) -m venv $(VENV)-arena
	PIP_CONSTRAINT=constraints.txt $(VENV)-arena/bin/python -m pip install --quiet --disable-pip-version-check \
	  -e . -e "plugins/mvarena-omics[mofa]"
	@touch $@

$(VENV)/.installed-docs: $(VENV)/.installed
	@echo "Installing the tools of the documentation into $(VENV) ..."
	$(PIP_INSTALL) -e ".[docs]"
	@touch $@

clean:
	rm -rf $(VENV) $(VENV)-deep $(VENV)-arena docs/_build demo arena-lite build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
