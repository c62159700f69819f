/// Can the process be forked, so that a child can do what it likes?
#ifndef IMPINGE_TESTS_FORKS_H
#define IMPINGE_TESTS_FORKS_H

#include "sanitizers.h"

#include <dirent.h>
#include <stdbool.h>

/// Under a sanitizer only while there is one thread: its locks are not made for forks, and one that another
/// thread holds at that moment stays locked in the child for ever. Never under the thread sanitizer.
static inline bool can_fork(void)
{
#if defined(TEST_UNDER_THREAD_SANITIZER)
    return false;
#elif defined(TEST_UNDER_SANITIZER)
    int count = 0;
    DIR *threads = opendir("/proc/self/task");
    for (struct dirent *entry; threads && (entry = readdir(threads));)
        count += entry->d_name[0] != '.';
    if (threads)
        closedir(threads);
    return count == 1;
#else
    return true;
#endif
}

#endif
