# Binnacle. "make" lists what there is to do; HACKING.md says more.

SWIFT ?= swift
# Debian keeps its toolchain here and makes /usr/bin/swift only on request.
export PATH := $(PATH):/usr/libexec/swift/bin

SECONDS ?=
ANSWER ?=
MINUTES ?= 10
START ?=
WORKERS ?=
KEEP_GOING ?=
SEED ?= 7
TARGET ?=
CUTS ?= 1000000
POWER_CUTS ?= 100
SCENARIO ?=
# The image: its board, and a folder with the package for arm64, or with its programs in the layout of "make install".
BOARD ?= qemu-virt
UPDATE_KEY ?=
IMAGE_PROGRAMS ?= build/out
IMAGE := build/image/binnacle-$(BOARD).img
# The key that signs updates: "make update-key" makes it, an image trusts its public half, and a bundle needs its secret half.
KEY ?= build/update-key/update-key
PREFIX ?= /usr
DESTDIR ?=
# The largest download of the package "binnacle" in bytes; scripts/download-max.sh has the default.
DOWNLOAD_MAX ?=

# ARCH=arm64 builds for another architecture, with the SDK of scripts/make-arm64-sdk.sh and in folders of its own.
ARCH ?=
SDKS ?= /usr/local/lib/swift-sdks
CROSS := $(filter-out $(shell dpkg --print-architecture 2>/dev/null),$(ARCH))
SDK_FLAGS := $(if $(CROSS),--swift-sdks-path $(SDKS) --swift-sdk binnacle-$(CROSS))
# Runs what was built, for the manual pages: arm64 programs by qemu's emulation of a process.
RUNNER ?= $(if $(filter arm64,$(CROSS)),qemu-aarch64)

# STRICT=1, which "make check" sets, turns warnings into errors.
STRICT ?=
# SWEEPS=1, which "make check" sets too, runs the long sweeps of the tests and all their seeds.
SWEEPS ?=
BUILD_FLAGS := --explicit-target-dependency-import-check error \
  $(if $(STRICT),-Xswiftc -warnings-as-errors)
# Where whole modules are compiled, the driver would start a second compiler for the interface of each module. SwiftPM waits for
# both, so the second one only repeats work.
ONE_COMPILER := -Xswiftc -no-emit-module-separately-wmo
# WHOLE=1, which "make check" sets too, compiles whole modules in debug builds. A first build takes a third less processor
# time, and a build after a change of one file takes more. The compiler writes an object for each file, as SwiftPM needs it,
# only with threads.
WHOLE ?=
WHOLE_FLAGS := -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -disable-batch-mode $(ONE_COMPILER)
DEBUG_FLAGS := $(BUILD_FLAGS) $(if $(WHOLE),$(WHOLE_FLAGS))
# Debug builds have the calculating modules optimized, with all assertions: the tests take a fraction of the time.
export BINNACLE_QUICK := 1
# The programs have the functions that process an epoch side by side; Perf/hot_functions.py gives the reason.
HOT_FUNCTIONS := $(CURDIR)/Perf/hot-functions.txt
# The driver exports all symbols of a program with the runtime inside. No library needs them, and their names take 0.9 MB.
RELEASE_FLAGS := -c release --static-swift-stdlib $(ONE_COMPILER) $(BUILD_FLAGS) $(SDK_FLAGS) \
  $(if $(CROSS),--scratch-path .build-$(CROSS)) -Xlinker --no-export-dynamic \
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -use-ld=lld \
  -Xlinker --symbol-ordering-file=$(HOT_FUNCTIONS) -Xlinker --no-warn-symbol-ordering
# Within a function, the code that processes an epoch comes first; Perf/record_profile.py records it. The compiler is asked once,
# when the first recipe needs the answer, because "make deps" may install it.
PROFILE := $(CURDIR)/Perf/epoch.profdata
# Newer than the profile when the objects of the release build have been compiled with it.
PROFILE_TAKEN := .build$(addprefix -,$(CROSS))/profile-taken
PROFILE_FLAGS = $(eval PROFILE_FLAGS := $(shell PATH='$(PATH)' scripts/profile-flags.sh '$(SWIFT)' '$(PROFILE)'))$(PROFILE_FLAGS)
# For another architecture the library stays a shared one.
CXX_FLAGS = $(eval CXX_FLAGS := $(if $(CROSS),,$(foreach flag,\
  $(shell PATH='$(PATH)' scripts/static-library-flags.sh '$(SWIFT)' '$(CURDIR)/build/static-libraries'),-Xswiftc $(flag))))$(CXX_FLAGS)
STATIC_FLAGS = $(RELEASE_FLAGS) $(CXX_FLAGS) $(PROFILE_FLAGS)
# With libgpiod 2.x beside the installed 1.6.
GPIOD2_FLAGS := --scratch-path .build-gpiod2 -Xcc -I$(CURDIR)/build/gpiod2/usr/include \
  -Xlinker -L$(CURDIR)/build/gpiod2/lib
RUN_TESTS := $(SWIFT) test --skip-build --disable-xctest $(DEBUG_FLAGS)
# These tests wait for pseudo-terminals, sockets, threads and programs, and have time limits. They do not run beside the
# pure tests, which use all processors: a time limit would then fail for no reason.
DAEMON_TESTS := ^DaemonTests\.
PROGRAM_TESTS := ^((Posix|Devices|Diagnosis|Launcher|Command)Tests\.|SimulationTests\.ProgramTests/)
# These tests suspend instead of blocking a thread. They do not run beside tests that block: all threads would be taken.
ASYNC_TESTS := ^CoreLocationTests\.
# The runs of "make test", and the tests of each. A plus starts the next run beside the run before it: these tests wait more
# than they calculate, and a process runs only as many of them at a time as there are processors.
LIVE_RUNS := daemon + program
RUNS := pure $(LIVE_RUNS) + suspending
pure_tests := --skip $(DAEMON_TESTS) --skip $(PROGRAM_TESTS) --skip $(ASYNC_TESTS)
daemon_tests := --filter $(DAEMON_TESTS)
program_tests := --filter $(PROGRAM_TESTS)
suspending_tests := --filter $(ASYNC_TESTS)
runs = $(foreach run,$(1),$(if $(filter +,$(run)),+,'$(run)=$($(run)_tests)'))
# BUILT=yes: targets build nothing, because an earlier step has built. A build without changes takes three seconds, and
# SwiftPM lets one command at a time into a folder.
BUILT ?=
# A command such as "nice", which slows a build down beside tests with time limits.
NICE ?=
# With DESTDIR the caller has the permissions for the folder, so nothing asks for root.
AS_ROOT := $(if $(DESTDIR),,scripts/as-root.sh)
PROGRAMS := binnacled binnacle-launch binnacle binnacle-sim
EXAMPLES := LiveUpdates DelegateUpdates
RELEASE := .build$(addprefix -,$(CROSS))/release
TOOLSET := build/toolset$(addprefix -,$(CROSS))
SOURCES := Sources Tests Examples Fuzz Perf Package.swift

# Under sudo root builds nothing in another user's folder: the user could not build there any more. These goals build
# as the folder's owner, or not at all.
GOALS_OF_ROOT := help deps% install uninstall check-service check-debian13 check-deb check-arm64 clean
OWNER := $(if $(SUDO_UID),$(filter-out root,$(shell stat --format %U .)))
ifneq ($(and $(OWNER),$(filter-out $(GOALS_OF_ROOT),$(MAKECMDGOALS))),)
ifeq ($(shell id -u),0)
$(error root builds nothing in the folder of $(OWNER): run "make $(MAKECMDGOALS)" without sudo)
endif
endif

.DEFAULT_GOAL := help
.PHONY: help deps deps-test deps-perf deps-perf-state deps-plots deps-pictures deps-bench build build-tests release release-aside fuzz-aside third-party-aside check-tests run check-run test test-live test-suspending test-as-user bench-kernel test-bench check-start check-tutorial test-power-cuts example app test-gpiod2 check check-programs check-console-user check-sizes lint \
  format no-foundation third-party check-debian13 check-service perf perf-top perf-state perf-day perf-departures perf-relaunch profile hot-functions fuzz drawings plots image update-key update check-personalize check-update run-update check-image check-boot check-slots run-image check-exports check-report check-geoclue hunt hunt-state score seed toolset install uninstall check-install deb check-deb check-arm64 clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9.-]+:.*## / { \
	  line = sprintf("  make %-16s", $$1); count = split($$2, words, " "); \
	  for (i = 1; i <= count; i++) { \
	    if (length(line) + 1 + length(words[i]) > 80) { print line; line = sprintf("%23s", "") } \
	    line = line " " words[i] } \
	  print line }' Makefile

# DEPS=no: the caller has installed them, as the build of a package has.
DEPS ?=
deps: ## install the Debian packages that building needs (does nothing when all are installed)
	@$(if $(filter no,$(DEPS)),:,scripts/install-packages.sh build)

deps-test: deps ## install what the tests use besides (tmux)
	@scripts/install-packages.sh test

deps-perf: ## install what "make perf" compares with (gpsd and its clients) and measures with (Python 3, valgrind)
	@scripts/install-packages.sh perf

deps-perf-state: ## install what "make perf-state" compares with (Python 3 with SQLite and LMDB)
	@scripts/install-packages.sh perf-state

deps-pictures: ## install what "make check-exports" and "make check-report" use: gpsbabel, GDAL, Chromium
	@scripts/install-packages.sh pictures

deps-plots: ## install what "make plots" draws with (Python 3 with Matplotlib)
	@scripts/install-packages.sh plots

deps-bench: ## install what the bench runs with: Python 3, gpsd, and tools that inspect its hardware from outside
	@scripts/install-packages.sh bench

build: deps ## build everything for debugging
	@[ -d .build/debug ] || echo "build: from nothing this takes about 6 minutes on 2 quiet cores, and 2.6 GB of disk with Swift"
	$(SWIFT) build $(DEBUG_FLAGS)

build-tests:
	$(SWIFT) build --build-tests $(DEBUG_FLAGS) $(SDK_FLAGS) $(if $(CROSS),--scratch-path .build-$(CROSS))

# The build does not know that the order of functions is an input of two links, and the profile one of all modules.
release: deps ## build the programs for use: optimized, with the Swift runtime inside
	@$(if $(BUILT),:,[ $(PROFILE_TAKEN) -nt $(PROFILE) ] || \
	  { find $(RELEASE)/ -name '*.o' -delete 2>/dev/null; mkdir -p $(dir $(PROFILE_TAKEN)) && touch $(PROFILE_TAKEN); })
	@$(if $(BUILT),:,for program in binnacled binnacle; do \
	  [ $(RELEASE)/$$program -nt $(HOT_FUNCTIONS) ] || rm -f $(RELEASE)/$$program; done)
	@$(if $(BUILT),:,for program in $(PROGRAMS); do \
	  $(SWIFT) build $(STATIC_FLAGS) --product $$program || exit 1; done)

release-aside:
	@nice -n 19 $(MAKE) --no-print-directory BUILT= release

example: deps ## build the example apps for use, with the Swift runtime inside (ARCH=arm64: build/out/LiveUpdates-arm64)
ifneq ($(and $(CROSS),$(if $(wildcard $(SDKS)/version),,no SDK)),)
	@$(if $(BUILT),:,scripts/with-arm64-sdk.sh make --no-print-directory example ARCH=$(CROSS) STRICT=$(STRICT))
else
	@$(if $(BUILT),:,for app in $(EXAMPLES); do $(SWIFT) build $(STATIC_FLAGS) --product $$app || exit 1; done)
	@$(if $(CROSS),for app in $(EXAMPLES); do install -D $(RELEASE)/$$app build/out/$$app-$(CROSS) || exit 1; done)
endif

app: ## build an app of your own that lists the package, with the Swift runtime inside: build/out (APP=FOLDER ARCH=arm64)
	@SWIFT='$(SWIFT)' scripts/build-app.sh '$(APP)' '$(ARCH)'

run: build ## show a virtual board: receiver, daemon, app (SECONDS= ANSWER= LOG= SPEED= GENERATION= SEED=)
	@scripts/run-virtual-board.sh --seconds '$(SECONDS)' --answer '$(ANSWER)' --log '$(LOG)' --speed '$(SPEED)' \
	  --generation '$(GENERATION)' --seed '$(SEED)'

check-run: $(if $(BUILT),,build) ## check that "make run" gives locations, pauses at a stop, and resumes
	@scripts/check-run.sh 34

test: ## build and run the quick tests (sweeps and seeds too: SWEEPS=1)
	@scripts/announce-tests.sh build/test
	@$(MAKE) --no-print-directory deps-test
	@SWIFT='$(SWIFT)' BUILD_FLAGS='$(DEBUG_FLAGS)' $(if $(SWEEPS),BINNACLE_SWEEPS=1) scripts/run-tests.sh build/test \
	  $(call runs,$(RUNS))

test-live: ## run the live tests, as "make test" has built them
	@SWIFT='$(SWIFT)' BUILD_FLAGS='$(DEBUG_FLAGS)' $(if $(SWEEPS),BINNACLE_SWEEPS=1) scripts/run-tests.sh --built build/test \
	  $(call runs,$(LIVE_RUNS))

test-suspending: ## run the tests that suspend, as "make test" has built them
	@SWIFT='$(SWIFT)' BUILD_FLAGS='$(DEBUG_FLAGS)' $(if $(SWEEPS),BINNACLE_SWEEPS=1) scripts/run-tests.sh --built build/test \
	  'suspending=$(suspending_tests)'

test-as-user: ## run the live tests, as "make test" has built them, as an ordinary user (needs root)
	@TEST_USER=binnacle-tests $(if $(SWEEPS),BINNACLE_SWEEPS=1) scripts/run-tests.sh build/test/as-user $(call runs,$(LIVE_RUNS))

bench-kernel: ## find the bench's kernel, or build it from Debian's source (about 20 minutes)
	@Bench/kernel/find.sh || \
	  { scripts/install-packages.sh bench-kernel && Bench/kernel/build.sh; }

test-bench: ## run the installed programs on a real kernel with virtual hardware (SCENARIO= one of them)
	@Bench/test.sh '$(SCENARIO)'

check-start: ## carry out the commands of Docs/START.md as they are written, on the bench
	@Bench/test.sh start

check-tutorial: ## carry out the commands of Docs/TUTORIAL.md as they are written, on the bench
	@Bench/test.sh tutorial

test-power-cuts: ## kill the bench's kernel at random moments while the daemon makes changes (POWER_CUTS=100)
	@BENCH_CUTS='$(POWER_CUTS)' Bench/test.sh 'power-cut-*'

test-gpiod2: ## run the bench's scenarios of lines with libgpiod 2.x, unpacked beside the installed one
	@scripts/unpack-libgpiod2.sh build/gpiod2
	LD_LIBRARY_PATH=$(CURDIR)/build/gpiod2/lib BINNACLE_GPIOD=build/gpiod2 $(MAKE) test-bench RELEASE=.build-gpiod2/release \
	  STATIC_FLAGS='$(STATIC_FLAGS) $(GPIOD2_FLAGS)' SCENARIO='$(or $(SCENARIO),line-*)'

# One set of flags for all steps, or each would build everything anew.
check: export STRICT := 1
check: export WHOLE := 1
check: export SWEEPS := 1
check: deps ## run the checks of CI: lint, warnings as errors, all tests, no Foundation, fuzz slice, toolset, bench
	$(MAKE) lint
	@# The builds in folders of their own take the time that the tests and their build leave. The fuzzer is only built here.
	$(MAKE) --jobs=3 --output-sync=line check-tests fuzz-aside third-party-aside
	@# The bench waits more than it calculates, and has the processors first.
	$(MAKE) --jobs=5 --output-sync=line check-programs fuzz SECONDS=5 CUTS=20000 NICE='nice -n 19'

check-tests:
	$(MAKE) test RUNS=pure
	@# These wait more than they calculate, and the release build takes the time that they leave. The live tests of an
	@# ordinary user are for root to start.
	$(MAKE) --jobs=5 --output-sync=line BUILT=yes \
	  check-run check-console-user test-live test-suspending $(if $(filter 0,$(shell id -u)),test-as-user) release-aside

fuzz-aside third-party-aside: %-aside:
	@$(MAKE) --no-print-directory $* SECONDS=0 NICE='nice -n 19'

check-console-user: $(if $(BUILT),,build) ## run the console as the user of its unit, with a client that speaks the protocol itself (needs root)
	@scripts/check-console-user.py .build/debug

# The programs are built once; then no check of them builds.
check-programs: release example toolset
	scripts/check-bench-missing.sh
	scripts/check-profile.sh '$(SWIFT)' $(PROFILE) $(RELEASE)/binnacled
	$(MAKE) no-foundation
	$(MAKE) BUILT=yes check-sizes test-bench hunt-state check-install

check-sizes: $(if $(BUILT),,release) ## print the sizes of the programs in the packages; more than 12 MB to download is a failure (DOWNLOAD_MAX=BYTES)
	@scripts/install-packages.sh sizes
	@$(NICE) env SWIFT='$(SWIFT)' DOWNLOAD_MAX='$(DOWNLOAD_MAX)' scripts/program-sizes.sh $(RELEASE)

lint: ## check the layout of the code
	$(SWIFT) format lint --strict --parallel -r $(wildcard $(SOURCES))

format: ## lay out the code
	$(SWIFT) format --in-place --parallel -r $(wildcard $(SOURCES))

no-foundation: ## check that the daemon and its tools contain no Foundation, dynamic or static
	@scripts/check-no-foundation.sh .build/debug $(RELEASE) $(PROGRAMS)

check-debian13: ## build, test and install with Debian 13's own Swift, libgpiod, systemd (needs root, 4 GB)
	scripts/check-debian13.sh

perf: deps deps-perf release ## print a table of speed and size beside gpsd (ROWS=)
	@for program in binnacle-perf latency-probe; do \
	  $(SWIFT) build $(STATIC_FLAGS) --product $$program || exit 1; done
	@scripts/check-hot-functions.sh $(HOT_FUNCTIONS) $(RELEASE)/binnacled
	@python3 Perf/perf.py $(RELEASE) '$(or $(BINNACLE_TEST_DATA),../shared/data)/ublox/logs' $(ROWS)

perf-top: $(if $(BUILT),,build) ## print the bytes that "binnacle top" writes, and what it costs the daemon (SECONDS=30)
	@scripts/measure-top.sh .build/debug '$(or $(SECONDS),30)'

perf-state: deps deps-perf-state ## print the disk writes of a change of state, beside other methods (on the bench)
	$(SWIFT) build $(STATIC_FLAGS) --product state-cost
	$(SWIFT) build -c release $(BUILD_FLAGS) --product defaults-cost
	@BENCH_FOLDER=measures BINNACLE_REQUIRE=bench Bench/test.sh 'state-cost-*'
	@sort --key=1,1 --stable build/bench/work/state-cost-*/table

perf-day: deps ## print the disk writes of a day of trips and tracks, at real pace in the bench's time-travel mode (20 minutes)
	$(SWIFT) build $(STATIC_FLAGS) --product state-cost
	@BENCH_FOLDER=measures BINNACLE_REQUIRE=bench Bench/test.sh state-day

perf-departures: deps ## print the delay until an app is informed that a resting board moves, on the bench
	@BENCH_FOLDER=measures BINNACLE_REQUIRE=bench Bench/test.sh departures

perf-relaunch: deps ## print the time from the kill of an app to the first location of its next process, in its parts, on the bench
	@BENCH_FOLDER=measures BINNACLE_REQUIRE=bench Bench/test.sh relaunch

profile: deps deps-perf release ## record what an epoch runs through, for the compiler and the linker (about 15 minutes)
	@$(SWIFT) build $(STATIC_FLAGS) --product latency-probe
	@# The build does not compile again for other flags of the compiler's front end.
	@rm -rf .build-profile
	@for program in binnacled binnacle latency-probe; do \
	  $(SWIFT) build $(RELEASE_FLAGS) --scratch-path .build-profile -Xswiftc -Xfrontend -Xswiftc -ir-profile-generate \
	    -Xlinker -u__llvm_profile_runtime -Xlinker "$$(scripts/profile-runtime.sh '$(SWIFT)')" --product $$program \
	    || exit 1; done
	@python3 Perf/record_profile.py .build-profile/release $(RELEASE) $(PROFILE)
	@$(MAKE) hot-functions

hot-functions: deps deps-perf release ## record the functions that an epoch runs through in daemon and command
	@$(SWIFT) build $(STATIC_FLAGS) --product latency-probe
	@mkdir -p build
	@python3 Perf/hot_functions.py $(RELEASE) > build/hot-functions.new
	@mv build/hot-functions.new $(HOT_FUNCTIONS)

fuzz: deps ## fuzz the parsers (TARGET= one of them, SECONDS= for each, default 20)
	@$(NICE) env SWIFT='$(SWIFT)' BUILD_FLAGS='$(WHOLE_FLAGS)' scripts/fuzz.sh '$(or $(SECONDS),20)' $(TARGET)

drawings: deps ## rewrite pages from the code: wiring in Docs/boards, keys in Docs/SPEC-json.md, Docs/STATES.md
	$(MAKE) build-tests
	@# Two tests write to one page.
	BINNACLE_DRAW=1 $(RUN_TESTS) --no-parallel --filter "BoardPageTests|ReportCatalogTests|RightsWalkTests|ConsolePageTests|TopPageTests|ConsoleUseTests"

hunt: deps ## run random seeds of the simulator until one fails (MINUTES=10 START= WORKERS= KEEP_GOING=1)
	$(SWIFT) build $(STATIC_FLAGS) --product binnacle-sim
	$(RELEASE)/binnacle-sim hunt --minutes $(MINUTES) $(if $(START),--seed $(START)) \
	  $(if $(WORKERS),--workers $(WORKERS)) $(if $(KEEP_GOING),--keep-going)

hunt-state: deps ## simulate power cuts of the state log until a guarantee breaks (CUTS=1000000 SEED=)
	$(if $(BUILT),,$(SWIFT) build $(STATIC_FLAGS) --product binnacle-sim)
	$(NICE) $(RELEASE)/binnacle-sim state-cuts --length 3 --count $(CUTS) --seed $(SEED)
	$(NICE) $(RELEASE)/binnacle-sim state-rot --count 1000 --seed $(SEED)

score: deps ## print the quality of the rest detector on recordings, simulated journeys and hours of real rest: Docs/SCORE-motion.txt
	$(SWIFT) build $(STATIC_FLAGS) --product binnacle-sim
	@mkdir -p build
	@cd $(or $(BINNACLE_TEST_DATA),../shared/data) \
	  && { echo 'Printed by "make score": binnacle-sim motion-score, rest-score and departures on ../shared/data.' && echo \
	  && $(CURDIR)/$(RELEASE)/binnacle-sim motion-score --journeys motion/csv/*.csv.gz && echo \
	  && $(CURDIR)/$(RELEASE)/binnacle-sim rest-score motion/csv/mpu6050__unmoved-with-x*.csv.gz ublox/logs/* && echo \
	  && $(CURDIR)/$(RELEASE)/binnacle-sim departures 100; } \
	  >$(CURDIR)/build/score || { cat $(CURDIR)/build/score; exit 1; }
	@cat build/score
	@mv build/score Docs/SCORE-motion.txt

plots: deps deps-plots ## draw the verdicts of the rest detector on journeys: Docs/motion
	$(SWIFT) build $(STATIC_FLAGS) --product binnacle-sim
	@scripts/draw-motion.sh $(RELEASE)/binnacle-sim '$(or $(BINNACLE_TEST_DATA),../shared/data)/motion/csv'

check-exports: $(if $(BUILT),,build) deps-pictures ## check that gpsbabel and GDAL read exports of recordings as GPX, KML and GeoJSON
	@scripts/check-exports.sh .build/debug '$(or $(BINNACLE_TEST_DATA),../shared/data)/ublox/logs'

check-report: $(if $(BUILT),,build) deps-pictures ## open the page of a simulated board in headless Chromium: build/report
	@scripts/check-report.sh .build/debug build/report

seed: build ## run one seed of the simulator and print its events (SEED=7)
	.build/debug/binnacle-sim seed $(SEED) --verbose

toolset: deps ## build the client library for packages that do not list this one: build/toolset
	@$(if $(BUILT),:,$(NICE) env SWIFT='$(SWIFT)' SDK_FLAGS='$(SDK_FLAGS)' ARCH='$(CROSS)' \
	  scripts/make-toolset.sh $(TOOLSET))

third-party: toolset ## build packages of apps in both ways, and check that mixtures are refused
	@$(NICE) env SWIFT='$(SWIFT)' BUILD_FLAGS='$(if $(WHOLE),$(WHOLE_FLAGS))' scripts/check-third-party.sh

# The folder's owner builds, root copies.
install: ## install programs, client library, boards, rules, unit, documents (DESTDIR= PREFIX=/usr)
	@$(if $(BUILT),:,scripts/build-as-owner.sh release toolset ARCH='$(ARCH)')
	@$(AS_ROOT) env DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' RUNNER='$(RUNNER)' \
	  scripts/install.sh $(RELEASE) $(TOOLSET) $(PROGRAMS)

uninstall: ## remove exactly the files that "make install" installed (DESTDIR= PREFIX=/usr)
	@$(AS_ROOT) env DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' scripts/install.sh --uninstall

image: ## build the image of a board, to be flashed (BOARD= IMAGE_PROGRAMS= UPDATE_KEY=FILE.pub; needs no root)
	@scripts/install-packages.sh image
	@UPDATE_KEY='$(UPDATE_KEY)' Image/build.sh '$(BOARD)' '$(IMAGE_PROGRAMS)' $(IMAGE)

update-key: ## make a key that signs updates of boards: build/update-key
	@Image/files/usr/sbin/binnacle-update --make-key build/update-key

update: ## make the signed update of a board from the image that "make image" has built (BOARD= KEY=)
	@scripts/install-packages.sh update
	@Image/make-update.py $(IMAGE) '$(KEY)' $(IMAGE:.img=.update)

check-personalize: $(if $(BUILT),,build) ## try secrets in binnacle.txt with the image's script and the real command line
	@scripts/install-packages.sh update
	@Image/check-personalize.py .build/debug/binnacle

check-update: ## try updates, forged updates, trials and returns on a disk that is a file
	@scripts/install-packages.sh update
	@Image/check-update.py

run-update: $(if $(BUILT),,build) ## update qemu-virt's image in QEMU, keep it, leave bad ones; cut the power 200 times, boot 10 cut disks
	@scripts/install-packages.sh run-image
	@Image/run-update.py build/image/binnacle-qemu-virt.img .build/debug/binnacle-sim build/image/recording
	@Image/cut-recording.py build/image/recording .build/debug/binnacle --boot 10 \
	  --loader build/image/binnacle-qemu-virt.boot-loader --simulator .build/debug/binnacle-sim

check-image: ## open the image that "make image" has built, and check it (BOARD=)
	@Image/check.py '$(BOARD)' $(IMAGE)

check-boot: ## start the system of the image that "make image" has built in QEMU, as far as its daemon (BOARD=)
	@scripts/install-packages.sh run-image
	@Image/check-boot.py '$(BOARD)' $(IMAGE)

check-slots: ## cut the power during updates, and let the boot loader of qemu-virt's image choose slots
	@scripts/install-packages.sh run-image
	@Image/cut_updates.py
	@Image/check-boot-loader.py build/image/binnacle-qemu-virt.boot-loader build/image/binnacle-qemu-virt.img

run-image: $(if $(BUILT),,build) ## boot the image of qemu-virt with a simulated receiver, as a new owner does (SECONDS= of idling)
	@scripts/install-packages.sh run-image
	@Image/run.py build/image/binnacle-qemu-virt.img .build/debug/binnacle-sim $(if $(SECONDS),--idle $(SECONDS))

idle-writes: $(if $(BUILT),,build) ## boot the image of qemu-virt, and print what an idle board writes in a day, by file (SECONDS=900)
	@scripts/install-packages.sh run-image
	@Image/idle-writes.py build/image/binnacle-qemu-virt.img .build/debug/binnacle-sim $(if $(SECONDS),--seconds $(SECONDS))

check-install: release toolset ## install into a folder, check unit, rules and manual pages, uninstall, compare
	@scripts/check-root.sh
	@scripts/check-install.sh $(RELEASE) build/toolset $(PROGRAMS)

deb: ## build Debian packages, also for another architecture (ARCH=arm64): build/out
	@scripts/make-deb.sh $(ARCH)

check-deb: ## install, upgrade, remove, purge and downgrade the packages of "make deb" in a bare Debian (needs root)
	@scripts/check-deb.sh

check-arm64: ## cross-build for arm64 and compare with amd64 under emulation (needs root, 5 GB)
	@$(if $(BUILT),:,scripts/build-as-owner.sh release PROGRAMS=binnacle)
	@BUILT='$(BUILT)' scripts/check-arm64.sh $(RELEASE)/binnacle

check-service: ## run the installed service under a private systemd: start, watchdog, kill (needs root)
	@scripts/build-as-owner.sh release toolset
	@scripts/check-service.sh $(CURDIR)/$(RELEASE) $(CURDIR)/build/toolset $(PROGRAMS)

check-geoclue: ## have GeoClue read the door of sentences of a virtual board, with a grant and without (needs root)
	@scripts/install-packages.sh geoclue
	@scripts/build-as-owner.sh build
	@scripts/check-geoclue.sh .build/debug

clean: ## remove everything that was built
	rm -rf .build .build-* build
