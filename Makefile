# Thin: CMake does the work. `make help` lists what there is.
.PHONY: help build run test test-asan test-tsan test-fuzz test-clang test-clang-asan test-portable test-long ci \
        coverage bench experiments lint format fuzz clean

help:
	@echo "make run            build everything and watch fifteen shuttles fly through each other"
	@echo "make test           a release build and all tests (minutes)"
	@echo "make build          build/bin/impinge, build/bin/impinge-bench, the library"
	@echo "make bench          measurements beside peers from Debian packages, all areas (an hour at most)"
	@echo "make experiments    the papers' figures and tables, measured again: build/experiments/README.md"
	@echo
	@echo "make ci             what CI runs: test, the next five, lint (half an hour at most)"
	@echo "make test-clang-asan"
	@echo "                    all tests under clang's address and undefined sanitizers"
	@echo "make test-tsan      all tests under the thread sanitizer"
	@echo "make test-fuzz      fuzz the file readers and programs of calls, 5 seconds each"
	@echo "make test-clang     all tests, built by clang"
	@echo "make test-portable  all tests, built without variants for instruction sets"
	@echo
	@echo "make test-asan      all tests under gcc's address and undefined sanitizers"
	@echo "make test-long      the large random counts, and an hour of chaos (two hours)"
	@echo "make fuzz           fuzz the file readers and programs of calls, 10 minutes each"
	@echo "make coverage       which lines of src/ the tests run: build/coverage/report/index.html"
	@echo "make lint           clang-format, clang-tidy and cppcheck"
	@echo "make format         let clang-format lay out the code"
	@echo "make clean          remove build/"

build:
	@scripts/setup.sh build
	@cmake --preset release >/dev/null
	@cmake --build --preset release

run: build
	@mkdir -p build/demo
	@build/bin/impinge run shuttles --plot build/demo/shuttles.svg --html build/demo/shuttles.html

test:
	@scripts/setup.sh test
	@cmake --preset release >/dev/null
	@cmake --build --preset release
	ctest --preset release

test-asan test-tsan test-clang test-clang-asan test-portable: test-%:
	@scripts/setup.sh test
	@case $* in clang*) scripts/setup.sh clang ;; esac
	@cmake --preset $* >/dev/null
	@cmake --build --preset $*
	ctest --preset $*

test-fuzz:
	@scripts/setup.sh fuzz
	@scripts/fuzz.sh 5

test-long: build
	@scripts/setup.sh test
	@scripts/test-long.sh build

ci:
	@.ci/run

coverage:
	@scripts/setup.sh coverage
	@cmake --preset coverage >/dev/null
	@cmake --build --preset coverage
	@scripts/coverage.sh build/coverage

bench:
	@scripts/setup.sh bench
	@$(MAKE) --no-print-directory build
	@for area in $$(build/bin/impinge-bench --list); do build/bin/impinge-bench $$area || exit 1; done

experiments:
	@scripts/setup.sh experiments
	@$(MAKE) --no-print-directory build
	@build/bin/impinge-experiments --out build/experiments

fuzz:
	@scripts/setup.sh fuzz
	@scripts/fuzz.sh 600

lint:
	@scripts/setup.sh lint
	@cmake --preset release >/dev/null
	@scripts/lint.sh build

format:
	@scripts/setup.sh lint
	@git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format -i

clean:
	rm -rf build
