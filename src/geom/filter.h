/// Error bounds of the floating-point filters. Derivations in docs/exactness.md; u = 2^-53.
#ifndef IMPINGE_GEOM_FILTER_H
#define IMPINGE_GEOM_FILTER_H

/// orient3d as the library computes it, from differences of coordinates to one base point, is the sum of
/// six products of three differences. Each factor is rounded once, and each product goes through at most
/// five further roundings, so the error is at most 6 ((1+u)^8 - 1) X Y Z, where X, Y, Z bound the true
/// differences; those exceed the computed extents by at most (1+u) each, and the bound's own product rounds
/// three times. 48.0001 u covers that; the rest, up to 49 u, covers underflow (below).
#define IMPI_ORIENT3D_ERROR (49 * 0x1p-53)

/// Outside this range the filter does not answer. Up to 2^300 nothing overflows, and underflow in any of
/// the steps adds at most 2^-770; at a volume of 2^-700 and more that is far below u times the volume.
#define IMPI_FILTER_MAX_EXTENT 0x1p300
#define IMPI_FILTER_MIN_VOLUME 0x1p-700

/// orient2d is a difference of two products of two differences: each product carries (1+u)^3, the
/// difference one more, so 4.0001 u (|left| + |right|) bounds the error; the sum rounds once more.
#define IMPI_ORIENT2D_ERROR (5 * 0x1p-53)

/// The same with the extents X, Y of all points in place of the two products: 2 ((1+u)^4 - 1) X Y, and what
/// the extents themselves and their product round.
#define IMPI_FLAT_ERROR (9 * 0x1p-53)

/// Below this size of |left| + |right|, or of X Y, underflow could matter.
#define IMPI_FILTER_MIN_AREA 0x1p-900

#endif
