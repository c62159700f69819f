/// The least time that several threads have found so far.
#ifndef IMPINGE_OBJECT_FIRST_TIME_H
#define IMPINGE_OBJECT_FIRST_TIME_H

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

/// Bits of a double that is not negative, which are in the order of the numbers.
typedef struct impi_FirstTime {
    atomic_uint_fast64_t bits;
} impi_FirstTime;

static inline uint64_t impi_time_bits(double time)
{
    uint64_t bits;
    memcpy(&bits, &time, sizeof bits);
    return bits;
}

static inline void impi_first_time_begin(impi_FirstTime *first, double time)
{
    atomic_init(&first->bits, impi_time_bits(time));
}

static inline double impi_first_time_get(impi_FirstTime *first)
{
    uint64_t bits = atomic_load_explicit(&first->bits, memory_order_relaxed);
    double time;
    memcpy(&time, &bits, sizeof time);
    return time;
}

/// It is this one, unless it is less already.
static inline void impi_first_time_lower(impi_FirstTime *first, double time)
{
    uint_fast64_t known = atomic_load_explicit(&first->bits, memory_order_relaxed);
    uint64_t bits = impi_time_bits(time);
    while (bits < known && !atomic_compare_exchange_weak_explicit(&first->bits, &known, bits,
                                                                  memory_order_relaxed, memory_order_relaxed))
        continue;
}

#endif
