/// How much processor time the control groups of a process allow, as containers set it.
#ifndef IMPINGE_BASE_CPU_QUOTA_H
#define IMPINGE_BASE_CPU_QUOTA_H

#include <stdint.h>

#define IMPI_NO_QUOTA UINT32_MAX

/// The smallest quota of this process's control group and the groups around it (version 2: cpu.max, version
/// 1: cpu.cfs_quota_us), in processors, rounded up, at least 1; IMPI_NO_QUOTA when there is none, or when it
/// can't be read. `root` stands before /proc and /sys: "" for those of the system.
uint32_t impi_cpu_quota(const char *root);

#endif
