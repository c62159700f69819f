/// OctoMap's binary trees, .bt: a header of lines, of which the first begins with a fixed text, "id", "size"
/// and "res" tell the kind of tree, the number of its nodes and the edge of a voxel, and "data" is the last
/// one; then nodes in depth-first order, of two bytes each, little endian:
///
///     bits 2 i and 2 i + 1: the child in octant i     00 unknown, 01 free, 10 occupied, 11 a node
///
/// Children that are nodes follow behind their parent in the order of octants, which is ours. The root is a
/// node; a tree of size 0 has none. The cube has 2^16 voxels along an edge, and 0, 0, 0 is its middle.
#ifndef IMPINGE_IO_OCTOMAP_H
#define IMPINGE_IO_OCTOMAP_H

#define IMPI_OCTOMAP_BEGINNING "# Octomap OcTree binary file"
#define IMPI_OCTOMAP_LEVEL     16
#define IMPI_OCTOMAP_MIDDLE    (1 << (IMPI_OCTOMAP_LEVEL - 1))
#define IMPI_OCTOMAP_NODE_SIZE 2

typedef enum impi_OctoMapChild {
    IMPI_OCTOMAP_UNKNOWN,
    IMPI_OCTOMAP_FREE,
    IMPI_OCTOMAP_OCCUPIED,
    IMPI_OCTOMAP_NODE
} impi_OctoMapChild;

#endif
