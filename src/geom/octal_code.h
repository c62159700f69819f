/// Octal codes of octree cells, and the order along a Hilbert curve that a linear octree keeps them in.
///
/// A code has a digit of three bits for each level: the octant taken on the way down from the root, x in bit
/// 0, y in bit 1, z in bit 2.
///
///     level 1   zyx
///     level 2   zyx zyx
#ifndef IMPINGE_GEOM_OCTAL_CODE_H
#define IMPINGE_GEOM_OCTAL_CODE_H

#include <stdint.h>

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

#define IMPI_HILBERT_STATES 12

/// A Hilbert curve enters the octants of each cell in such an order that neighbours along it always share a
/// face. Its digits are as many as a code has, and sort by it. Two levels in one look-up: steps[state][two
/// octal digits] is next state << 6 | two Hilbert digits. The walk starts in state 0.
typedef struct impi_HilbertTable {
    uint16_t steps[IMPI_HILBERT_STATES][64];
} impi_HilbertTable;

void impi_hilbert_table_init(impi_HilbertTable *table);

#endif
