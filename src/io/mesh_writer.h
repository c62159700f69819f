/// The writers, one per format.
#ifndef IMPINGE_IO_MESH_WRITER_H
#define IMPINGE_IO_MESH_WRITER_H

#include "io/atomic_file.h"
#include "io/rgb.h"

#include <impinge/mesh.h>

/// imp_mesh_save with a colour per triangle (red, green, blue), or none when `colors` is null.
/// IMP_STATUS_UNSUPPORTED for colours in formats other than PLY and OFF.
imp_Status impi_mesh_save_colored(imp_Context *context, const imp_Mesh *mesh, const impi_Rgb *colors,
                                  const char *path);

/// Put the mesh into the file, all of it; the caller commits.
imp_Status impi_write_obj(impi_AtomicFile *file, const imp_Mesh *mesh);
imp_Status impi_write_stl(impi_AtomicFile *file, const imp_Mesh *mesh);
imp_Status impi_write_ply(impi_AtomicFile *file, const imp_Mesh *mesh, const impi_Rgb *colors);
imp_Status impi_write_off(impi_AtomicFile *file, const imp_Mesh *mesh, const impi_Rgb *colors);

#endif
