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

/// Lengths between points of two triangles, given by weights of their vertices, and gaps between the extents
/// of triangles along a direction. With vertices as rounded differences to one of them, each coordinate at
/// most L: vertices are off by 1.01 u L, edges by 4.03 u L, edges times weights by 6.05 u L, sums of points
/// and edges by another 2.01 u L or 4.01 u L each time: 22.2 u L for a vertex and two edges of a face, 20.2 u
/// L for two edges; weights that sum up to 1 + u take 2 u L more. That is less than 25 u L for each
/// coordinate and 43.4 u L for the length, which is at most 3.47 L and rounded by 2.5 u of it. Gaps: scalar
/// products are off by 4.05 u L times the sum of the sizes of the direction's coordinates, which is at
/// most 1.74 times its length, their difference by another half of that; over the length that makes 17.6 u L,
/// and 3.6 u of the quotient. 64 u L covers each with what adding it rounds.
#define IMPI_DISTANCE_ERROR (64 * 0x1p-53)

/// Outside this range of a direction's largest coordinate, gaps along it are not taken: underflow could
/// matter, for L above 2^-150, or overflow, for L below 2^150.
#define IMPI_GAP_MIN_DIRECTION 0x1p-500
#define IMPI_GAP_MAX_DIRECTION 0x1p500

/// Control values of volumes and areas of moving points (geom/sweep_forms.h), halved up to ten times, with
/// the extents of the points at one instant. A volume's are off by 75 u X Y Z at most and 18 u X Y Z more
/// with each halving, an area's by 11 u X Y and 4 u X Y more.
#define IMPI_SWEEP_VOLUME_ERROR (300 * 0x1p-53)
#define IMPI_SWEEP_AREA_ERROR   (64 * 0x1p-53)
#define IMPI_SWEEP_SHORTEST     0x1p-10 // the interval after so many halvings

/// How far vertices of two triangles are apart along a direction d, from differences to one of them: each is
/// off by 4.1 u of |dx| X + |dy| Y + |dz| Z, their difference by 10.2 u with its own rounding.
#define IMPI_GAP_ERROR (12 * 0x1p-53)

/// Extents of a triangle and of the octants of a cell along directions of their edges and of the triangle's
/// normal. With coordinates from where the cell is cut, at most S in size, points are off by u S, edges by
/// 4 u S, and centers of octants, like half their edges, by u S / 2: gaps by 84 u S^2 across edges and by
/// 336 u S^3 along the normal (docs/exactness.md).
#define IMPI_OCTANT_EDGE_ERROR   (128 * 0x1p-53)
#define IMPI_OCTANT_NORMAL_ERROR (512 * 0x1p-53)

/// Outside of this range of S, underflow or overflow could matter.
#define IMPI_OCTANT_MIN_SIZE 0x1p-230
#define IMPI_OCTANT_MAX_SIZE 0x1p300

/// Positions along the 15 directions of an upright box and a moved one (geom/cube_cube.h): the middles of
/// both, less each other, and half of both widths, with coordinates of at most L in the frame, and a matrix
/// that is a rotation within 2^-20. They are off by less than 80 u L; each unit that coordinates are off on
/// their own counts not quite twice.
#define IMPI_CUBE_ERROR      (128 * 0x1p-53)
#define IMPI_CUBE_SLOP       2
#define IMPI_CUBE_BASE_ERROR 0x1p-90 // of where the base goes, besides rounding; the base is at most 8

/// Below this size of |left| + |right|, or of X Y, underflow could matter.
#define IMPI_FILTER_MIN_AREA 0x1p-900

#endif
