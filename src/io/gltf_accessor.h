/// The elements of an accessor of a glTF file.
#ifndef IMPINGE_IO_GLTF_ACCESSOR_H
#define IMPINGE_IO_GLTF_ACCESSOR_H

#include "io/gltf_reader.h"

/// Read the buffer views and accessors, which must lie in what they are part of.
void impi_gltf_read_views(impi_GltfReader *reader);
void impi_gltf_read_accessors(impi_GltfReader *reader);

/// The numbers of one element, `width` of them; `index` is below the count. Normalized integers come as the
/// fractions they stand for. They may not be finite.
void impi_gltf_accessor_get(const impi_GltfAccessor *accessor, size_t index,
                            double numbers[IMPI_GLTF_MAX_WIDTH]);

#endif
