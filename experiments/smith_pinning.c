#if defined(__linux__)
#define _GNU_SOURCE // pthread_setaffinity_np
#endif
#include "smith_pinning.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

#if defined(__linux__)

static_assert(sizeof(cpu_set_t) == sizeof((SmithPin){0}.allowed), "all that the system lists");

static int processor_of_number(const cpu_set_t *allowed, uint32_t number)
{
    int left = (int)(number % (uint32_t)CPU_COUNT(allowed)), cpu = 0;
    while (!CPU_ISSET(cpu, allowed) || left-- > 0)
        ++cpu;
    return cpu;
}

void smith_pin_begin(uint32_t number, SmithPin *pin)
{
    cpu_set_t allowed, one;
    pin->is_pinned = false;
    if (pthread_getaffinity_np(pthread_self(), sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) == 0)
        return;
    memcpy(pin->allowed, &allowed, sizeof allowed);
    CPU_ZERO(&one);
    CPU_SET(processor_of_number(&allowed, number), &one);
    pin->is_pinned = pthread_setaffinity_np(pthread_self(), sizeof one, &one) == 0;
}

void smith_pin_end(const SmithPin *pin)
{
    cpu_set_t allowed;
    if (!pin->is_pinned)
        return;
    memcpy(&allowed, pin->allowed, sizeof allowed);
    pthread_setaffinity_np(pthread_self(), sizeof allowed, &allowed);
}

#else

void smith_pin_begin(uint32_t number, SmithPin *pin)
{
    (void)number;
    pin->is_pinned = false;
}

void smith_pin_end(const SmithPin *pin)
{
    (void)pin;
}

#endif
