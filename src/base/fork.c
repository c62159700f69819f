// The system calls a function in each child that fork makes. Asking for the process id instead would also see
// children that are made behind the C library's back, but costs a system call each time. vfork and
// posix_spawn call nothing, and need not: their children share memory or bring none along.
#include "base/fork.h"

#include <pthread.h>

atomic_uint_fast32_t impi_fork_counter;

static bool is_counting;

static void count_in_child(void)
{
    atomic_fetch_add_explicit(&impi_fork_counter, 1, memory_order_relaxed);
}

static void begin(void)
{
    is_counting = pthread_atfork(NULL, NULL, count_in_child) == 0;
}

bool impi_fork_count_begin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    return pthread_once(&once, begin) == 0 && is_counting;
}
