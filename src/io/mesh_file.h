/// Mesh files of every format, read into a builder.
#ifndef IMPINGE_IO_MESH_FILE_H
#define IMPINGE_IO_MESH_FILE_H

#include "io/file_load.h"
#include "io/mesh_builder.h"

/// Begin a builder with what is known of the file. It must outlive it.
void impi_mesh_file_begin(imp_Context *context, const impi_FileLoad *load, impi_MeshBuilder *builder);

/// Read the file that the builder was begun with. The caller finishes the mesh, or frees the builder when the
/// status is not IMP_STATUS_OK. Expects the default floating-point mode.
imp_Status impi_mesh_file_read(const impi_FileLoad *load, impi_MeshBuilder *builder);

/// The same for bytes in memory, in one of our formats but glTF.
imp_Status impi_mesh_file_read_bytes(const impi_FileLoad *load, const void *bytes, size_t size,
                                     impi_MeshBuilder *builder);

#endif
