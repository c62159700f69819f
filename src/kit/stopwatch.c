#include "kit/stopwatch.h"

#include "base/clock.h"

impi_Stopwatch impi_stopwatch_start(void)
{
    return (impi_Stopwatch){impi_clock_ns()};
}

uint64_t impi_stopwatch_ns(const impi_Stopwatch *watch)
{
    return impi_clock_ns() - watch->started_ns;
}
