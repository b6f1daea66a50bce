# make demo     install what is missing, build, find a real bug in an example and show it
# make test     install, build, check and run all tests
# make build    leave a working tool at target/release/unpick
# make install  put unpick, its runtime, header, man pages, completions and CMake module under PREFIX (default /usr/local)
# make bench    ratios measured in one run
# make eval-real  real programs from Debian's source packages, at full length, and the book's page about their bugs
# make eval-agreement  random programs: exhaustive strategies against each other and against the oracle
# make eval-exploration  the runs that the strategies need, beside a paper's table and figure
# make eval-first-bug  schedules to the first bug, beside PCT, POS and random (QUICK=1: fewer seeds)
# make eval-races  races and deadlocks found, missed and false, beside ThreadSanitizer, Helgrind and DRD
# make eval-check  the model checker's techniques one by one, how it scales, and its agreement with runs and brute force
# make eval-race-agreement  random programs: races from one run against those of all classes of interleavings
# make eval-explain  differences found by every algorithm, beside brute force, CORTEX's own and a paper's tables; hard families (LIMIT=60 seconds each)
# make eval-invariants  likely invariants of paper 001's programs beside its tables (LIMIT=20 seconds each, ONLY=names)
# make eval-story  `unpick run` on every program of the corpus: is the fault among the first three sites? (TIME=50, ONLY=name)
# make eval-localize  the lines blamed for the failures of paper 004's programs, beside its table (TIME=60 seconds each, ONLY=names)
# make fuzz     hostile files for FUZZ_SECONDS seconds (default 600), over all that reads files

PREFIX ?= /usr/local
DESTDIR ?=
CARGO ?= cargo
FUZZ_SECONDS ?= 600
UNPICK = target/release/unpick
RUNTIME = target/release/libunpick_rt.a
BRIDGE = target/release/libunpick_tsan.so
STANDBY = target/release/libunpick_standby.so
CONTAINERS = target/release/libunpick_containers.a

.PHONY: all build deps test-deps demo test check unit cases checker short-fuzz fuzz real bench install uninstall clean \
	eval-real eval-agreement eval-exploration eval-first-bug eval-races eval-race-agreement eval-check eval-explain eval-invariants eval-localize eval-story

all: build

deps:
	@scripts/install-deps

build: deps
	$(CARGO) build --release --package unpick-runtime
	$(CARGO) build --release --package unpick
	@scripts/merge-runtime $(RUNTIME)
	@scripts/build-tsan $(BRIDGE)
	@scripts/build-standby $(STANDBY)
	@scripts/build-containers $(CONTAINERS) $(UNPICK)

demo: build
	@scripts/demo

test: check unit cases checker short-fuzz

test-deps:
	@scripts/install-deps --tests

check: build
	$(CARGO) fmt --all --check
	$(CARGO) clippy --release --all-targets -- --deny warnings
	$(CARGO) clippy --release --package unpick-runtime -- --deny warnings
	scripts/check-house
	scripts/check-readme

unit: build test-deps
	$(CARGO) test --release --workspace --exclude unpick-runtime --exclude unpick
	$(CARGO) test --release --package unpick --bins --test command_line --test plans --test generated --test agreement --test heap --test races --test race_agreement --test genuine --test page --test book

cases: build
	$(CARGO) test --release --package unpick --test cases

# A sample of what `eval-check` has as a whole: the model checker's cases, its symbolic engine beside native runs, its
# agreement with brute force; and its witnesses and BenchExec's module.
checker: build
	UNPICK_SAMPLE=4 WALKS=1 $(CARGO) test --release --package unpick --test check --test symbolic --test bitcode
	$(CARGO) test --release --package unpick --test check_agreement --test witness --test emitted
	UNPICK_BIN=$(UNPICK) python3 contrib/benchexec/test_unpick.py

# Twenty seconds notice that a target no longer builds, or that an old crash is back.
short-fuzz: deps
	@scripts/fuzz 20

fuzz: deps
	@scripts/fuzz $(FUZZ_SECONDS)

# The quick ones, with few schedules.
real: build test-deps
	$(CARGO) test --release --package unpick --test real

eval-real: build test-deps
	UNPICK_REAL=full $(CARGO) test --release --package unpick --test real
	UNPICK_BOOK=full $(CARGO) test --release --package unpick --test book -- real.md

eval-agreement: build
	UNPICK_GENERATED=2000 $(CARGO) test --release --package unpick --test agreement -- --nocapture

eval-exploration: build
	@scripts/eval-exploration

eval-first-bug: build
	@scripts/eval-first-bug $(if $(QUICK),--quick)

eval-races: build test-deps
	@scripts/eval-races

eval-race-agreement: build
	UNPICK_GENERATED=1000 $(CARGO) test --release --package unpick --test race_agreement -- --nocapture

eval-check: build
	$(CARGO) test --release --package unpick --test bitcode --test symbolic --test check
	@scripts/eval-check $(if $(QUICK),--quick)
	UNPICK_GENERATED=$(if $(QUICK),100,2000) $(CARGO) test --release --package unpick --test check_agreement -- --nocapture

eval-story: build
	@scripts/eval-story

eval-localize: build
	@scripts/eval-localize
	$(CARGO) test --release --package unpick --test emitted -- --ignored
	@scripts/eval-fixes
	@scripts/eval-mutants

eval-explain: build
	UNPICK_GENERATED=$(if $(QUICK),500,5000) $(CARGO) test --release --package unpick-explain --test brute_force -- --nocapture
	@scripts/eval-explain
	@scripts/eval-explain-families

eval-invariants: build
	@scripts/eval-invariants

bench: build test-deps
	@scripts/bench

SHARE = $(DESTDIR)$(PREFIX)/share

install: build
	install -D -m 755 $(UNPICK) $(DESTDIR)$(PREFIX)/bin/unpick
	ln -sf unpick $(DESTDIR)$(PREFIX)/bin/unpick-cc
	ln -sf unpick $(DESTDIR)$(PREFIX)/bin/unpick-c++
	install -D -m 644 $(RUNTIME) $(DESTDIR)$(PREFIX)/lib/unpick/libunpick_rt.a
	install -D -m 644 $(BRIDGE) $(DESTDIR)$(PREFIX)/lib/unpick/libunpick_tsan.so
	install -D -m 644 $(STANDBY) $(DESTDIR)$(PREFIX)/lib/unpick/libunpick_standby.so
	install -D -m 644 $(CONTAINERS) $(DESTDIR)$(PREFIX)/lib/unpick/libunpick_containers.a
	install -D -m 644 include/unpick.h $(DESTDIR)$(PREFIX)/include/unpick/unpick.h
	install -D -m 644 contrib/cmake/Unpick.cmake $(SHARE)/unpick/cmake/Unpick.cmake
	install -D -m 755 contrib/meson/unpick-test $(SHARE)/unpick/meson/unpick-test
	install -D -m 644 contrib/gitlab/unpick.yml $(SHARE)/unpick/gitlab/unpick.yml
	install -d $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d
	$(UNPICK) completions bash >$(SHARE)/bash-completion/completions/unpick
	$(UNPICK) completions zsh >$(SHARE)/zsh/site-functions/_unpick
	$(UNPICK) completions fish >$(SHARE)/fish/vendor_completions.d/unpick.fish
	$(UNPICK) man $(SHARE)/man/man1

uninstall:
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/bin/,unpick unpick-cc unpick-c++)
	rm -rf $(DESTDIR)$(PREFIX)/lib/unpick $(DESTDIR)$(PREFIX)/include/unpick $(SHARE)/unpick
	rm -f $(SHARE)/bash-completion/completions/unpick $(SHARE)/zsh/site-functions/_unpick \
		$(SHARE)/fish/vendor_completions.d/unpick.fish $(SHARE)/man/man1/unpick.1 $(SHARE)/man/man1/unpick-*.1

clean:
	$(CARGO) clean
