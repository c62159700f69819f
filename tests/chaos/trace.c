#include "trace.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void trace_add(Trace *trace, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(trace->lines[trace->count++ % TRACE_LINES], TRACE_LINE_LENGTH, format, arguments);
    va_end(arguments);
}

void trace_append(Trace *trace, const char *format, ...)
{
    char *line = trace->lines[(trace->count + TRACE_LINES - 1) % TRACE_LINES];
    size_t length = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + length, TRACE_LINE_LENGTH - length, format, arguments);
    va_end(arguments);
}

void trace_print(const Trace *trace)
{
    uint64_t first = trace->count > TRACE_LINES ? trace->count - TRACE_LINES : 0;
    for (uint64_t i = first; i < trace->count; ++i)
        printf("  %5" PRIu64 "  %s\n", i, trace->lines[i % TRACE_LINES]);
}
