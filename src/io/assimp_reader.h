/// Formats that are not ours, through assimp.
#ifndef IMPINGE_IO_ASSIMP_READER_H
#define IMPINGE_IO_ASSIMP_READER_H

#include "io/mesh_builder.h"

/// Read the file that the builder names. IMP_STATUS_UNSUPPORTED when assimp is not there (the message names
/// the package that brings it) or doesn't know the extension either.
imp_Status impi_read_assimp(impi_MeshBuilder *builder);

#endif
