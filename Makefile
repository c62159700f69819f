# Thin: CMake does the work. `make help` lists what there is.
PREFIX = /usr/local
DESTDIR =
STATIC = OFF
.PHONY: help build run install uninstall test test-asan test-tsan test-fuzz test-clang test-clang-asan test-portable test-long ci \
        coverage bench experiments lint format fuzz clean

help:
	@echo "make run            build it and watch fifteen shuttles fly through each other"
	@echo "make test           a release build and all tests (minutes)"
	@echo "make build          build/bin/impinge, the library, manual pages and completions"
	@echo "make install        install that in PREFIX (/usr/local), below DESTDIR if given; STATIC=ON adds libimpinge.a"
	@echo "make uninstall      remove from PREFIX what was installed there"
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
	@cmake --preset release -DCMAKE_INSTALL_PREFIX="$(PREFIX)" -DIMPINGE_STATIC="$(STATIC)" >/dev/null
	@cmake --build --preset release --target impinge_product

run: build
	@scripts/play.sh build

install:
	@scripts/install.sh build "$(PREFIX)" "$(DESTDIR)" "$(STATIC)"

uninstall:
	@scripts/uninstall.sh "$(PREFIX)" "$(DESTDIR)"

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

test-long:
	@scripts/setup.sh test
	@cmake --preset release >/dev/null
	@cmake --build --preset release
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
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target impinge-bench
	@for area in $$(build/bin/impinge-bench --list); do build/bin/impinge-bench $$area || exit 1; done

experiments:
	@scripts/setup.sh experiments
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target impinge-experiments
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
