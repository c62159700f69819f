/// Where the choices of a program come from: random numbers of a seed, or the bytes of a fuzzer. What is
/// chosen when bytes have run out is 0, which is made to mean the plain case everywhere.
#ifndef IMPINGE_TESTS_CHAOS_CHOICES_H
#define IMPINGE_TESTS_CHAOS_CHOICES_H

#include <impinge/math.h>

typedef struct Choices {
    uint64_t state;
    const uint8_t *bytes; // null: random
    size_t size, position;
} Choices;

Choices choices_from_seed(uint64_t seed);
Choices choices_from_bytes(const uint8_t *bytes, size_t size);

/// Have the bytes run out? Never with random choices.
bool choices_have_ended(const Choices *choices);

/// 0 .. limit - 1.
uint32_t choose(Choices *choices, uint32_t limit);
/// True once in `times`.
bool choose_rarely(Choices *choices, uint32_t times);
uint64_t choose_bits(Choices *choices);
double choose_between(Choices *choices, double low, double high);

/// Coordinates from [-reach, reach]: on a grid of halves about as often as anywhere, so that things touch.
double choose_coordinate(Choices *choices, double reach);
imp_Vec3 choose_point(Choices *choices, double reach);
/// The same, and now and then of any size: subnormal, 1e300, -0.
double choose_wild_number(Choices *choices);
imp_Vec3 choose_wild_point(Choices *choices);
imp_Box choose_wild_box(Choices *choices);
/// NaN or infinite.
double choose_bad_number(Choices *choices);

/// A rotation of unit length, often none, often by a quarter of a turn.
imp_Quat choose_rotation(Choices *choices);
imp_Pose choose_pose(Choices *choices, double reach);
/// One that imp_pose_transform refuses.
imp_Pose choose_bad_pose(Choices *choices);

#endif
