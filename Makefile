# The suites that take longer than `go test ./...`.
GO ?= go
FUZZTIME ?= 10s
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: check test race vet staticcheck format imports bench fuzz crash browser live build sources-table

check: format vet staticcheck test race imports fuzz crash

test:
	$(GO) test ./...

race:
	$(GO) test -race -timeout 30m ./state ./engine/... ./internal/fetch ./internal/corpus ./internal/sandbox ./cmd/internal/...

vet:
	$(GO) vet ./...

staticcheck:
	$(GO) run $(STATICCHECK) ./...

format:
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "these files are not formatted: run gofmt -w on them"; exit 1; }

imports:
	$(GO) test -count=1 -run 'Arrows|Adapters|Init' .

# Merge, fold and append on a corpus of 10,000 documents, and what each room measures.
bench:
	$(GO) test -run '^$$' -bench . -benchmem ./internal/corpus ./internal/lexical ./canon ./internal/text ./internal/biblio ./sources/...

# Every fuzz target of every package, FUZZTIME each: a time, or a count such as
# 300x, which never ends in the middle of an input.
fuzz:
	@set -e; for p in $$($(GO) list ./...); do \
	  for f in $$($(GO) test -list '^Fuzz' $$p 2>/dev/null | grep '^Fuzz' || true); do \
	    echo "$$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) $$p; \
	  done; \
	done

# SIGKILL at every boundary of the journal and at random instants of more runs.
crash:
	CRASH_ROUNDS=8 $(GO) test -count=1 -timeout 30m -run Killed ./cmd/internal/app

# Needs chromium.
browser:
	$(GO) test -count=1 -tags browser -run Browser ./cmd/internal/app

# Asks every operation of every live source. Needs the network; never part of CI.
live:
	$(GO) run ./cmd/optimistresearch check sources

# The table in doc/sources.md, from what the adapters make of the recorded
# answers; CHECK=1 only says whether it is up to date.
sources-table:
	@t=$$(mktemp) && OPTIMISTRESEARCH_SOURCE_TABLE=$$t $(GO) test -count=1 ./sources/arxiv ./sources/crossref ./sources/europepmc ./sources/openalex ./sources/pubmed ./sources/semanticscholar \
	  && OPTIMISTRESEARCH_SOURCE_TABLE=$$t $(GO) test -count=1 -run Document ./sources/check $(if $(CHECK),,-update); r=$$?; rm -f $$t; exit $$r

build:
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w' -o optimistresearch ./cmd/optimistresearch
