// How many processors there are for us: by affinity, and by quotas in trees of folders made up here.
#if defined(__linux__)
#define _GNU_SOURCE // sched_setaffinity
#endif
#include "base/cores.h"

#include "base/cpu_quota.h"
#include "harness.h"

#include <impinge/base.h>

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// A folder that stands for the root of a file system.
static char root[64];

static void make_root(void)
{
    strcpy(root, "/tmp/impinge-cores-XXXXXX");
    CHECK(mkdtemp(root) != NULL);
}

static void remove_root(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    CHECK_INT(system(command), 0);
}

// Write ROOT/path, and make the folders on the way.
static void put(const char *path, const char *text)
{
    char full[1024];
    snprintf(full, sizeof full, "%s/%s", root, path);
    for (char *slash = strchr(full + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(full, 0777);
        *slash = '/';
    }
    FILE *file = fopen(full, "w");
    if (!CHECK(file != NULL))
        return;
    fputs(text, file);
    fclose(file);
}

typedef struct File {
    const char *path, *text;
} File;

typedef struct Case {
    const char *what;
    uint32_t quota;
    File files[6];
} Case;

#define OWN    "proc/self/cgroup"
#define GROUPS "sys/fs/cgroup"

static const Case cases[] = {
    {"nothing at all", IMPI_NO_QUOTA, {{0}}},
    {"version 2, no limit", IMPI_NO_QUOTA, {{OWN, "0::/a/b\n"}, {GROUPS "/a/b/cpu.max", "max 100000\n"}}},
    {"version 2, rounded up", 2, {{OWN, "0::/a\n"}, {GROUPS "/a/cpu.max", "150000 100000\n"}}},
    {"version 2, whole", 3, {{OWN, "0::/a\n"}, {GROUPS "/a/cpu.max", "300000 100000\n"}}},
    {"version 2, less than one", 1, {{OWN, "0::/a\n"}, {GROUPS "/a/cpu.max", "1000 100000\n"}}},
    {"version 2, the group around it",
     2,
     {{OWN, "0::/a/b/c\n"},
      {GROUPS "/a/b/c/cpu.max", "800000 100000\n"},
      {GROUPS "/a/b/cpu.max", "max 100000\n"},
      {GROUPS "/a/cpu.max", "200000 100000\n"}}},
    {"version 2, the root of a container", 4, {{OWN, "0::/\n"}, {GROUPS "/cpu.max", "400000 100000\n"}}},
    {"version 2, a path from outside",
     5,
     {{OWN, "0::/docker/123\n"}, {GROUPS "/cpu.max", "500000 100000\n"}}},
    {"version 2, a path out of sight", 6, {{OWN, "0::/../x\n"}, {GROUPS "/cpu.max", "600000 100000\n"}}},
    {"version 2, another's quota",
     IMPI_NO_QUOTA,
     {{OWN, "0::/a\n"}, {GROUPS "/b/cpu.max", "100000 100000\n"}}},
    {"version 1, all names",
     2,
     {{OWN, "5:memory:/m\n4:cpu,cpuacct:/a\n0::/\n"},
      {GROUPS "/cpu,cpuacct/a/cpu.cfs_quota_us", "200000\n"},
      {GROUPS "/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n"}}},
    {"version 1, its own name",
     3,
     {{OWN, "4:cpuacct,cpu:/a/b\n"},
      {GROUPS "/cpu/a/cpu.cfs_quota_us", "250000\n"},
      {GROUPS "/cpu/a/cpu.cfs_period_us", "100000\n"}}},
    {"version 1, no limit",
     IMPI_NO_QUOTA,
     {{OWN, "4:cpu:/a\n"},
      {GROUPS "/cpu/a/cpu.cfs_quota_us", "-1\n"},
      {GROUPS "/cpu/a/cpu.cfs_period_us", "100000\n"}}},
    {"version 1, no period", IMPI_NO_QUOTA, {{OWN, "4:cpu:/a\n"}, {GROUPS "/cpu/a/cpu.cfs_quota_us", "1\n"}}},
    {"names that only begin alike",
     IMPI_NO_QUOTA,
     {{OWN, "4:cpuset,cpuacct:/a\n"},
      {GROUPS "/cpu/a/cpu.cfs_quota_us", "100000\n"},
      {GROUPS "/cpu/a/cpu.cfs_period_us", "100000\n"}}},
    {"both versions, the smaller one",
     1,
     {{OWN, "4:cpu:/a\n0::/b\n"},
      {GROUPS "/cpu/a/cpu.cfs_quota_us", "100000\n"},
      {GROUPS "/cpu/a/cpu.cfs_period_us", "100000\n"},
      {GROUPS "/b/cpu.max", "700000 100000\n"}}},
    {"rubbish in the quota", IMPI_NO_QUOTA, {{OWN, "0::/a\n"}, {GROUPS "/a/cpu.max", "much more\n"}}},
    {"a quota of nothing", IMPI_NO_QUOTA, {{OWN, "0::/a\n"}, {GROUPS "/a/cpu.max", "0 0\n"}}},
    {"an empty quota", IMPI_NO_QUOTA, {{OWN, "0::/a\n"}, {GROUPS "/a/cpu.max", ""}}},
    {"a quota beyond all",
     IMPI_NO_QUOTA,
     {{OWN, "0::/a\n"}, {GROUPS "/a/cpu.max", "9000000000000000000 1\n"}}},
    {"rubbish in the list", IMPI_NO_QUOTA, {{OWN, "hello\n::\n0:\n0::\n0::a\n:::::\n\n"}}},
    {"no end of line", 2, {{OWN, "0::/a"}, {GROUPS "/a/cpu.max", "200000 100000"}}},
};

TEST(quotas_are_read_from_control_groups)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        make_root();
        for (size_t k = 0; k < 6 && cases[i].files[k].path; ++k)
            put(cases[i].files[k].path, cases[i].files[k].text);
        uint32_t quota = impi_cpu_quota(root);
        if (!test_check(quota == cases[i].quota, cases[i].what, __FILE__, __LINE__))
            CHECK_INT(quota, cases[i].quota);
        remove_root();
    }
}

TEST(very_long_paths_are_passed_over)
{
    char line[5000];
    memset(line, 'x', sizeof line - 1);
    memcpy(line, "0::/", 4);
    line[sizeof line - 1] = '\0';
    make_root();
    put(OWN, line);
    put(GROUPS "/cpu.max", "100000 100000\n");
    CHECK_INT(impi_cpu_quota(root), IMPI_NO_QUOTA);
    remove_root();
}

TEST(there_is_at_least_one_core)
{
    uint32_t count = impi_core_count(), quota = impi_cpu_quota("");
    CHECK(count >= 1 && count <= quota);
    CHECK((long)count <= sysconf(_SC_NPROCESSORS_CONF));
}

#if defined(__linux__)

// In a process of its own, bound to one processor that it may run on.
static bool one_core_is_left(void)
{
    cpu_set_t set;
    imp_Context *context = NULL;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return true; // more processors than the test is made for
    int cpu = 0;
    while (!CPU_ISSET(cpu, &set))
        ++cpu;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (!CHECK_INT(sched_setaffinity(0, sizeof set, &set), 0))
        return false;
    bool held = CHECK_INT(impi_core_count(), 1);
    held &= CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = IMP_ALL_CORES}, &context),
                      IMP_STATUS_OK);
    held &= CHECK_INT(imp_context_get_thread_count(context), 1);
    imp_context_destroy(context);
    return held;
}

TEST(affinity_counts)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        bool held = one_core_is_left();
        fflush(NULL);
        _exit(held ? 0 : 1);
    }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

#endif
