/// When may boxes that go straight from one place to another share a point?
#ifndef IMPINGE_GEOM_TIME_SPAN_H
#define IMPINGE_GEOM_TIME_SPAN_H

#include "geom/scalar.h"

#include <impinge/math.h>

#include <math.h>

/// From first to last; first > last: never.
typedef struct impi_TimeSpan {
    double first, last;
} impi_TimeSpan;

#define IMPI_ALL_TIME ((impi_TimeSpan){0, 1})

static inline bool impi_time_spans_meet(const impi_TimeSpan *a, const impi_TimeSpan *b)
{
    return a->first <= b->last && b->first <= a->last;
}

// How far apart two ends of intervals are at time 0 and at time 1, above 0 while the intervals have nothing
// in common. Differences of doubles are rounded once, with a relative error of 2^-53 that no underflow adds
// to; they have different signs, so their difference has no more than twice that, and the quotient three
// times. What quotients lose to underflow is less than 1e-300.
static inline void impi_time_span_cut(impi_TimeSpan *span, double gap_begin, double gap_end)
{
    double width = gap_begin - gap_end;
    if (gap_begin > 0 && gap_end > 0) {
        span->first = 2;
        span->last = -1;
    } else if (gap_begin > 0 && width < INFINITY) {
        span->first = impi_larger(gap_begin / width * (1 - 0x1p-50) - 1e-300, span->first);
    } else if (gap_end > 0 && width > -INFINITY) {
        span->last = impi_smaller(gap_begin / width * (1 + 0x1p-50) + 1e-300, span->last);
    }
}

/// In real arithmetic on these doubles; a span that is too long by some ulp, never too short.
static inline impi_TimeSpan impi_boxes_meet_when(const imp_Box *a_begin, const imp_Box *a_end,
                                                 const imp_Box *b_begin, const imp_Box *b_end)
{
    impi_TimeSpan span = IMPI_ALL_TIME;
    impi_time_span_cut(&span, b_begin->min.x - a_begin->max.x, b_end->min.x - a_end->max.x);
    impi_time_span_cut(&span, a_begin->min.x - b_begin->max.x, a_end->min.x - b_end->max.x);
    impi_time_span_cut(&span, b_begin->min.y - a_begin->max.y, b_end->min.y - a_end->max.y);
    impi_time_span_cut(&span, a_begin->min.y - b_begin->max.y, a_end->min.y - b_end->max.y);
    impi_time_span_cut(&span, b_begin->min.z - a_begin->max.z, b_end->min.z - a_end->max.z);
    impi_time_span_cut(&span, a_begin->min.z - b_begin->max.z, a_end->min.z - b_end->max.z);
    return span;
}

#endif
