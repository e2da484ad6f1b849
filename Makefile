# crioctl-net. `make help` lists the targets.

SHELL := /bin/bash
.DEFAULT_GOAL := build
GO ?= go
TOOL := $(GO) tool -modfile=.ci/tools.mod

LDFLAGS := -s -w

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## build the static binary into bin/
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/crioctl-net ./cmd/crioctl-net

.PHONY: demo
demo: build ## disable hostport on a sample node root and show the result
	@test/demo/run bin/crioctl-net

.PHONY: test
test: deps check unit dialects systemd-test ## everything that has to pass; installs what it needs
	@echo 'make test: all passed'

.PHONY: deps
deps: ## install the Debian packages that the tests need, or say which are missing
	@.ci/deps

.PHONY: check
check: build ## gofmt, go vet, staticcheck, shellcheck, generated files fresh
	@out=$$(gofmt -l cmd crioconf migrate patches schema test); [ -z "$$out" ] || { echo "gofmt: $$out"; exit 1; }
	$(GO) vet ./...
	$(TOOL) staticcheck ./...
	shellcheck .ci/run .ci/deps .ci/sysd .ci/systemd-test test/demo/run test/demo/session
	@mkdir -p .gotmp && FREEZE='$(TOOL) freeze' test/demo/session bin/crioctl-net -o .gotmp/session.svg
	@cmp .gotmp/session.svg docs/session.svg || { echo 'the picture of README.md is stale: make generate'; exit 1; }
	$(GO) mod verify >/dev/null
	$(GO) mod tidy -diff

.PHONY: unit
unit: ## unit tests with the race detector, script tests, conformance
	$(GO) test -race -timeout 30m $$($(GO) list ./... | grep -v -e /test/oracle -e /cmd/crioctl-net$$)
	$(GO) test -timeout 30m ./cmd/crioctl-net ./test/oracle

.PHONY: conformance
conformance: ## compare with recorded answers of CRI-O's loaders; ORACLE=path for other files
	$(GO) run ./test/conformance $(ORACLE)

.PHONY: dialects
dialects: ## compare with every TOML library that CRI-O has vendored, the SARIF schema, Ignition and Kubernetes
	@for d in test/sarif/ test/ignition/ test/kubernetes/ test/dialects/v*/; do echo "module $$d"; (cd $$d && $(GO) test ./...) || exit 1; done

.PHONY: systemd-test
systemd-test: ## the D-Bus tests inside a throw-away machine with a real systemd (root only)
	@.ci/systemd-test

.PHONY: fuzz
fuzz: ## run each fuzz target for FUZZTIME (default 30s)
	@.ci/fuzz $(or $(FUZZTIME),30s)

.PHONY: bench
bench: ## run the benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

.PHONY: generate
generate: build ## write the man pages, the completions and the picture of README.md anew
	$(GO) run ./cmd/crioctl-net/internal/gendocs -man docs/man -completions completions
	FREEZE='$(TOOL) freeze' test/demo/session bin/crioctl-net -o docs/session.svg

.PHONY: install
install: build ## install under PREFIX (default /usr/local), DESTDIR honoured
	install -D -m 0755 bin/crioctl-net $(DESTDIR)$(or $(PREFIX),/usr/local)/bin/crioctl-net
	install -d $(DESTDIR)$(or $(PREFIX),/usr/local)/share/man/man5 $(DESTDIR)$(or $(PREFIX),/usr/local)/share/man/man7 $(DESTDIR)$(or $(PREFIX),/usr/local)/share/man/man8
	install -m 0644 docs/man/*.5 $(DESTDIR)$(or $(PREFIX),/usr/local)/share/man/man5
	install -m 0644 docs/man/*.7 $(DESTDIR)$(or $(PREFIX),/usr/local)/share/man/man7
	install -m 0644 docs/man/*.8 $(DESTDIR)$(or $(PREFIX),/usr/local)/share/man/man8
	install -D -m 0644 completions/crioctl-net.bash $(DESTDIR)$(or $(PREFIX),/usr/local)/share/bash-completion/completions/crioctl-net
	install -D -m 0644 completions/_crioctl-net $(DESTDIR)$(or $(PREFIX),/usr/local)/share/zsh/site-functions/_crioctl-net
	install -D -m 0644 completions/crioctl-net.fish $(DESTDIR)$(or $(PREFIX),/usr/local)/share/fish/vendor_completions.d/crioctl-net.fish

.PHONY: clean
clean: ## remove what was built
	rm -rf bin .gotmp
