/// Defines TEST_UNDER_SANITIZER when the program is watched by the address or thread sanitizer, which end it
/// where plain builds get a null pointer, and need far more address space; and TEST_UNDER_THREAD_SANITIZER
/// for the latter, which ends children of programs with threads that start threads of their own.
#ifndef IMPINGE_TESTS_SANITIZERS_H
#define IMPINGE_TESTS_SANITIZERS_H

#include "harness.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEST_UNDER_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TEST_UNDER_SANITIZER 1
#endif
#endif

#if defined(__SANITIZE_THREAD__)
#define TEST_UNDER_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TEST_UNDER_THREAD_SANITIZER 1
#endif
#endif

/// Is the running test left out? For work without threads that the thread sanitizer could watch, which takes
/// minutes under it.
static inline bool skips_slow_tests(void)
{
#if defined(TEST_UNDER_THREAD_SANITIZER)
    test_skip("slow under the thread sanitizer");
    return true;
#else
    return false;
#endif
}

#endif
