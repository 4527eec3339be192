# The few commands people type. `make help` lists them.
# Everything the build and the tests need from the system is checked for, and installed where it is missing.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup setup-tests build test contract clients load fuzz demo bench pictures lint format

# What the build needs, and what the tests hold our answers against: Debian packages. A browser measures our pictures,
# with fonts for the languages of our words.
BUILD_PACKAGES := libnghttp2-dev libsqlite3-dev zlib1g-dev
TEST_PACKAGES := $(BUILD_PACKAGES) curl gzip nghttp2-client openssl pigz procps python3 python3-jsonschema python3-venv strace util-linux \
  chromium fonts-liberation2 fonts-noto-cjk fonts-noto-color-emoji
SOURCES := Package.swift Core Server Agent CLI Tests

# Tests of a process share its few threads. Those that wait for sockets and programs do not wait behind those that compute.
SOCKET_TESTS := ^(AssociationFetching|DeviceAgent|Durability|EndToEnd|Gateway|GatewayClient)Tests[.]

# What is built for the fuzzer is instrumented, so that it has a folder of its own. What it has found out stays there.
FUZZ_BUILD := .build/fuzz
SECONDS := 60

# $(call install,<packages>): installs those that are not there, through sudo where we are not root.
define install
	@command -v swift >/dev/null || { \
	  echo "There is no Swift compiler on the PATH. Swift 6.2 or later is needed; swift.org/install has it." >&2; \
	  exit 2; }
	@missing=$$(for package in $(1); do \
	    dpkg-query --show --showformat='$${Status}' $$package 2>/dev/null | grep --quiet 'ok installed' \
	    || printf '%s ' $$package; done); \
	  [ -z "$$missing" ] && exit 0; \
	  command -v apt-get >/dev/null || { echo "Missing, and there is no apt-get to install it: $$missing" >&2; exit 2; }; \
	  as_root=; \
	  if [ "$$(id --user)" -ne 0 ]; then \
	    command -v sudo >/dev/null || { echo "Missing; install as root: apt-get install $$missing" >&2; exit 2; }; \
	    as_root=sudo; \
	  fi; \
	  echo "Installing $$missing"; \
	  export DEBIAN_FRONTEND=noninteractive; \
	  $$as_root apt-get update --quiet=2 \
	  && $$as_root apt-get install --quiet=2 --yes --no-install-recommends $$missing >/dev/null \
	  || { echo "Could not install: $$missing" >&2; exit 2; }
endef

help: ## List the commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: ## Install what the build needs
	$(call install,$(BUILD_PACKAGES))

setup-tests: ## Install what the tests need
	$(call install,$(TEST_PACKAGES))

build: setup ## Build everything; warnings are errors
	swift build --explicit-target-dependency-import-check error

demo: build ## Run the whole pipeline on the demo: a gateway, two devices, a batch, and why each scene opened
	swift run --skip-build waypost demo --format table --pictures .build/demo

bench: setup ## Measure the core, the store and ten thousand devices in a release build
	swift build --configuration release --product core-benchmarks
	swift build --configuration release --product store-benchmarks
	swift build --configuration release --product waypost-gateway
	swift build --configuration release --product delivery-benchmarks
	swift run --configuration release --skip-build core-benchmarks
	swift run --configuration release --skip-build store-benchmarks
	swift run --configuration release --skip-build delivery-benchmarks

test: setup-tests ## Run all tests, and say at the end what failed
	swift build --build-tests --explicit-target-dependency-import-check error
	@set -o pipefail; failed=; rm --force .build/tests.log; \
	for which in --skip --filter; do \
	  swift test --skip-build $$which '$(SOCKET_TESTS)' 2>&1 | tee --append .build/tests.log || failed=yes; \
	done; \
	[ -z "$$failed" ] && exit 0; \
	echo "What failed, of all that is above and in .build/tests.log:" >&2; \
	grep --text --extended-regexp '^✘ .* (recorded an issue|failed after)|error:' .build/tests.log \
	  | cut --bytes=1-600 >&2; \
	exit 1

contract: build setup-tests ## Call a running gateway by docs/openapi.yaml, and hold every answer against it
	Tests/Contract/run.sh

clients: build setup-tests ## Let real APNs clients send, as docs/clients.md says
	Tests/Clients/run.sh

load: setup-tests ## Load a release build of the gateway with h2load for half a minute, and look at its memory
	swift build --configuration release --product waypost-gateway
	Tests/Clients/load.sh .build/release

fuzz: setup ## Look for formats that break the predicate language, and for frames that break HTTP/2, for SECONDS=60 each
	WAYPOST_FUZZ=1 swift build --configuration release --sanitize fuzzer --product PredicateFuzz \
	  --scratch-path $(FUZZ_BUILD) --explicit-target-dependency-import-check error
	WAYPOST_FUZZ=1 swift build --configuration release --sanitize fuzzer --sanitize address --product FrameFuzz \
	  --scratch-path $(FUZZ_BUILD)-frames --explicit-target-dependency-import-check error
	mkdir --parents $(FUZZ_BUILD)/corpus $(FUZZ_BUILD)-frames/corpus
	SWIFT_BACKTRACE=enable=no $(FUZZ_BUILD)-frames/release/FrameFuzz -max_total_time=$(SECONDS) -timeout=10 \
	  -max_len=4096 -print_final_stats=1 -artifact_prefix=$(FUZZ_BUILD)-frames/ $(FUZZ_BUILD)-frames/corpus
	SWIFT_BACKTRACE=enable=no $(FUZZ_BUILD)/release/PredicateFuzz -max_total_time=$(SECONDS) -timeout=10 \
	  -dict=Tests/PredicateFuzz/predicates.dict -print_final_stats=1 -artifact_prefix=$(FUZZ_BUILD)/ $(FUZZ_BUILD)/corpus

pictures: build setup-tests ## Draw the pictures of docs/ anew: the modules, and what docs/attribution.md has commands for
	swift package describe --type json | python3 docs/architecture/modules.py >docs/architecture/modules.svg
	PATH="$$PWD/.build/debug:$$PATH" bash -euo pipefail \
	  -c "$$(sed --quiet 's/^    \(waypost .* > docs\/pictures\/.*\.svg\)$$/\1/p' docs/attribution.md)"

lint: ## Check format and habits, strictly
	swift format lint --strict --recursive --parallel $(SOURCES)

format: ## Put the sources into their format
	swift format --in-place --recursive --parallel $(SOURCES)
