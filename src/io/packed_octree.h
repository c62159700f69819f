/// How .oct files are laid out. All numbers are little endian.
///
///     byte  0   magic: 0x89 "OCT" CR LF 0x1A LF, which whoever takes it for text spoils
///           8   u32  version, 1
///          12   u32  level of voxels
///          16   3 doubles  origin
///          40   double     voxel
///          48   u64  count of cells
///          56   u32  flags: bit 0, the octree is cut
///          60   u32  checksum (io/checksum.h) of the bytes before
///          64   cells in depth-first order, 2 bits each, the first in the lowest bits of a byte: 0 white, 1
///               black, 2 gray; bits behind the last cell are 0
///         end   u32  checksum of the cells' bytes
#ifndef IMPINGE_IO_PACKED_OCTREE_H
#define IMPINGE_IO_PACKED_OCTREE_H

#define IMPI_OCT_VERSION     1
#define IMPI_OCT_HEADER_SIZE 64
#define IMPI_OCT_END_SIZE    4
#define IMPI_OCT_FLAG_CUT    1u

static const unsigned char impi_oct_magic[] = {0x89, 'O', 'C', 'T', '\r', '\n', 0x1A, '\n'};

// Where fields of the header begin.
#define IMPI_OCT_VERSION_AT  8
#define IMPI_OCT_LEVEL_AT    12
#define IMPI_OCT_ORIGIN_AT   16
#define IMPI_OCT_VOXEL_AT    40
#define IMPI_OCT_COUNT_AT    48
#define IMPI_OCT_FLAGS_AT    56
#define IMPI_OCT_CHECKSUM_AT 60

#endif
