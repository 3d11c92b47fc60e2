# Every verb a person needs; CMakeLists.txt is the build. `make help` lists them.

BUILD  ?= build
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)
CMAKE_ARGS ?=
CTEST_ARGS ?=
comma  := ,

# built DIR,CMAKE_ARGUMENTS: configured and compiled, with progress; warnings and errors are shown.
built = @sh cmake/build.sh $(1) $(JOBS) $(2) $(CMAKE_ARGS)
built_some = @TARGETS="$(1)" sh cmake/build.sh $(2) $(JOBS) $(3) $(CMAKE_ARGS)
# A sanitizer's code takes most of the time to compile, and half of it where it is optimised further.
sanitized = "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g1"
# A new build folder is one without tests; another stays as it is.
kept = $(if $(wildcard $(BUILD)/CMakeCache.txt),,-DANNOT_TESTS=OFF)

.PHONY: all amalgamation uninstall demo test conformance conformance-table coverage-table man-synopses mutants mutants-named windows windows-package clients cross vkd3d vulkan32 asan tsan fuzz soak format format-check install clean help

all:
	@sh cmake/bootstrap.sh build
	$(call built,$(BUILD),-DANNOT_TESTS=OFF)

# A frame that hangs the emulated GPU, and the marker tree out of the dump it leaves; then a page fault with DRED on, whose
# dump joins markers, the operation that was being done, the buffer it wrote to, the kernel-mode driver's word, and times.
demo:
	@sh cmake/bootstrap.sh build
	$(call built_some,hang dred annot,$(BUILD),$(kept))
	@rm -f $(BUILD)/hang.annotdmp
	$(BUILD)/bin/hang --out $(BUILD)/hang.annotdmp
	$(BUILD)/bin/annot show --output text $(BUILD)/hang.annotdmp
	$(BUILD)/bin/dred --out $(BUILD)/dred.annotdmp
	$(BUILD)/bin/annot show --output text $(BUILD)/dred.annotdmp
	$(BUILD)/bin/annot timeline --output text $(BUILD)/dred.annotdmp

test:
	@sh cmake/bootstrap.sh test
	$(call built,$(BUILD),-DANNOT_TESTS=ON)
	@JOBS=$(JOBS) sh cmake/run-tests.sh $(BUILD) $(CTEST_ARGS)

# The specification's cases against the emulator; for another runtime build/bin/annot-conformance --runtime PATH.
conformance:
	@sh cmake/bootstrap.sh build
	$(call built_some,annot-conformance,$(BUILD),$(kept))
	$(BUILD)/bin/annot-conformance --jobs $(JOBS)

# The tables of cases, after cases have changed.
conformance-table:
	@sh cmake/bootstrap.sh build
	$(call built_some,annot-conformance,$(BUILD),$(kept))
	bash tests/conformance/table.sh docs/CONFORMANCE.md --write $(BUILD)/bin/annot-conformance

# The synopses of annot's man pages, after an option has changed.
man-synopses:
	$(call built_some,annot,$(BUILD),$(kept))
	@sh tests/cli/man.sh $(BUILD)/bin/annot --write

# docs/D3D12_COVERAGE.md, after methods or interfaces of the emulator have changed; what a merge left in it does not matter.
coverage-table:
	@sh cmake/d3d12-coverage.sh . --write

# Every small wrong change of lib: the share that the tests notice. MUTANTS has mutants.py's options and paths.
mutants:
	@sh cmake/bootstrap.sh test && sh cmake/bootstrap.sh fuzz
	@python3 tests/mutants/mutants.py --build $(BUILD) --jobs $(JOBS) $(MUTANTS)

# The wrong changes of tests/mutants/list.txt: the conformance suite alone must notice each.
mutants-named:
	@sh cmake/bootstrap.sh build
	@JOBS=$(JOBS) bash tests/mutants/run.sh $(abspath $(BUILD))

# Cross-built with mingw-w64 and run under Wine, in a prefix of its own.
windows:
	@sh cmake/bootstrap.sh windows
	$(call built,$(BUILD)-windows,-DCMAKE_TOOLCHAIN_FILE=$(CURDIR)/cmake/mingw-w64.cmake -DANNOT_TESTS=ON)
	@JOBS=$(JOBS) sh cmake/wine.sh $(abspath $(BUILD)-windows) --session sh cmake/run-tests.sh $(BUILD)-windows $(CTEST_ARGS)

# Library, tools and a program that writes a dump on an aarch64, a 32-bit and a big-endian machine, under qemu-user.
cross:
	@sh cmake/bootstrap.sh cross
	@sh cmake/cross.sh $(BUILD)-cross $(JOBS) $(CMAKE_ARGS)

# The Windows build as people get it, in one archive: the commands, the library for crashes and traces, documents.
package = $(BUILD)-windows-package
windows-package:
	@sh cmake/bootstrap.sh windows
	$(call built,$(package),-DCMAKE_TOOLCHAIN_FILE=$(CURDIR)/cmake/mingw-w64.cmake -DANNOT_TESTS=OFF)
	@rm -rf $(package)/annot $(package)/annot-windows.zip
	@cmake --install $(package) --prefix $(package)/annot >$(package)/install.log
	@cd $(package) && cmake -E tar cf annot-windows.zip --format=zip annot
	@echo "$(package)/annot-windows.zip"

# WebGPU and DirectML for Windows, from the npm registry, on the emulator under Wine: docs/CLIENTS.md.
clients:
	@sh cmake/bootstrap.sh clients
	$(call built_some,d3d12 dxgi dxcore annot capture_proxy WinPixEventRuntime,$(BUILD)-windows,-DCMAKE_TOOLCHAIN_FILE=$(CURDIR)/cmake/mingw-w64.cmake -DANNOT_TESTS=ON)
	@bash tests/clients/wine/clients.sh $(BUILD)-windows

# The emulator in the binary interface of vkd3d-proton's native build, and the tests that see it.
vkd3d:
	@sh cmake/bootstrap.sh test
	$(call built_some,tests-abi,$(BUILD)-vkd3d,-DANNOT_TESTS=ON -DEMU_D3D12_ABI=vkd3d)
	@JOBS=$(JOBS) sh cmake/run-tests.sh $(BUILD)-vkd3d -L abi $(CTEST_ARGS)

# The Vulkan layer where pointers have 32 bits: .ci/root trixie:i386 'make vulkan32'.
vulkan32:
	@sh cmake/bootstrap.sh test
	$(call built_some,test-vulkan vulkan_layer,$(BUILD)-vulkan32,-DANNOT_TESTS=ON)
	@JOBS=$(JOBS) sh cmake/run-tests.sh $(BUILD)-vulkan32 -R '^vulkan$$' $(CTEST_ARGS)

asan:
	@sh cmake/bootstrap.sh test
	$(call built,$(BUILD)-asan,-DANNOT_TESTS=ON -DANNOT_SANITIZE=address$(comma)undefined $(sanitized))
	@JOBS=$(JOBS) sh cmake/run-tests.sh $(BUILD)-asan $(CTEST_ARGS)

tsan:
	@sh cmake/bootstrap.sh test
	$(call built_some,tests-threads,$(BUILD)-tsan,-DANNOT_TESTS=ON -DANNOT_SANITIZE=thread $(sanitized))
	@JOBS=$(JOBS) sh cmake/run-tests.sh $(BUILD)-tsan -L threads $(CTEST_ARGS)

# FUZZ_RUNS and FUZZ_SECONDS bound each target; FUZZ_SEED gives the same inputs again.
fuzz:
	@sh cmake/bootstrap.sh fuzz
	$(call built,$(BUILD)-fuzz,-DCMAKE_C_COMPILER=clang -DANNOT_FUZZ=ON -DANNOT_TESTS=OFF -DANNOT_TOOLS=OFF -DANNOT_EMU=OFF \
	  -DANNOT_SANITIZE=address$(comma)undefined)
	@JOBS=$(JOBS) sh cmake/fuzz.sh $(BUILD)-fuzz .

# Tests that take too long for every change: the whole corpus of faults, the demo in many orders and killed at many moments,
# new random programs, every test recorded and replayed, long fuzzing.
soak:
	@sh cmake/bootstrap.sh fuzz
	@sh cmake/bootstrap.sh test
	$(call built,$(BUILD),-DANNOT_TESTS=ON)
	$(BUILD)/bin/fleet-measure --max-buckets 1.1 --max-shared 1
	$(BUILD)/bin/fleet-worst $(BUILD)/bin/annot --size 10000000
	$(BUILD)/bin/test-truth --programs 200000 --seed clock --jobs $(JOBS)
	$(BUILD)/bin/test-truth-tracker --programs 200000 --seed clock
	$(BUILD)/bin/test-truth-vulkan --programs 200000 --seed clock
	$(BUILD)/bin/fleet-sweep $(BUILD)/bin/annot $(BUILD)/lib/libfleet-failing.so tests/golden/dumps \
	  tests/golden/traces/linux.annottrace --whole
	DEMO_SEEDS=5000 DEMO_KILLS=1000 sh tests/cli/demo.sh $(BUILD)/bin/annot
	bash tests/capture/killed.sh $(BUILD)/bin/annot 1000
	$(BUILD)/bin/stress-fork 1000
	$(BUILD)/bin/stress-d3d12_fork 1000
	bash tests/capture/fork.sh $(BUILD)/bin/annot $(abspath $(BUILD))/bin/stress-d3d12_fork 1000
	FORKS=1000 $(BUILD)/bin/test-vulkan --filter 'vulkan_fork/*'
	for program in test-flow test-d3d12 annot-conformance; do \
	  bash tests/capture/replayed.sh $(BUILD)/bin/annot tests/capture/exempt.txt $(abspath $(BUILD))/bin/$$program || exit 1; done
	for program in test-flow test-d3d12; do \
	  bash tests/d3d12_layer/suite.sh $(BUILD)/bin/annot tests/d3d12_layer/exempt.txt $(abspath $(BUILD))/bin/$$program || exit 1; done
	for at in "auto labels" "auto low" "auto exact" "readback labels" "copy labels" "copy low" "dred labels" "fence labels"; do \
	  $(BUILD)/bin/annot d3d12 -o $(BUILD)/none-%p.annotdmp -- $(BUILD)/bin/test-truth-layer --evidence $${at% *} \
	    --level $${at#* } --programs 20000 --seed $$(date +%s) || exit 1; done
	bash tests/d3d12_layer/random.sh $(BUILD)/bin/annot $(abspath $(BUILD))/bin/d3d12_layer-random 2000 $$(date +%s)
	$(MAKE) fuzz FUZZ_SEED=clock FUZZ_RUNS=20000000 FUZZ_SECONDS=3600

sources = $(shell find $(wildcard include lib platform emu layers tools tests examples bench) -name '*.[ch]' | sort)

# Pages whose language is checked; so are comments.
pages = README.md CHANGELOG.md CONTRIBUTING.md bench/BENCHMARKS.md packaging/README.md $(wildcard docs/*.md tests/*.md tests/*/README.md)

format:
	@sh cmake/bootstrap.sh format
	clang-format -i $(sources)

format-check:
	@sh cmake/bootstrap.sh format
	@echo $(sources) | xargs -n 100 -P $(JOBS) clang-format --dry-run -Werror || { echo "format: type 'make format'" >&2; exit 1; }
	@perl cmake/prose.pl $(pages) $(sources)
	@perl cmake/sizes.pl .
	@echo "format: $(words $(sources)) files, all as .clang-format says"

# The library as annot.c and annot.h, the reader as annot_reader.c and .h, in dist/.
amalgamation:
	@sh cmake/bootstrap.sh build
	@perl cmake/amalgamate.pl . dist
	@wc -lc dist/annot.c dist/annot.h dist/annot_reader.c dist/annot_reader.h dist/annot_vulkan.h

install:
	@sh cmake/bootstrap.sh build
	$(call built,$(BUILD),-DANNOT_TESTS=OFF -DCMAKE_INSTALL_PREFIX=$(PREFIX))
	cmake --install $(BUILD) --prefix $(PREFIX)

# The files that the last `make install` from this folder put there.
uninstall:
	@test -f $(BUILD)/install_manifest.txt || { echo "uninstall: nothing was installed from $(BUILD)" >&2; exit 1; }
	@while read -r file; do rm -f "$(DESTDIR)$$file"; done <$(BUILD)/install_manifest.txt

ifneq ($(wildcard bench/CMakeLists.txt),)
.PHONY: bench
bench:
	@sh cmake/bootstrap.sh build
	$(call built,$(BUILD),-DANNOT_TESTS=OFF)
	$(BUILD)/bin/annot-bench
endif

clean:
	rm -rf dist $(BUILD) $(BUILD)-mutants $(BUILD)-mutants-named $(BUILD)-asan $(BUILD)-tsan $(BUILD)-fuzz $(BUILD)-windows $(package) $(BUILD)-vkd3d

help:
	@echo "make               library, tools, emulator and examples, in build/"
	@echo "make demo          hang the emulated GPU and print the marker tree out of the dump"
	@echo "make test          all tests; ends with 'N passed, N failed, N skipped'"
	@echo "make conformance   the PIX Markers specification's cases against the emulated D3D12"
	@echo "make mutants       what the tests notice of every small wrong change of lib (MUTANTS='--help')"
	@echo "make mutants-named what the conformance suite notices of the wrong changes that a list names"
	@echo "make windows       all tests and the suite for Windows, with mingw-w64, run under Wine"
	@echo "make windows-package  what Windows users get, as an archive"
	@echo "make cross         library and tools on an aarch64, a 32-bit and a big-endian machine, under qemu-user"
	@echo "make clients       WebGPU (Dawn) and DirectML (ONNX Runtime) from the npm registry, run under Wine and hung"
	@echo "make vulkan32      tests of the Vulkan layer, on a 32-bit system"
	@echo "make vkd3d         the D3D12 tests with 16-bit WCHAR and vkd3d-proton's calling of methods"
	@echo "make asan          the tests under AddressSanitizer, UndefinedBehaviorSanitizer, LeakSanitizer"
	@echo "make tsan          the tests with threads under ThreadSanitizer"
	@echo "make fuzz          each fuzz target for FUZZ_RUNS inputs (1000000) or FUZZ_SECONDS (120)"
ifneq ($(wildcard bench/CMakeLists.txt),)
	@echo "make bench         the benchmarks"
endif
	@echo "make soak          the demo and the fuzz targets for hours; not part of .ci/run"
	@echo "make format        clang-format in place; format-check only looks"
	@echo "make amalgamation  the library as two files for your own build, in dist/; the reader as two more"
	@echo "make install       PREFIX=$(PREFIX), DESTDIR for packagers"
	@echo "make uninstall     removes the files of the last make install from this folder"
	@echo "make clean         removes the build folders"
	@echo "Variables: BUILD, JOBS, CC, CMAKE_ARGS, CTEST_ARGS. What is missing is installed, where that is allowed."
