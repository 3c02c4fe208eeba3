# Every target does its own set-up: Python 3.11 to 3.13 is all it needs.
PYTHON       ?= python3
REQUIREMENTS ?= requirements.lock
VENV         := .venv
BIN          := $(VENV)/bin
READY        := $(VENV)/ready
# A shell may forbid it; every start of Python would then compile matplotlib anew.
export PYTHONDONTWRITEBYTECODE :=
# Another environment may be active; IPython would warn of it, and warnings are errors.
unexport VIRTUAL_ENV

# Pages and tests run side by side, one a core: BLAS's own threads would get in their way.
book formulas check test records notebooks: export OPENBLAS_NUM_THREADS := 1

.DEFAULT_GOAL := book
.PHONY: book readable readme formulas check test records firefox conformance model-conformance cluster bench mutants package serve lab ledger notebooks tidy lint format lock clean faults

$(READY): $(REQUIREMENTS) pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --requirement $(REQUIREMENTS)
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

book: $(READY)            ## build the executed site and say where it is
	@$(BIN)/python -m book.build

readable: book            ## copies of the chapters for GitHub, nbviewer and Colab
	@$(BIN)/python -m book.readable

readme: book              ## pictures of the site in the README, and badges (REPOSITORY_URL=...)
	@$(BIN)/python -m book.readme

formulas: $(READY)        ## set the formulas of the pages: the table, the font (needs Chromium)
	@$(BIN)/python -m book.formulas

check: $(READY) lint      ## what an edit can have broken, in seconds (CHAPTER=03 for one)
	@$(BIN)/python -m book.check $(CHAPTER)

test: $(READY)            ## everything: unit, notebooks, structure, book, browser
	@+$(MAKE) --no-print-directory -j2 book lint
	$(BIN)/python -m pytest -m "not weekly" -n logical --dist loadfile --no-loadscope-reorder

records: book             ## write what is on record anew; read the diff before you commit
	-$(BIN)/python -m pytest -q --no-header --tb=no tests -k on_record --force-regen
	@git diff --stat -- 'tests/*.txt'

firefox: book             ## every page in the Firefox that is installed (needs Node)
	npm ci --prefix tests/other_browsers --silent
	node tests/other_browsers/open_site.mjs installed

conformance: $(READY)     ## ONNX's and PyTorch's own tests of attention (installs PyTorch)
	$(BIN)/python -m pip install --quiet --requirement tests/conformance/requirements.txt
	$(BIN)/python -m pytest tests/conformance/test_*.py tests/conformance/suite_torch*.py

model-conformance: $(READY) ## chapter 9's model beside `transformers` (installs PyTorch, 98 MB)
	$(BIN)/python -m pip install --quiet --requirement tests/conformance/requirements-model.txt
	$(BIN)/python -m language_model
	$(BIN)/python -m pytest -p no:cacheprovider tests/conformance/suite_language_model.py

cluster: $(READY)         ## runs on a local Dask cluster, a worker killed on the way (installs Dask)
	$(BIN)/python -m pip install --quiet --requirement tests/cluster/requirements.txt
	$(BIN)/python -m pytest tests/cluster/suite_cluster.py

faults: book              ## plant faults one by one: some test must catch each (minutes)
	$(BIN)/python -m pytest -n logical tests/faults

bench: $(READY)           ## attention's time and memory beside PyTorch's (where it is installed)
	$(BIN)/python benchmarks/attention_speed.py

# to try one mutant, mutmut writes all; `forks.py` tries the others
A_MUTANT = attention._heads.x_merge_heads__mutmut_1
mutants: $(READY)         ## change the library in thousands of places: do its tests notice?
	$(BIN)/python -m pip install --quiet "mutmut>=3.8,<4"
	$(BIN)/mutmut run $(A_MUTANT)
	$(BIN)/python tests/mutation/forks.py
	$(BIN)/python tests/mutation/report.py

package:                  ## the library alone: build it, test it in a clean environment
	$(PYTHON) packaging/check.py $(WITH)

serve: book               ## the built site on a local port
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory _build/html 8000

lab: $(READY)             ## JupyterLab on the course, chapter 1 open
	$(BIN)/jupyter lab --ServerApp.root_dir=. --LabApp.extra_labextensions_path=src/course/widgets/lab chapters/01-self-attention.ipynb

notebooks: $(READY)       ## run the chapters, or CHAPTER=03, into their committed form
	$(BIN)/python -m book.notebooks $(CHAPTER)

tidy: $(READY)            ## take out of the notebooks what running and saving put in
	$(BIN)/python -m book.notebooks --tidy $(CHAPTER)

ledger: $(READY)          ## every printed number of the notes, recomputed, as a file
	@mkdir -p _build
	@$(BIN)/python -m course.ledger _build/ledger.csv

lint: $(READY)
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/python -m mypy --no-error-summary
	@$(BIN)/oxlint --quiet --deny-warnings src book tests

format: $(READY)
	$(BIN)/ruff check --fix --quiet .
	$(BIN)/ruff format --quiet .

lock: $(READY)            ## resolve the bounds anew: requirements.lock and .binder/
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/python -m book.lock

clean:
	rm -rf _build $(VENV)
