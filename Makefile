# The commands for development; `make help` lists them.
# They check for the system packages that the build and the tests need, and install missing ones.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup setup-tests programs demo install package image wheel release build test trials mutants packages contract \
  clients certificates providers libraries console load fuzz bench speed pictures lint format

# The Debian packages for the build and for the tests. The tests compare our results with those of other programs.
# A browser measures our pictures, with fonts for the languages of our texts.
BUILD_PACKAGES := libnghttp2-dev libpq-dev libsqlite3-dev libssl-dev zlib1g-dev
TEST_PACKAGES := $(BUILD_PACKAGES) curl default-jdk-headless gzip iproute2 jq nghttp2-client nghttp2-server nodejs openssl php-cli php-curl \
  pigz postgresql procps python3 python3-jsonschema python3-venv strace util-linux chromium fonts-liberation2 fonts-noto-cjk \
  fonts-noto-color-emoji
# The programs that make a package or an image, and those that try them.
PACKAGE_PACKAGES := $(BUILD_PACKAGES) binutils dpkg-dev
ROOT_PACKAGES := debootstrap iproute2 systemd buildah curl jq
IMAGE_PACKAGES := buildah
# Moves the clock of a provider.
PROVIDER_PACKAGES := faketime
WHEEL_PACKAGES := binutils python3 python3-venv
# The peers that `make speed` measures beside Waypost, and further ones of `make bench`.
SPEED_PACKAGES := mosquitto nginx nghttp2-client
BENCH_PACKAGES := $(SPEED_PACKAGES) gobjc libgnustep-base-dev nghttp2-server

# The folders of `make install`.
PREFIX := /usr/local
DESTDIR :=

SOURCES := Package.swift Core Server Agent CLI Tests docs/examples/swift

# The folder of the programs that `make contract`, `clients`, `certificates`, `providers`, `libraries` and `console` use;
# they build them if it is empty.
PROGRAMS :=
BUILT := $(if $(PROGRAMS),,build)

# The programs of `make bench`. The first compares with other programs; the others look at parts.
BENCHMARKS := peer-benchmarks core-benchmarks store-benchmarks delivery-benchmarks load-benchmarks

# The build for the fuzzer is instrumented, so it has its own folder. The fuzzer keeps its corpus and findings there.
FUZZ_BUILD := .build/fuzz
# A debug build takes much less time, and executes less per second: enough for a short run.
FUZZ_CONFIGURATION := release

# The time, or else the number of executions, for each target of the fuzzer, and the targets; all by default.
SECONDS := 60
RUNS :=
TARGETS :=

# The time of `make trials`, and the seed of its first trials. REPEAT= is a number of trials of each campaign instead.
HOURS := 0.2
TRIALS := 1
SEED := 0

# The number of mutants of `make mutants`.
COUNT := 100

# $(call install,<packages>): installs the missing packages, with sudo if the user is not root.
define install
	@command -v swift >/dev/null || { \
	  echo "There is no Swift compiler on the PATH. Install Swift 6.2 or later: https://swift.org/install" >&2; \
	  exit 2; }
	@missing=$$(for package in $(1); do \
	    dpkg-query --show --showformat='$${Status}' $$package 2>/dev/null | grep --quiet 'ok installed' \
	    || printf '%s ' $$package; done); \
	  [ -z "$$missing" ] && exit 0; \
	  command -v apt-get >/dev/null || { echo "There is no apt-get; install these packages by hand: $$missing" >&2; exit 2; }; \
	  as_root=; \
	  if [ "$$(id --user)" -ne 0 ]; then \
	    command -v sudo >/dev/null || { echo "Missing packages; install them as root: apt-get install $$missing" >&2; exit 2; }; \
	    as_root=sudo; \
	  fi; \
	  echo "Installing $$missing"; \
	  export DEBIAN_FRONTEND=noninteractive; \
	  $$as_root apt-get update --quiet=2 \
	  && $$as_root apt-get install --quiet=2 --yes --no-install-recommends $$missing >/dev/null \
	  || { echo "Could not install: $$missing" >&2; exit 2; }
endef

help: ## List the commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: ## Install the packages for the build
	$(call install,$(BUILD_PACKAGES))

setup-tests: ## Install the packages for the build and the tests
	$(call install,$(TEST_PACKAGES))

programs: setup ## Build the programs quickly, into .build/bin
	@CLI/Packaging/build.sh quick

# Installed programs are used only if they are of this commit.
demo: ## Run the demo: a gateway, three devices, a batch, and the reason why each scene opened
	@commit=$$(CLI/Packaging/commit.sh); \
	if [[ $$commit =~ ^[0-9a-f]+$$ ]] && waypost version --format jsonl 2>/dev/null | grep --quiet "\"commit\":\"$$commit\""; then \
	  echo "Using the installed $$(command -v waypost), which is of this commit"; \
	else \
	  $(MAKE) --no-print-directory programs && PATH="$$PWD/.build/bin:$$PATH"; \
	fi && waypost demo --format table --pictures .build/demo

install: setup ## Build optimized programs, and install them with all that belongs to them into PREFIX=/usr/local
	$(call install,binutils)
	@CLI/Packaging/build.sh release
	@CLI/Packaging/install.sh "$(DESTDIR)" "$(PREFIX)"
	@echo "Installed waypost, waypost-gateway and waypost-agent in $(DESTDIR)$(PREFIX)/bin"

package: setup ## Make a Debian package and a tarball in .build/package
	$(call install,$(PACKAGE_PACKAGES))
	@CLI/Packaging/build.sh release
	@CLI/Packaging/package.sh

image: package ## Make an image for containers in .build/package, for `docker load`
	$(call install,$(IMAGE_PACKAGES))
	@CLI/Packaging/image.sh

wheel: setup ## Make a wheel for Python that contains the programs in .build/package, for `pip install`
	$(call install,$(WHEEL_PACKAGES))
	@CLI/Packaging/build.sh release
	@CLI/Packaging/wheel.sh

.NOTPARALLEL:
release: wheel image ## Make all files of a version in .build/publish: package, tarball, image, wheel, checksums, notes
	@CLI/Packaging/release.sh

build: setup ## Build everything, also tests and benchmarks; warnings are errors
	@CLI/Packaging/build.sh all

bench: setup-tests ## Measure Waypost beside its peers (CHECK=1: fail if a ratio became worse; STORE=1: store the ratios)
	$(call install,$(BENCH_PACKAGES))
	for product in waypost $(BENCHMARKS); do \
	  swift build --configuration release --product $$product || exit; done
	ln --symbolic --force waypost .build/release/waypost-gateway
	! command -v gnustep-config >/dev/null || gcc -std=gnu11 $$(gnustep-config --objc-flags) \
	  -o .build/release/gnustep-predicates Tests/PeerBenchmarks/predicates.m $$(gnustep-config --base-libs)
	swift run --configuration release --skip-build peer-benchmarks --json .build/bench.json \
	  $(if $(CHECK),--check docs/performance.json) $(if $(STORE),--store docs/performance.json)
	for product in $(filter-out peer-benchmarks,$(BENCHMARKS)); do \
	  swift run --configuration release --skip-build $$product || exit; done
	$(if $(STORE),$(MAKE) --no-print-directory speed)

speed: setup-tests ## Fail if the gateway of the package needs more processor time than before, beside its peers (STORE=1: store)
	$(call install,$(SPEED_PACKAGES))
	@WAYPOST_PEER_BENCHMARKS=1 CLI/Packaging/build.sh release
	.build/package/release/peer-benchmarks --guard $(if $(STORE),--store,--check) docs/performance.json

test: setup-tests build ## Run all tests, or those that FILTER= matches (TRIALS=10: random choices 10 times as often; SEED=1: others)
	@WAYPOST_TRIALS=$(TRIALS) WAYPOST_SEED=$(SEED) Tests/run.sh $(if $(FILTER),'$(FILTER)')

sanitize: setup-tests ## Run the tests of Core with the address sanitizer, those of Server and Agent with the thread sanitizer
	@Tests/Sanitize/run.sh

trials: setup-tests build ## Attack the released programs for HOURS=0.2, and check every promise (CAMPAIGNS="crash disk", SEED=1, REPEAT=1)
	$(call install,$(PROVIDER_PACKAGES))
	@$(if $(PROGRAMS),,CLI/Packaging/build.sh release)
	.build/quick/debug/campaigns --programs $(or $(PROGRAMS),.build/package/release) --hours $(HOURS) --seed $(SEED) \
	  $(if $(REPEAT),--trials $(REPEAT)) $(CAMPAIGNS)

mutants: setup-tests ## Change the code at COUNT=100 places, one by one; fail if tests notice less than 97 % (SEED=, MODULE=, FILE=)
	@Tests/Mutants/mutants.py --count $(COUNT) --seed $(SEED) \
	  $(if $(MODULE),--module '$(MODULE)') $(if $(FILE),--file '$(FILE)') $(OPTIONS)

packages: setup-tests ## Try what `make release` made in a bare Debian root, and from another network (as root)
	$(call install,$(ROOT_PACKAGES))
	Tests/Packages/run.sh
	Tests/Packages/image.sh

contract: $(BUILT) setup-tests ## Call a running gateway as in docs/openapi.yaml, and check every response against it
	Tests/Contract/run.sh $(PROGRAMS)

clients: $(BUILT) setup-tests ## Send notifications with real APNs clients, as in docs/clients.md
	Tests/Clients/run.sh $(PROGRAMS)

providers: $(BUILT) setup-tests ## Try `waypost provider test` with a provider that is right or wrong (OPTIONS="--times 10 --whole")
	$(call install,$(PROVIDER_PACKAGES))
	Tests/Providers/run.sh $(or $(PROGRAMS),.build/bin) $(OPTIONS)

certificates: $(BUILT) setup-tests ## Run real APNs clients through the trials of providers, for the table in docs/clients.md
	$(call install,$(PROVIDER_PACKAGES))
	Tests/Clients/certificates/certificates.py $(PROGRAMS)

libraries: $(BUILT) setup-tests ## Run the suites of the test libraries: Python, Swift, Node, JUnit, bash
	$(call install,junit5)
	Tests/Libraries/run.sh $(PROGRAMS)

console: $(BUILT) setup-tests ## Use the console in a browser as a person would, and check it by WCAG
	WAYPOST_BIN=$(PROGRAMS) Tests/Console/run.sh

load: setup-tests ## Load a release build of the gateway with h2load for half a minute, and check its memory
	swift build --configuration release --product waypost
	ln --symbolic --force waypost .build/release/waypost-gateway
	Tests/Clients/load.sh .build/release

fuzz: setup ## Fuzz what reads bytes from outside, each target for SECONDS=60 (RUNS=1000000, TARGETS="json frames")
	WAYPOST_FUZZ=1 swift build --configuration $(FUZZ_CONFIGURATION) --sanitize fuzzer --sanitize address --product Fuzz \
	  --scratch-path $(FUZZ_BUILD)/build -Xswiftc -enable-testing --explicit-target-dependency-import-check error
	Tests/Fuzz/run.sh $(if $(RUNS),--runs $(RUNS),--seconds $(SECONDS)) $(FUZZ_BUILD)/build/$(FUZZ_CONFIGURATION)/Fuzz $(FUZZ_BUILD) $(TARGETS)

pictures: build setup-tests ## Draw the pictures of docs/ again: the pipeline, the modules, and those of docs/attribution.md
	python3 docs/architecture/pipeline.py >docs/architecture/pipeline.svg
	swift package describe --type json | python3 docs/architecture/modules.py >docs/architecture/modules.svg
	PATH="$$PWD/.build/bin:$$PATH" bash -euo pipefail \
	  -c "$$(sed --quiet 's/^    \(waypost .* > docs\/pictures\/.*\.svg\)$$/\1/p' docs/attribution.md)"

lint: ## Check the format and the rules of swift format, strictly; check the tool of `make mutants` and the planted bugs
	swift format lint --strict --recursive --parallel $(SOURCES)
	python3 -B -m unittest discover --start-directory Tests/Mutants
	Tests/Campaigns/planted.sh --check

format: ## Format the sources
	swift format --in-place --recursive --parallel $(SOURCES)
