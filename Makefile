# Thin: CMake does the work. `make help` lists what there is.
.PHONY: help build run test test-release test-asan test-tsan test-fuzz test-long bench experiments lint format fuzz clean

help:
	@echo "make run        build everything and watch fifteen shuttles fly through each other"
	@echo "make test       all tests, in release and under sanitizers (minutes)"
	@echo "make build      build/bin/impinge, build/bin/impinge-bench, the library"
	@echo "make test-long  the large random counts (an hour)"
	@echo "make bench      measurements beside peers from Debian packages"
	@echo "make experiments"
	@echo "                the papers' figures and tables, measured again: build/experiments/README.md"
	@echo "make fuzz       fuzz the file readers, 10 minutes each"
	@echo "make lint       clang-format, clang-tidy and cppcheck"
	@echo "make format     let clang-format lay out the code"
	@echo "make clean      remove build/"

build:
	@scripts/setup.sh build
	@cmake --preset release >/dev/null
	@cmake --build --preset release

run: build
	@mkdir -p build/demo
	@build/bin/impinge run shuttles --plot build/demo/shuttles.svg --html build/demo/shuttles.html

test:
	@scripts/setup.sh test
	@$(MAKE) --no-print-directory test-release test-asan test-tsan test-fuzz

test-release: build
	ctest --preset release

test-asan test-tsan: test-%:
	@cmake --preset $* >/dev/null
	@cmake --build --preset $*
	ctest --preset $*

test-fuzz:
	@scripts/fuzz.sh 5

test-long: build
	@scripts/setup.sh test
	@scripts/test-long.sh build

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
