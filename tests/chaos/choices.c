#include "choices.h"

#include <math.h>

Choices choices_from_seed(uint64_t seed)
{
    return (Choices){.state = seed * 0xD1342543DE82EF95u + 1};
}

Choices choices_from_bytes(const uint8_t *bytes, size_t size)
{
    static const uint8_t none;
    return (Choices){.bytes = bytes ? bytes : &none, .size = bytes ? size : 0};
}

bool choices_have_ended(const Choices *choices)
{
    return choices->bytes && choices->position >= choices->size;
}

// Splitmix64.
static uint64_t next_random(Choices *choices)
{
    uint64_t z = choices->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static uint64_t next_bytes(Choices *choices, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count && !choices_have_ended(choices); ++i)
        value |= (uint64_t)choices->bytes[choices->position++] << (8 * i);
    return value;
}

uint32_t choose(Choices *choices, uint32_t limit)
{
    if (limit <= 1)
        return 0;
    if (choices->bytes)
        return (uint32_t)(next_bytes(choices, limit <= 256 ? 1 : 4) % limit);
    return (uint32_t)(((next_random(choices) >> 32) * limit) >> 32);
}

bool choose_rarely(Choices *choices, uint32_t times)
{
    return choose(choices, times) == times - 1;
}

uint64_t choose_bits(Choices *choices)
{
    return choices->bytes ? next_bytes(choices, 8) : next_random(choices);
}

double choose_between(Choices *choices, double low, double high)
{
    double unit = choices->bytes ? (double)next_bytes(choices, 3) * 0x1p-24
                                 : (double)(next_random(choices) >> 11) * 0x1p-53;
    return low + (high - low) * unit;
}

double choose_coordinate(Choices *choices, double reach)
{
    uint32_t halves = (uint32_t)(4 * reach) + 1;
    if (choose(choices, 2) == 0)
        return 0.5 * (double)choose(choices, halves) - reach;
    return choose_between(choices, -reach, reach);
}

imp_Vec3 choose_point(Choices *choices, double reach)
{
    imp_Vec3 point;
    point.x = choose_coordinate(choices, reach);
    point.y = choose_coordinate(choices, reach);
    point.z = choose_coordinate(choices, reach);
    return point;
}

double choose_wild_number(Choices *choices)
{
    int exponent;
    switch (choose(choices, 12)) {
    case 9:
        exponent = (int)choose(choices, 2000) - 1000;
        return ldexp(choose_between(choices, -1, 1), exponent);
    case 10:
        return ldexp((double)choose(choices, 64) - 32, -1074);
    case 11:
        return -0.0;
    default:
        return choose_coordinate(choices, 3);
    }
}

imp_Vec3 choose_wild_point(Choices *choices)
{
    imp_Vec3 point;
    point.x = choose_wild_number(choices);
    point.y = choose_wild_number(choices);
    point.z = choose_wild_number(choices);
    return point;
}

imp_Box choose_wild_box(Choices *choices)
{
    imp_Vec3 a = choose_wild_point(choices), b = choose_wild_point(choices);
    return (imp_Box){{fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)},
                     {fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)}};
}

double choose_bad_number(Choices *choices)
{
    static const double numbers[] = {NAN, INFINITY, -INFINITY};
    return numbers[choose(choices, 3)];
}

imp_Quat choose_rotation(Choices *choices)
{
    static const imp_Quat quarter = {0.70710678118654757, 0, 0, 0.70710678118654757};
    uint32_t kind = choose(choices, 6);
    if (kind <= 1)
        return (imp_Quat){0, 0, 0, 0};
    if (kind == 2)
        return quarter;
    imp_Quat q;
    q.w = choose_between(choices, -1, 1);
    q.x = choose_between(choices, -1, 1);
    q.y = choose_between(choices, -1, 1);
    q.z = choose_between(choices, -1, 1);
    double norm = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (norm < 0.1)
        return (imp_Quat){1, 0, 0, 0};
    return (imp_Quat){q.w / norm, q.x / norm, q.y / norm, q.z / norm};
}

imp_Pose choose_pose(Choices *choices, double reach)
{
    imp_Pose pose;
    pose.translation = choose_point(choices, reach);
    pose.rotation = choose_rotation(choices);
    if (choose_rarely(choices, 24)) // so far away that vertices are rounded to a few places
        pose.translation.x = ldexp(pose.translation.x, (int)choose(choices, 56));
    return pose;
}

imp_Pose choose_bad_pose(Choices *choices)
{
    imp_Pose pose = choose_pose(choices, 2);
    switch (choose(choices, 3)) {
    case 0:
        pose.rotation = (imp_Quat){0.5, 0.25, 0, 0};
        break;
    case 1:
        pose.rotation.y = choose_bad_number(choices);
        break;
    default:
        pose.translation.z = choose_bad_number(choices);
    }
    return pose;
}
