// /proc/self/cgroup has a line "0::/path" for version 2 and lines "4:cpu,cpuacct:/path" for version 1; the
// group lies at that path below where its hierarchy is mounted. A quota of any group on the way up to the
// mount counts. Inside of a container the path may be the one outside of it, which does not exist there, and
// the mount is then the container's own group: what can't be read is passed over.
#include "base/cpu_quota.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PATH 4096

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// Microseconds of work in each period of microseconds.
static uint32_t processors_of(int64_t quota_us, int64_t period_us)
{
    if (quota_us <= 0 || period_us <= 0)
        return IMPI_NO_QUOTA;
    int64_t count = quota_us / period_us + (quota_us % period_us != 0);
    return count < IMPI_NO_QUOTA ? (uint32_t)count : IMPI_NO_QUOTA;
}

// The first line of FOLDER/NAME, without its end.
static bool read_line(const char *folder, const char *name, char *line, size_t size)
{
    char path[MAX_PATH];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = length > 0 && (size_t)length < sizeof path ? fopen(path, "r") : NULL;
    if (!file)
        return false;
    bool has_line = fgets(line, (int)size, file) != NULL;
    fclose(file);
    if (has_line)
        line[strcspn(line, "\n")] = '\0';
    return has_line;
}

// The number that a text begins with; `*text` moves behind it.
static bool take_number(const char **text, int64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoll(*text, &end, 10);
    bool is_number = end != *text && errno == 0;
    *text = end;
    return is_number;
}

static bool read_number(const char *folder, const char *name, int64_t *number)
{
    char line[64];
    const char *text = line;
    return read_line(folder, name, line, sizeof line) && take_number(&text, number);
}

// "150000 100000", or "max 100000".
static uint32_t read_version_2(const char *folder)
{
    char line[64];
    const char *text = line;
    int64_t quota = 0, period = 0;
    if (!read_line(folder, "cpu.max", line, sizeof line) || !take_number(&text, &quota) ||
        !take_number(&text, &period))
        return IMPI_NO_QUOTA;
    return processors_of(quota, period);
}

static uint32_t read_version_1(const char *folder)
{
    int64_t quota = 0, period = 0; // a quota of -1 is none
    if (!read_number(folder, "cpu.cfs_quota_us", &quota) ||
        !read_number(folder, "cpu.cfs_period_us", &period))
        return IMPI_NO_QUOTA;
    return processors_of(quota, period);
}

// The smallest quota from the group at `path` up to the mount. A path of groups outside of what can be seen
// begins with "/..".
static uint32_t smallest_on_the_way(const char *mount, const char *path, uint32_t (*read)(const char *folder))
{
    char folder[MAX_PATH];
    size_t mount_length = strlen(mount);
    uint32_t quota = IMPI_NO_QUOTA;
    bool is_outside = strncmp(path, "/..", 3) == 0;
    int length = snprintf(folder, sizeof folder, "%s%s", mount, is_outside ? "" : path);
    if (length < 0 || (size_t)length >= sizeof folder)
        return IMPI_NO_QUOTA;
    for (;;) {
        quota = smaller(quota, read(folder));
        if (strlen(folder) <= mount_length)
            return quota;
        *strrchr(folder, '/') = '\0';
    }
}

static bool names_cpu(const char *controllers)
{
    for (const char *at = controllers; at; at = strchr(at, ',')) {
        at += *at == ',';
        size_t length = strcspn(at, ",");
        if (length == 3 && memcmp(at, "cpu", 3) == 0)
            return true;
    }
    return false;
}

// A line of /proc/self/cgroup, which is changed: NUMBER:CONTROLLERS:PATH.
static uint32_t quota_of_line(const char *root, char *line)
{
    char mount[MAX_PATH];
    char *controllers = strchr(line, ':');
    char *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path || path[1] != '/')
        return IMPI_NO_QUOTA;
    *path++ = '\0';
    ++controllers;
    if (controllers[0] == '\0') {
        snprintf(mount, sizeof mount, "%s/sys/fs/cgroup", root);
        return smallest_on_the_way(mount, path, read_version_2);
    }
    if (!names_cpu(controllers))
        return IMPI_NO_QUOTA;
    // Mounted by the names of all its controllers, or by this one's.
    snprintf(mount, sizeof mount, "%s/sys/fs/cgroup/%s", root, controllers);
    uint32_t quota = smallest_on_the_way(mount, path, read_version_1);
    snprintf(mount, sizeof mount, "%s/sys/fs/cgroup/cpu", root);
    return smaller(quota, smallest_on_the_way(mount, path, read_version_1));
}

uint32_t impi_cpu_quota(const char *root)
{
    char line[MAX_PATH];
    uint32_t quota = IMPI_NO_QUOTA;
    snprintf(line, sizeof line, "%s/proc/self/cgroup", root);
    FILE *file = fopen(line, "r");
    if (!file)
        return IMPI_NO_QUOTA;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        quota = smaller(quota, quota_of_line(root, line));
    }
    fclose(file);
    return quota;
}
