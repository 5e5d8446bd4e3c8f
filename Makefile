# On a machine with Python 3.11 or later, these two commands do all the set-up:
#   make demo    run the demonstration of assay
#   make test    run the whole test suite
# Both create .venv and install the versions pinned in constraints*.txt. The second run is quick.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BROWSER := build/browser/package-lock.json
# The generated pages show translations: without this they would be those of the last build.
COMPILE_WORDS := $(BIN)/python -c 'from hatch_build import compile_words; compile_words()'
PIP := $(BIN)/python -m pip --disable-pip-version-check
# Tests wait for servers, browsers and deadlines almost as long as they compute: three for two cores.
WORKERS ?= $(shell echo $$(( ($$(getconf _NPROCESSORS_ONLN) * 3 + 1) / 2 )))

.PHONY: demo test page browser check format docs words bench lock clean help fuzz soak soak-page test-real-model test-real-clients \
	test-newcomer newcomer walks test-cluster

help:
	@sed -n 's/^#   //p' Makefile; echo "make check    run the checks of CI other than the tests"
	@echo "make test-real-model   call a real local model, installed into .venv-real-model"
	@echo "make test-real-clients make the usual model clients fail, installed into .venv-real-clients"
	@echo "make test-newcomer     try a fresh clone with an empty home, from make demo to pip install"
	@echo "make newcomer the commands of the READMEs in three locales, 80 columns and an empty home"
	@echo "make walks    own documents, LangChain and FastAPI, a log, a notebook: how long a newcomer waits"
	@echo "make page     build the page of assay view from web/"
	@echo "make browser  install the browser of the tests into build/, where the machine has none"
	@echo "make fuzz     damaged files for every reader, for at most MINUTES (15)"
	@echo "make soak     KILLS (200) random kills: jobs, judges, merges, redaction, labels, the page"
	@echo "make soak-page   PAGE_KILLS (100) random kills of the page's server while it starts runs"
	@echo "make test-cluster CLUSTER_KILLS (20) kills of machines and of drivers of a Ray cluster"
	@echo "make format   format the code"; echo "make docs     write the generated pages again"
	@echo "make words    bring the catalogues of translations up to date"
	@echo "make bench    measure; results go to bench/results"; echo "make lock     pin the dependencies again"

demo: $(VENV)/page
	$(BIN)/assay demo

# The commands under test start hundreds of times, and each worker reads all tests: where Python may not
# write byte code, each would compile again.
test: $(VENV)/dev $(VENV)/page $(BROWSER)
	@$(BIN)/python -m compileall -q src
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -q

# The page and the catalogues are built with the package; this builds them again after a change in
# web/ or of a translation, and says why they cannot be built.
page: $(VENV)/core
	$(BIN)/python hatch_build.py

browser: $(BROWSER)

check: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy tests/typing
	$(BIN)/lint-imports
	$(BIN)/python -m tools.check_repository
	$(COMPILE_WORDS)
	$(BIN)/python tools/generate_docs.py --check
	$(BIN)/python tools/generate_types.py --check
	$(BIN)/python hatch_build.py --check

format: $(VENV)/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/dev
	$(COMPILE_WORDS)
	$(BIN)/python tools/generate_docs.py
	$(BIN)/python tools/generate_types.py

# The catalogues of translations, brought up to date with the texts in the code.
words: $(VENV)/dev
	$(BIN)/python -m tools.words

bench: $(VENV)/dev
	$(BIN)/python bench/run.py

# Tests against a server and a model that are not part of this project; see docs/evidence/real-model.md.
test-real-model: $(VENV)/dev
	bash tests/real_model/run.sh

# Tests how the exceptions of other people's clients are read; see docs/adapters.md.
test-real-clients: $(VENV)/dev
	bash tests/real_clients/run.sh

# Tests a fresh clone with an empty home folder, as a newcomer has.
test-newcomer:
	bash tests/newcomer/run.sh

# The first ten minutes in each language; the pictures stay in build/newcomer, to be looked at.
newcomer: $(VENV)/dev
	rm -rf build/newcomer
	$(BIN)/python -m tests.newcomer.readme build/newcomer

# How long a newcomer waits for a first result; the folders of the walks stay in build/walks.
walks: $(VENV)/dev $(VENV)/page
	$(BIN)/python -m tests.walks.run

# Reads damaged files with every reader; a finding belongs into tests/fuzz/seed.
MINUTES ?= 15
fuzz: $(VENV)/dev
	$(BIN)/python -m tests.fuzz.run --minutes $(MINUTES) --keep build/fuzz

# Kills all commands that write, and the page while a person labels; nothing may be lost or be there twice.
KILLS ?= 200
soak: $(VENV)/dev
	$(BIN)/python -m tests.soak.run --kills $(KILLS)

# Kills the server of the page while it starts, stops and resumes a run; no run may be harmed.
PAGE_KILLS ?= 100
soak-page: $(VENV)/dev
	$(BIN)/python -m tests.soak.page --kills $(PAGE_KILLS)

# Kills machines and drivers of a real Ray cluster of processes; see docs/operating.md.
CLUSTER_KILLS ?= 20
test-cluster: $(VENV)/dev
	$(BIN)/python -m tests.cluster.small
	$(BIN)/python -m tests.cluster.run --kills $(CLUSTER_KILLS)

lock: $(VENV)/python
	$(PIP) install --quiet uv
	$(BIN)/python tools/lock.py

clean:
	rm -rf $(VENV) web/node_modules web/build src/assay/web/bundle build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# A stamp file means: the environment is up to date with the files that the stamp depends on.
$(VENV)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "assay needs Python 3.11 or later; choose one with make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

# Node is installed into the environment only where the machine has none that is new enough.
$(VENV)/core: $(VENV)/python constraints.txt constraints-node.txt pyproject.toml
	$(PIP) install --quiet --require-hashes --no-deps -r constraints.txt
	@$(BIN)/python -c 'import hatch_build; raise SystemExit(not hatch_build._machine_npm())' || \
	  $(PIP) install --quiet --require-hashes --no-deps -r constraints-node.txt
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/page: $(VENV)/core $(wildcard src/assay/words/locale/*.po) \
	  $(shell find web/src web/*.json web/build.mjs 2>/dev/null)
	$(BIN)/python hatch_build.py --try
	@test ! -f src/assay/web/bundle/sources.sha256 || touch $@

# Written only if this machine has no browser and the tests can install one: see tests/chromium.
$(BROWSER): tests/chromium/package-lock.json $(VENV)/core
	@$(BIN)/python -m tests.chromium.install

$(VENV)/dev: $(VENV)/core constraints-dev.txt
	$(PIP) install --quiet --require-hashes --no-deps -r constraints-dev.txt
	@touch $@
