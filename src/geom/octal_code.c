#include "geom/octal_code.h"

#include <assert.h>

// Three-dimensional Hilbert curve as a machine of 12 states, one for each way in which the curve can lie in a
// cell: hilbert_steps[state][octant] is next state << 3 | position of the octant along the curve.
// Derived from the Gray-code form of the curve: entry corner e and direction d of a cell are the state; the
// octant, reflected by e and rotated by d, is the Gray code of its position.
static const uint8_t hilbert_steps[IMPI_HILBERT_STATES][8] = {
    {0x08, 0x17, 0x19, 0x26, 0x2b, 0x2c, 0x1a, 0x25}, {0x18, 0x33, 0x3f, 0x34, 0x01, 0x02, 0x46, 0x45},
    {0x4c, 0x27, 0x4b, 0x50, 0x05, 0x06, 0x42, 0x41}, {0x00, 0x09, 0x53, 0x0a, 0x5f, 0x4e, 0x54, 0x4d},
    {0x16, 0x07, 0x15, 0x3c, 0x31, 0x58, 0x32, 0x3b}, {0x3a, 0x55, 0x03, 0x04, 0x39, 0x56, 0x48, 0x37},
    {0x5a, 0x59, 0x2d, 0x2e, 0x0b, 0x20, 0x0c, 0x57}, {0x24, 0x0d, 0x47, 0x0e, 0x23, 0x4a, 0x28, 0x49},
    {0x3e, 0x51, 0x0f, 0x10, 0x3d, 0x52, 0x5c, 0x5b}, {0x5e, 0x5d, 0x29, 0x2a, 0x1f, 0x14, 0x38, 0x13},
    {0x12, 0x1b, 0x11, 0x40, 0x35, 0x1c, 0x36, 0x2f}, {0x44, 0x43, 0x1d, 0x22, 0x4f, 0x30, 0x1e, 0x21},
};

// The low 21 bits, each followed by two zero bits.
static uint64_t spread21(uint64_t value)
{
    value &= 0x1FFFFF;
    value = (value | value << 32) & 0x001F00000000FFFF;
    value = (value | value << 16) & 0x001F0000FF0000FF;
    value = (value | value << 8) & 0x100F00F00F00F00F;
    value = (value | value << 4) & 0x10C30C30C30C30C3;
    return (value | value << 2) & 0x1249249249249249;
}

static uint32_t gather21(uint64_t value)
{
    value &= 0x1249249249249249;
    value = (value | value >> 2) & 0x10C30C30C30C30C3;
    value = (value | value >> 4) & 0x100F00F00F00F00F;
    value = (value | value >> 8) & 0x001F0000FF0000FF;
    value = (value | value >> 16) & 0x001F00000000FFFF;
    return (uint32_t)((value | value >> 32) & 0x1FFFFF);
}

impi_OctalCode impi_octal_encode(impi_OctalCell cell)
{
    assert(cell.level <= IMPI_OCTAL_MAX_LEVEL && (cell.x | cell.y | cell.z) >> cell.level == 0);
    uint64_t digits = spread21(cell.x) | spread21(cell.y) << 1 | spread21(cell.z) << 2;
    return IMPI_OCTAL_ROOT << (3 * cell.level) | digits;
}

impi_OctalCell impi_octal_decode(impi_OctalCode code)
{
    unsigned level = impi_octal_level(code);
    uint64_t digits = code ^ IMPI_OCTAL_ROOT << (3 * level);
    return (impi_OctalCell){gather21(digits), gather21(digits >> 1), gather21(digits >> 2), level};
}

impi_OctalCode impi_octal_common_path(impi_OctalCode a, impi_OctalCode b)
{
    unsigned level_a = impi_octal_level(a), level_b = impi_octal_level(b);
    unsigned level = level_a < level_b ? level_a : level_b;
    a >>= 3 * (level_a - level);
    b >>= 3 * (level_b - level);
    if (a == b)
        return a;
    unsigned highest_difference = 63u - (unsigned)__builtin_clzll(a ^ b);
    return a >> 3 * (highest_difference / 3 + 1);
}

bool impi_octal_contains(impi_OctalCode outer, impi_OctalCode inner)
{
    unsigned outer_level = impi_octal_level(outer), inner_level = impi_octal_level(inner);
    return outer_level <= inner_level && inner >> 3 * (inner_level - outer_level) == outer;
}

// Filled up with zero digits to the same level, a cell and the first of its descendants are equal; then the
// shallower one comes first.
int impi_octal_compare(impi_OctalCode a, impi_OctalCode b)
{
    unsigned level_a = impi_octal_level(a), level_b = impi_octal_level(b);
    uint64_t deep_a = a << 3 * (IMPI_OCTAL_MAX_LEVEL - level_a);
    uint64_t deep_b = b << 3 * (IMPI_OCTAL_MAX_LEVEL - level_b);
    if (deep_a != deep_b)
        return deep_a < deep_b ? -1 : 1;
    return (level_a > level_b) - (level_a < level_b);
}

uint64_t impi_hilbert_from_octal(uint64_t digits, unsigned level)
{
    uint64_t hilbert = 0;
    unsigned state = 0;
    while (level-- > 0) {
        unsigned step = hilbert_steps[state][digits >> 3 * level & 7];
        hilbert = hilbert << 3 | (step & 7);
        state = step >> 3;
    }
    return hilbert;
}

uint64_t impi_octal_from_hilbert(uint64_t hilbert_digits, unsigned level)
{
    uint64_t digits = 0;
    unsigned state = 0;
    while (level-- > 0) {
        unsigned position = hilbert_digits >> 3 * level & 7, octant = 0;
        while ((hilbert_steps[state][octant] & 7) != position)
            ++octant;
        digits = digits << 3 | octant;
        state = hilbert_steps[state][octant] >> 3;
    }
    return digits;
}

void impi_hilbert_table_init(impi_HilbertTable *table)
{
    for (unsigned state = 0; state < IMPI_HILBERT_STATES; ++state) {
        for (unsigned octants = 0; octants < 64; ++octants) {
            unsigned first = hilbert_steps[state][octants >> 3];
            unsigned second = hilbert_steps[first >> 3][octants & 7];
            table->steps[state][octants] = (uint16_t)((second & ~7u) << 3 | (first & 7) << 3 | (second & 7));
        }
    }
}
