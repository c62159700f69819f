/// Octal codes: names of octree cells, and the two orders in which a linear octree keeps them.
///
/// A code is a path from the root: a leading 1, then three bits a level that name the octant taken
/// (x in bit 0, y in bit 1, z in bit 2). The root is 1.
///
///     level 0   1
///     level 1   1 zyx
///     level 2   1 zyx zyx
#ifndef IMPINGE_GEOM_OCTAL_CODE_H
#define IMPINGE_GEOM_OCTAL_CODE_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t impi_OctalCode;

#define IMPI_OCTAL_ROOT      ((impi_OctalCode)1)
#define IMPI_OCTAL_MAX_LEVEL 21

/// Cell (x, y, z) of a level, on which each axis has 2^level cells.
typedef struct impi_OctalCell {
    uint32_t x, y, z, level;
} impi_OctalCell;

/// The low 10 bits of `value`, each followed by two zero bits. Three of these interleaved are the digits of a
/// code of up to 10 levels: Morton order.
static inline uint32_t impi_octal_spread10(uint32_t value)
{
    value &= 0x3FF;
    value = (value | value << 16) & 0x030000FF;
    value = (value | value << 8) & 0x0300F00F;
    value = (value | value << 4) & 0x030C30C3;
    return (value | value << 2) & 0x09249249;
}

/// `level` is at most IMPI_OCTAL_MAX_LEVEL and the coordinates are below 2^level.
impi_OctalCode impi_octal_encode(impi_OctalCell cell);
impi_OctalCell impi_octal_decode(impi_OctalCode code);

static inline unsigned impi_octal_level(impi_OctalCode code)
{
    return (63u - (unsigned)__builtin_clzll(code)) / 3;
}

/// The root has no parent: the result is 0, which is no code.
static inline impi_OctalCode impi_octal_parent(impi_OctalCode code)
{
    return code >> 3;
}

static inline impi_OctalCode impi_octal_child(impi_OctalCode code, unsigned octant)
{
    return code << 3 | octant;
}

/// The deepest cell that holds both.
impi_OctalCode impi_octal_common_path(impi_OctalCode a, impi_OctalCode b);

/// Is `inner` the cell `outer` or one inside it?
bool impi_octal_contains(impi_OctalCode outer, impi_OctalCode inner);

/// Pre-order walk of the octree with octants in Morton order: -1, 0 or 1. A cell comes directly before its
/// descendants.
int impi_octal_compare(impi_OctalCode a, impi_OctalCode b);

/// Hilbert order is a pre-order walk too, but enters the octants of each cell in such an order that
/// neighbours in the walk always share a face. `digits` are the digits of a code (without its leading 1);
/// the result has as many and sorts in Hilbert order.
uint64_t impi_hilbert_from_octal(uint64_t digits, unsigned level);
uint64_t impi_octal_from_hilbert(uint64_t hilbert_digits, unsigned level);

#define IMPI_HILBERT_STATES 12

/// Two levels in one look-up: steps[state][two octal digits] is next state << 6 | two Hilbert digits.
/// The walk starts in state 0.
typedef struct impi_HilbertTable {
    uint16_t steps[IMPI_HILBERT_STATES][64];
} impi_HilbertTable;

void impi_hilbert_table_init(impi_HilbertTable *table);

#endif
