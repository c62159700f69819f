/// The readers, one per format. Each reads builder->window into the builder's arrays; the caller finishes the
/// mesh, or frees the builder when the status is not IMP_STATUS_OK.
#ifndef IMPINGE_IO_READERS_H
#define IMPINGE_IO_READERS_H

#include "io/mesh_builder.h"

imp_Status impi_read_obj(impi_MeshBuilder *builder);
imp_Status impi_read_stl(impi_MeshBuilder *builder);
imp_Status impi_read_ply(impi_MeshBuilder *builder);
imp_Status impi_read_off(impi_MeshBuilder *builder);

/// These open the file that the builder names themselves. impi_read_assimp takes every other format, and
/// gives IMP_STATUS_UNSUPPORTED when assimp is not there (the message names the package that brings it) or
/// doesn't know the extension either.
imp_Status impi_read_gltf(impi_MeshBuilder *builder);
imp_Status impi_read_assimp(impi_MeshBuilder *builder);

#endif
