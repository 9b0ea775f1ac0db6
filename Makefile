# Everything that is done with this tree. `make help` lists it.

SITE     := build/site
NODE_RUN := $(shell go env GOROOT)/lib/wasm/go_js_wasm_exec

.DEFAULT_GOAL := help
.PHONY: help run build release release-check test test-native test-hashes test-emulated test-wasm test-browser fuzz lint bench lighthouse setup

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

run: build ## Build the site and serve it on a free local port; needs only Go
	@go run ./tools/rail serve $(SITE)

build: ## Build the page's program and the site into build/site
	@go run ./tools/rail build -o $(SITE)

release: ## Build build/release/rail-* for Linux, macOS and Windows: each holds the course and needs neither Go nor the source tree
	@tools/release.sh build/release

release-check: ## Build the release in another folder, without what was compiled before, and hold it against build/release
	@tools/release.sh build/release --check

test: lint test-native test-hashes test-wasm test-browser ## Run everything: lint, native, WebAssembly in Node, a real browser

test-native: ## Run the Go tests natively
	go test ./...

test-hashes: ## Hold the hashes of logs on amd64 v3 and on 386, where this machine runs their programs
	@tools/hashes.sh v3 386

test-emulated: ## The same on arm64 and on arm, which has 32 bits; emulated by qemu-user-static
	@tools/hashes.sh arm64 arm

test-wasm: ## Run the core's tests as WebAssembly in Node
	GOOS=js GOARCH=wasm go test -exec="$(NODE_RUN)" ./core/...

test-browser: ## Run the tests in headless Chromium
	cd tools/e2e && npm ci --no-audit --no-fund --ignore-scripts && node --test

fuzz: ## Fuzz every decoder and the handlers, FUZZTIME (20s) each, one after the other
	@tools/fuzz.sh $(or $(FUZZTIME),20s)

lint: ## Check formatting, vet, staticcheck, import rules and house style
	@unformatted="$$(gofmt -l core lessons tools wasm web)"; if [ -n "$$unformatted" ]; then \
	  echo "not formatted; run gofmt -w on:"; echo "$$unformatted"; exit 1; fi
	go vet ./...
	GOOS=js GOARCH=wasm go vet ./core/... ./wasm/...
	go tool staticcheck ./...
	GOOS=js GOARCH=wasm "$$(go tool -n staticcheck)" ./wasm/...
	go test ./tools/tidy

bench: ## Measure throughput, sizes and frames beside their budgets; PART=core, peers, size or page for less
	@go run ./tools/bench $(PART)

lighthouse: ## Hold home, a lesson, an embed and the guide against Lighthouse, offline; prints their performance
	cd tools/lighthouse && npm ci --no-audit --no-fund --ignore-scripts && node lighthouse.mjs

setup: ## Install Node, npm and Chromium where they are missing (Debian), or say how
	@tools/setup.sh
