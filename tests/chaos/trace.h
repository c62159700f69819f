/// What the last calls of a lane were, to be printed when one of them went wrong.
#ifndef IMPINGE_TESTS_CHAOS_TRACE_H
#define IMPINGE_TESTS_CHAOS_TRACE_H

#include <impinge/base.h>

#define TRACE_LINES       48
#define TRACE_LINE_LENGTH 240

typedef struct Trace {
    char lines[TRACE_LINES][TRACE_LINE_LENGTH];
    uint64_t count; // of lines so far; the last TRACE_LINES are kept
} Trace;

/// Begin a line.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void trace_add(Trace *trace, const char *format, ...);

/// Go on in the last line.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void trace_append(Trace *trace, const char *format, ...);

void trace_print(const Trace *trace);

#endif
