/// The readers, one per format. Each reads builder->bytes into the builder's arrays; the caller finishes the
/// mesh, or frees the builder when the status is not IMP_STATUS_OK.
#ifndef IMPINGE_IO_READERS_H
#define IMPINGE_IO_READERS_H

#include "io/mesh_builder.h"

imp_Status impi_read_obj(impi_MeshBuilder *builder);
imp_Status impi_read_stl(impi_MeshBuilder *builder);
imp_Status impi_read_ply(impi_MeshBuilder *builder);
imp_Status impi_read_off(impi_MeshBuilder *builder);

#endif
