# Two commands do everything on a fresh machine: `make demo` runs the main job, `make test` the tests.
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test setup lint types check bench bench-smoke format pictures clean

demo: setup
	$(BIN)/stakd demo --seed 7 --push --out out

test: setup
	$(BIN)/python -m pytest -n auto --dist worksteal

setup: $(VENV)/.ready

$(VENV)/.ready: pyproject.toml constraints.txt setup.sh
	sh setup.sh $(VENV) video,study,cluster,test,dev
	@touch $@

# OpenSpiel and RLCard, the anchors of the rules benchmarks, are large, so only benchmarks ask for them
$(VENV)/.ready-bench: $(VENV)/.ready
	sh setup.sh $(VENV) video,study,cluster,test,dev,rl
	@touch $@

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

check: lint types test

bench: $(VENV)/.ready-bench
	$(BIN)/python -m bench

bench-smoke: $(VENV)/.ready-bench
	$(BIN)/python -m bench --smoke

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

pictures: setup
	$(BIN)/python -m docs.pictures

clean:
	rm -rf $(VENV) out build *.egg-info .pytest_cache .mypy_cache .ruff_cache
