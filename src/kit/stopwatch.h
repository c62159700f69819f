/// How long something takes.
#ifndef IMPINGE_KIT_STOPWATCH_H
#define IMPINGE_KIT_STOPWATCH_H

#include <stdint.h>

typedef struct impi_Stopwatch {
    uint64_t started_ns;
} impi_Stopwatch;

impi_Stopwatch impi_stopwatch_start(void);

/// Nanoseconds since it was started.
uint64_t impi_stopwatch_ns(const impi_Stopwatch *watch);

#endif
