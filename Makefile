# Everything a developer runs. `make help` lists it.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.PHONY: help run test test-rust test-clients test-conformance test-browser screenshots prepare lint fmt bench fuzz soak

# One target folder for cargo, the scripts and the client tests alike.
export CARGO_TARGET_DIR := $(abspath $(or $(CARGO_TARGET_DIR),target))

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

run: ## Build the release and serve: make run ARGS="--listen 127.0.0.1:9000"
	cargo run --release --bin stoa -- serve $(ARGS)

test: ## Install what the tests need, then run all of them
	$(MAKE) test-rust
	$(MAKE) test-clients
	$(MAKE) test-conformance
	$(MAKE) test-browser

test-rust: prepare ## Unit and integration tests, each storage test on SQLite and on a private PostgreSQL
	scripts/postgres.sh run cargo nextest run --workspace

test-clients: prepare ## The official TypeScript and Python clients against the real binary
	cargo build --bin stoa
	cd tests/clients/typescript && npm test
	cd tests/clients/python && $(CARGO_TARGET_DIR)/clients/venv/bin/pytest

test-conformance: prepare ## The official MCP conformance suite against the kit and the real binary
	cargo build --bin stoa
	cargo build -p stoa-mcp --example conformance
	cd tests/conformance && npm --silent test

test-browser: prepare ## The pages in a real Chromium, and official clients that connect through them
	cargo build --bin stoa
	cd tests/browser && npm --silent test

screenshots: prepare ## Look at every page again: writes docs/screenshots
	cargo build --bin stoa
	cd tests/browser && STOA_SCREENSHOTS=1 npm --silent test

prepare: ## Install what the tests need and is missing (apt-get, cargo, npm, pip)
	scripts/prepare.sh

lint: ## Formatting, clippy without a warning, and licenses, bans and sources of the dependencies
	cargo fmt --all --check
	cargo fmt --manifest-path fuzz/Cargo.toml --check
	cargo clippy --workspace --all-targets --all-features -- -D warnings
	! grep -n '"resolved"' tests/clients/typescript/package-lock.json tests/conformance/package-lock.json \
	  tests/browser/package-lock.json \
	  bench/peers/typescript/package-lock.json
	scripts/deny.sh

fmt: ## Format the code
	cargo fmt --all
	cargo fmt --manifest-path fuzz/Cargo.toml

bench: prepare ## Measure the numbers that Stoa promises: make bench ARGS="--only start"
	scripts/prepare-bench.sh
	cargo build --release --bin stoa --bin bench --bin kit
	cargo build --release --manifest-path bench/peers/rmcp/Cargo.toml
	scripts/postgres.sh run $(CARGO_TARGET_DIR)/release/bench run $(ARGS) | tee bench/RESULTS.md

fuzz: ## Feed what reads text from outside with random input, a minute each: make fuzz ARGS="query tokens"
	scripts/fuzz.sh $(ARGS)

soak: prepare ## Ten minutes of calls, kills and restarts on two nodes: make soak ARGS="--minutes 2"
	cargo build --release --bin stoa --bin bench
	scripts/postgres.sh run $(CARGO_TARGET_DIR)/release/bench soak $(ARGS)
