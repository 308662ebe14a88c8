# Every target does its own set-up. `make help` lists them.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TABLE_STAMP := $(VENV)/.installed-for-the-first-table
DEMO_STAMP := $(VENV)/.installed-for-demo
PYTEST_STAMP := $(VENV)/.installed-for-compiling
EXTRAS := dev,zstd,parquet,cluster,exact,statistics,docs
# what the demo imports: two sets that share nothing, which two pips install at a time
COMPUTING := numba deap pandas
TALKING := typer pydantic rich
PLUGINS := plugins/centre[postgresql] plugins/slurm[prometheus] plugins/web[notebook]
INSTALL := $(BIN)/python -m pip install --quiet --constraint constraints.txt
AT_ONCE = $(MAKE) --silent $(if $(findstring jobserver,$(MAKEFLAGS)),,--jobs=2)
PACKAGES := swfx checkpoint pricing utilitysched
READERS_VENV := .venv-readers
READERS_STAMP := $(READERS_VENV)/.tried
WORKERS ?= 4
PYTEST = $(BIN)/python -m pytest -q --numprocesses $(WORKERS) --dist loadscope --no-loadscope-reorder
CHECKED := tests/test_architecture.py tests/test_words.py tests/swfx tests/checkpoint tests/pricing \
  $(addprefix tests/utilitysched/,model kernels schedulers engine analysis runs)
COMPILING := tests/pricing/test_evidence.py tests/pricing/test_recomputation.py \
  $(addprefix tests/utilitysched/,kernels runs schedulers/coscheduling schedulers/offline schedulers/test_restarts.py schedulers/test_orderings.py model/test_semantics.py) \
  $(addprefix tests/utilitysched/engine/,machine test_allocation.py test_compiled.py test_machine_compiled.py)
BROWSERS := chromium chromium-browser google-chrome
BROWSER_STAMP := $(VENV)/.browser-tried
POSTGRESQL := command -v initdb /usr/lib/postgresql/*/bin/initdb
POSTGRESQL_STAMP := $(VENV)/.postgresql-tried
SLURM := slurmctld slurmd slurm-client munge slurmdbd slurm-wlm-mysql-plugin mariadb-server
HAS_SLURM := $(BIN)/python -c 'from plugins.slurm.tests.private.cluster import missing_programs as missing; exit(len(missing()))'
SLURM_STAMP := $(VENV)/.slurm-tried
SLURM_BUILD := gcc make pkg-config libmunge-dev libjson-c-dev liblua5.3-dev libmariadb-dev libdbus-1-dev
OWN_SLURM = $(CURDIR)/build/slurm-$(VERSION)
FOR_TESTS = $(STAMP) $(READERS_STAMP) $(BROWSER_STAMP) $(POSTGRESQL_STAMP)
FUZZ_VENV := .venv-fuzz
FUZZ_STAMP := $(FUZZ_VENV)/.tried
GUIDED ?= 600

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# what is installed is compiled when first imported, and kept: empty is unset
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo shown computing talking check ready compiled test test-long test-plugins test-slurm slurm-from-source versions lint types docs pictures wheel bench fuzz clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 16

# The clone itself runs; what the demo does not need is installed meanwhile.
demo: $(TABLE_STAMP) ## five schedulers on the packaged workload, and a bill
	+@$(AT_ONCE) shown $(DEMO_STAMP)
	@echo; echo "To put utilitysched on your path:  . $(BIN)/activate"

shown:
	@$(BIN)/python -m utilitysched demo

# Hardly a test of these waits for anything. Ledgers on a server take twice as long as those in
# files, and show the same but for what only a server can do wrong.
check: WORKERS := 2
check: $(STAMP) ## the fast tests with a fifth of the random cases, for daily work: under a minute
	@RANDOM_CASES=$${RANDOM_CASES:-0.2} $(PYTEST) -m 'not slow' -k 'not postgresql' $(CHECKED) $(ARGS)

ready: $(FOR_TESTS) $(SLURM_STAMP) compiled ## install and compile what the tests need

# Processes that need the same kernel at once compile it each. One process compiles nearly all while
# others install; whether these tests pass is for `make test` to say.
compiled: $(PYTEST_STAMP)
	@echo "compiling ..."
	@RANDOM_CASES=0.2 $(BIN)/python -m pytest -qq --continue-on-collection-errors $(COMPILING) >/dev/null || true

test: $(FOR_TESTS) ## the tests of the core, in four processes (WORKERS=N: in N), a fifth of the random cases
	@RANDOM_CASES=$${RANDOM_CASES:-0.2} $(PYTEST) -m 'not slurm and not long' $(ARGS)

test-long: $(FOR_TESTS) ## the same with ten times all random cases (RANDOM_CASES=N: N times), and whole experiments
	@RANDOM_CASES=$${RANDOM_CASES:-10} $(PYTEST) -m 'not slurm' tests $(PACKAGES) plugins $(ARGS)
	@$(BIN)/python -m tests.digests

test-plugins: $(FOR_TESTS) ## the tests of the distributions beside the core, on the installed core
	@RANDOM_CASES=$${RANDOM_CASES:-0.2} $(PYTEST) -m 'not slurm and not long and not wheels' plugins $(ARGS)

# They wait more than they compute. `make test`, which has the same assertions on a recorded listing,
# installs no Slurm: a database and daemons are no guests on a workstation.
test-slurm: WORKERS := 3
test-slurm: $(STAMP) $(SLURM_STAMP) ## the tests on private Slurm clusters, in two minutes; as root it installs Slurm
	@$(PYTEST) -rs -m 'slurm and not long' plugins/slurm/tests/private $(ARGS)

# A version that Debian has not, for `UTILITYSCHED_TEST_SLURM=build/slurm-25.05.8 make test-slurm`. What
# the tests need of it: several slurmd on a machine, munge, accounting in MariaDB, JSON and Lua.
slurm-from-source: ## another Slurm for these tests, VERSION=25.05.8, if its source lies beside the repository; as root it installs what that needs
	@[ -n "$(VERSION)" ] || { echo "error: say which: make slurm-from-source VERSION=25.05.8" >&2; exit 2; }
	@[ -d ../slurm-$(VERSION) ] || [ -f ../slurm-$(VERSION).tar.bz2 ] || { \
	  echo "error: no source of Slurm $(VERSION): put it into $(abspath ..)/slurm-$(VERSION).tar.bz2, or unpacked into $(abspath ..)/slurm-$(VERSION)" >&2; exit 2; }
	@mkdir -p $(VENV) $(OWN_SLURM)/objects
	@$(call INSTALL_DEBIAN,$(SLURM_BUILD))
	@echo "building Slurm $(VERSION); this takes about ten minutes ..."
	@source=$(abspath ..)/slurm-$(VERSION); cd $(OWN_SLURM); \
	  if [ ! -d $$source ]; then \
	    mkdir -p source; tar -xjf $$source.tar.bz2 -C source --strip-components=1; source=$$PWD/source; fi; \
	  cd objects; { $$source/configure --quiet --prefix=$(OWN_SLURM) --enable-multiple-slurmd --disable-x11 CFLAGS=-O1 && \
	    $(MAKE) --silent --jobs=2 -C auxdir && $(MAKE) --silent --jobs=2 -C src install; } >../build.log 2>&1 || { \
	    echo "error: it cannot be built; the end of $(OWN_SLURM)/build.log:" >&2; tail -n 5 ../build.log >&2; exit 2; }
	@rm -rf $(OWN_SLURM)/objects $(OWN_SLURM)/source
	@$(OWN_SLURM)/sbin/slurmctld -V
	@echo "now: UTILITYSCHED_TEST_SLURM=$(OWN_SLURM) make test-slurm"

versions: $(DEMO_STAMP) ## some tests of the core on every other Python here, with the oldest and the newest packages
	@RANDOM_CASES=$${RANDOM_CASES:-0.2} $(BIN)/python -m tests.versions

lint: $(STAMP) ## ruff: rules and formatting
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(STAMP) ## mypy --strict
	@$(BIN)/mypy

docs: $(STAMP) ## the documentation site, in build/site; needs no network
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "open build/site/index.html; searching needs a server: $(BIN)/python -m http.server -d build/site"

pictures: $(STAMP) ## all charts on one page, from real runs, in build/pictures
	@$(BIN)/python -m tests.pictures

wheel: $(DEMO_STAMP) ## a wheel with its compiled code, in dist: for this Python, this family of processors and the pinned numba
	@echo "compiling what users begin with; this takes about two minutes ..."
	@HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 $(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

bench: $(STAMP) ## measured figures beside their targets; ARGS=parse for one
	@NUMBA_CACHE_DIR=.numba_cache $(BIN)/python -m benchmarks $(ARGS)

fuzz: $(STAMP) $(FUZZ_STAMP) ## a million mutated files, then ten minutes guided by coverage; ARGS="--files 5000 pbs" GUIDED=9 for less
	@$(BIN)/python -m tests.fuzz $(ARGS)
	@if $(FUZZ_VENV)/bin/python -c 'import atheris' 2>/dev/null; then \
	  PYTHONPATH=.:$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))') \
	  $(FUZZ_VENV)/bin/python -m tests.fuzz.guided --seconds $(GUIDED); \
	  else echo "note: atheris cannot be installed here; no run guided by coverage"; fi

clean: ## remove caches and build products, keep the virtual environment
	@rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .numba_cache .coverage htmlcov
	@find $(PACKAGES) plugins tests -name __pycache__ -type d -prune -exec rm -rf {} +

# An environment without the stamp is half made or somebody else's: it is kept if its Python and pip
# work, made afresh otherwise, and brought to the pinned versions in either case. Python compiles what
# it imports, not all that is installed. Two processes of make, since Ctrl-C does not end what a shell
# runs in the background.
$(TABLE_STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "error: utilitysched needs Python 3.11 or newer, and '$(PYTHON)' is not; install it or say make PYTHON=/path/to/python3" >&2; exit 2; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "error: $(PYTHON) cannot make virtual environments; on Debian: apt install python3-venv" >&2; exit 2; }
	@rm -f $(TABLE_STAMP) $(DEMO_STAMP) $(PYTEST_STAMP) $(STAMP)
	@if ! $(BIN)/python -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	  echo "making $(VENV) ..."; $(PYTHON) -m venv --clear $(VENV); fi
	@echo "installing the pinned packages into $(VENV) ..."
	+@$(AT_ONCE) computing talking
	@touch $(TABLE_STAMP)

computing:
	@$(INSTALL) --no-compile $(COMPUTING)

talking:
	@$(INSTALL) --no-compile $(TALKING)

$(DEMO_STAMP): $(TABLE_STAMP)
	@nice $(INSTALL) --no-compile hatchling editables
	@nice $(INSTALL) --no-compile --no-build-isolation --editable '.[statistics]'
	@touch $(DEMO_STAMP)

$(PYTEST_STAMP): $(DEMO_STAMP)
	@$(INSTALL) --no-compile pytest pytest-xdist hypothesis
	@touch $(PYTEST_STAMP)

$(STAMP): $(PYTEST_STAMP)
	@echo "installing what tests, documentation and extras need into $(VENV) ..."
	@$(INSTALL) --no-compile --no-build-isolation --editable '.[$(EXTRAS)]' $(PLUGINS:%=--editable ./%)
	@touch $(STAMP)

# Other people's readers of the files that we write, apart from ours like the programs below. evalys
# still asks pandas for what pandas 3 has dropped. Where they cannot be installed the tests that
# need them are skipped, but not on CI.
$(READERS_STAMP): Makefile
	@echo "installing readers of other people into $(READERS_VENV) ..."
	@$(PYTHON) -m venv --clear $(READERS_VENV)
	@$(READERS_VENV)/bin/python -m pip install --quiet --no-compile 'evalys==4.0.7' 'pandas==2.3.3' 'accasim==1.1.3' || \
	  echo "note: evalys and accasim cannot be installed here; tests that need them will be skipped" >&2
	@touch $(READERS_STAMP)

# Debian's packages, one installation at a time; no service of theirs is started.
define INSTALL_DEBIAN
if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
  echo "installing $(1) ..."; \
  DEBIAN_FRONTEND=noninteractive flock $(VENV) sh -c '\
    start=/usr/sbin/policy-rc.d; \
    [ -e $$start ] || { trap "rm -f $$start" EXIT; printf "#!/bin/sh\nexit 101\n" >$$start; chmod +x $$start; }; \
    apt-get update && apt-get install -y --no-install-recommends $(1)' >/dev/null 2>&1 || true; fi
endef

# Reports are tested in a browser of the system. Where none can be installed the tests that need one
# are skipped, but not on CI.
$(BROWSER_STAMP): Makefile | $(DEMO_STAMP)
	@command -v $(BROWSERS) >/dev/null || { $(call INSTALL_DEBIAN,chromium fonts-dejavu-core); }
	@command -v $(BROWSERS) >/dev/null || \
	  echo "note: no browser here ($(BROWSERS)); tests in a browser will be skipped" >&2
	@touch $(BROWSER_STAMP)

# Ledgers are tested on a PostgreSQL server of their own, which the tests start and stop. Where none
# can be installed these tests are skipped, but not on CI.
$(POSTGRESQL_STAMP): Makefile | $(DEMO_STAMP)
	@$(POSTGRESQL) >/dev/null || { $(call INSTALL_DEBIAN,postgresql); }
	@$(POSTGRESQL) >/dev/null || \
	  echo "note: no PostgreSQL server here; tests of ledgers in one will be skipped" >&2
	@touch $(POSTGRESQL_STAMP)

# The market is tested on Slurm clusters of their own, which the tests start and stop as any user.
# Where Slurm cannot be installed these tests are skipped, but not on CI.
$(SLURM_STAMP): Makefile | $(DEMO_STAMP)
	@$(HAS_SLURM) || { $(call INSTALL_DEBIAN,$(SLURM)); }
	@$(HAS_SLURM) || echo "note: no Slurm here; tests on clusters of their own will be skipped" >&2
	@touch $(SLURM_STAMP)

# atheris is an engine for `make fuzz` only, and not made for every Python.
$(FUZZ_STAMP): $(STAMP) Makefile
	@$(BIN)/python -m venv --clear $(FUZZ_VENV)
	@$(FUZZ_VENV)/bin/python -m pip install --quiet 'atheris==3.0.0' || \
	  echo "note: atheris cannot be installed here" >&2
	@touch $(FUZZ_STAMP)
