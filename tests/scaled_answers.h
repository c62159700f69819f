/// Answers to many questions about a scene, to be compared with those about the same scene times a power of
/// two: what is counted or named stays the same, lengths are multiplied.
#ifndef IMPINGE_TESTS_SCALED_ANSWERS_H
#define IMPINGE_TESTS_SCALED_ANSWERS_H

#include "harness.h"

#include <impinge/math.h>

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>

typedef struct ScaledAnswer {
    const char *what;
    uint64_t number;
    double value;     // times the scale to the power
    int power;        // 0: the same at all scales
    double tolerance; // of the value, relative, with power 0 absolute; 0: the same bits
} ScaledAnswer;

#define MAX_SCALED_ANSWERS 200000

typedef struct ScaledAnswers {
    size_t count;
    ScaledAnswer list[MAX_SCALED_ANSWERS];
} ScaledAnswers;

static inline void add_answer(ScaledAnswers *answers, ScaledAnswer answer)
{
    if (answers->count < MAX_SCALED_ANSWERS)
        answers->list[answers->count++] = answer;
    else
        CHECK(!"too many answers");
}

static inline void answer_number(ScaledAnswers *answers, const char *what, uint64_t number)
{
    add_answer(answers, (ScaledAnswer){what, number, 0, 0, 0});
}

static inline void answer_value(ScaledAnswers *answers, const char *what, double value, int power,
                                double tolerance)
{
    add_answer(answers, (ScaledAnswer){what, 0, value, power, tolerance});
}

static inline void answer_point(ScaledAnswers *answers, const char *what, imp_Vec3 point)
{
    answer_value(answers, what, point.x, 1, 0);
    answer_value(answers, what, point.y, 1, 0);
    answer_value(answers, what, point.z, 1, 0);
}

/// When something happens: the same at all scales, within a tolerance.
static inline void answer_time(ScaledAnswers *answers, const char *what, double time, double tolerance)
{
    add_answer(answers, (ScaledAnswer){what, isnan(time), isnan(time) ? 0 : time, 0, tolerance});
}

// What subnormals lack is no difference.
static inline bool is_scaled_answer(const ScaledAnswer *at_one, const ScaledAnswer *scaled, int exponent)
{
    if (at_one->power == 0)
        return at_one->number == scaled->number && fabs(scaled->value - at_one->value) <= at_one->tolerance;
    double want = ldexp(at_one->value, at_one->power * exponent);
    if (want == scaled->value || at_one->tolerance == 0)
        return want == scaled->value;
    return fabs(scaled->value - want) <= at_one->tolerance * fabs(want) + 0x1p-1074;
}

static inline bool are_scaled_answers(const ScaledAnswers *at_one, const ScaledAnswers *scaled, int exponent)
{
    size_t differences = 0;
    if (!CHECK(at_one->count == scaled->count))
        return false;
    for (size_t i = 0; i < at_one->count; ++i) {
        const ScaledAnswer *a = &at_one->list[i], *b = &scaled->list[i];
        if (is_scaled_answer(a, b, exponent) || ++differences > 3)
            continue;
        printf("  %s at 2^%d: %llu and %llu, %a and %a\n", a->what, exponent, (unsigned long long)a->number,
               (unsigned long long)b->number, a->value, b->value);
    }
    return CHECK(differences == 0);
}

static const int scaled_exponents[] = {-1000, -900, -300, -60, 60, 300, 900, 1000};
#define SCALED_EXPONENT_COUNT (sizeof scaled_exponents / sizeof *scaled_exponents)

static inline imp_Vec3 scaled_point(imp_Vec3 v, int exponent)
{
    return (imp_Vec3){ldexp(v.x, exponent), ldexp(v.y, exponent), ldexp(v.z, exponent)};
}

static inline imp_Vec3 sum_of(imp_Vec3 a, imp_Vec3 b)
{
    return (imp_Vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

/// Numbers whose bits all sizes keep: multiples of 2^-20, half of them integers.
static inline double random_scalable(void)
{
    double value = test_random_between(-2, 2);
    return test_random_below(2) ? rint(value) : rint(value * 0x1p20) * 0x1p-20;
}

static inline imp_Vec3 random_place(void)
{
    double x = random_scalable(), y = random_scalable(), z = random_scalable();
    return (imp_Vec3){x, y, z};
}

static inline imp_Quat random_rotation(void)
{
    double q[4], norm;
    do {
        norm = 0;
        for (int i = 0; i < 4; ++i) {
            q[i] = test_random_between(-1, 1);
            norm += q[i] * q[i];
        }
        norm = sqrt(norm);
    } while (norm < 0.1);
    return (imp_Quat){q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm};
}

/// Asks about a scene times 2^exponent.
typedef void (*AskFn)(imp_Context *context, const void *scene, int exponent, ScaledAnswers *answers);

/// Ask about the scene at size 1, then at all others.
static inline void ask_at_all_sizes(imp_Context *context, const void *scene, AskFn ask)
{
    static ScaledAnswers at_one, scaled;
    at_one.count = 0;
    ask(context, scene, 0, &at_one);
    CHECK(at_one.count > 0);
    for (size_t i = 0; i < SCALED_EXPONENT_COUNT; ++i) {
        scaled.count = 0;
        ask(context, scene, scaled_exponents[i], &scaled);
        are_scaled_answers(&at_one, &scaled, scaled_exponents[i]);
    }
}

#endif
