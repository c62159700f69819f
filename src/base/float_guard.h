/// Sets the host program's floating-point mode aside.
///
/// Exactness needs round-to-nearest and subnormals. A host may have set flush-to-zero,
/// denormals-are-zero or another rounding mode on its thread, so each public function that computes
/// begins with impi_float_guard_enter and ends with impi_float_guard_leave.
/// The arithmetic itself must stand in another source file than the guard: a compiler may move plain
/// arithmetic across the change of mode, but not calls to functions it can't see.
#ifndef IMPINGE_BASE_FLOAT_GUARD_H
#define IMPINGE_BASE_FLOAT_GUARD_H

#include <stdint.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <fenv.h>
#endif

typedef struct impi_FloatGuard {
    uint64_t host_mode;
} impi_FloatGuard;

#if defined(__x86_64__)

// MXCSR: all exceptions masked, round to nearest, no flush-to-zero, no denormals-are-zero.
#define IMPI_MXCSR_DEFAULT     0x1F80u
#define IMPI_MXCSR_STICKY_BITS 0x003Fu

static inline uint64_t impi_float_mode_get(void)
{
    uint32_t mode;
    __asm__ volatile("stmxcsr %0" : "=m"(mode)::"memory");
    return mode;
}

static inline void impi_float_mode_set(uint64_t mode)
{
    uint32_t mode32 = (uint32_t)mode;
    __asm__ volatile("ldmxcsr %0" ::"m"(mode32) : "memory");
}

static inline int impi_float_mode_is_default(uint64_t mode)
{
    return (mode & ~(uint64_t)IMPI_MXCSR_STICKY_BITS) == IMPI_MXCSR_DEFAULT;
}

#define IMPI_FLOAT_MODE_DEFAULT IMPI_MXCSR_DEFAULT

#elif defined(__aarch64__)

// FPCR: zero is round to nearest, subnormals kept, no traps.
static inline uint64_t impi_float_mode_get(void)
{
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode)::"memory");
    return mode;
}

static inline void impi_float_mode_set(uint64_t mode)
{
    __asm__ volatile("msr fpcr, %0" ::"r"(mode) : "memory");
}

static inline int impi_float_mode_is_default(uint64_t mode)
{
    return mode == 0;
}

#define IMPI_FLOAT_MODE_DEFAULT 0

#else

// Only the rounding mode can be had in portable C.
static inline uint64_t impi_float_mode_get(void)
{
    return (uint64_t)fegetround();
}

static inline void impi_float_mode_set(uint64_t mode)
{
    fesetround((int)mode);
}

static inline int impi_float_mode_is_default(uint64_t mode)
{
    return mode == FE_TONEAREST;
}

#define IMPI_FLOAT_MODE_DEFAULT FE_TONEAREST

#endif

static inline impi_FloatGuard impi_float_guard_enter(void)
{
    impi_FloatGuard guard = {impi_float_mode_get()};
    if (!impi_float_mode_is_default(guard.host_mode))
        impi_float_mode_set(IMPI_FLOAT_MODE_DEFAULT);
    return guard;
}

// The host gets its own mode back, its sticky exception flags included. When its mode was the default
// one the flags of our arithmetic stay raised, as after any computation.
static inline void impi_float_guard_leave(impi_FloatGuard guard)
{
    if (!impi_float_mode_is_default(guard.host_mode))
        impi_float_mode_set(guard.host_mode);
}

#endif
