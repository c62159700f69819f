/// The elements of an accessor of a glTF file.
#ifndef IMPINGE_IO_GLTF_ACCESSOR_H
#define IMPINGE_IO_GLTF_ACCESSOR_H

#include "io/gltf_reader.h"

/// Read the buffer views and accessors, which must lie in what they are part of.
void impi_gltf_read_views(impi_GltfReader *reader);
void impi_gltf_read_accessors(impi_GltfReader *reader);

/// Does the file hold numbers for it? Without a bufferView and without a sparse part all of it is zero.
static inline bool impi_gltf_is_stored(const impi_GltfAccessor *accessor)
{
    return accessor->bytes || accessor->sparse_count > 0;
}

/// The numbers of `count` elements from `first` on, all of which must be there, one behind the other: `width`
/// for each element. Normalized integers come as the fractions they stand for. They may not be finite.
void impi_gltf_accessor_read(const impi_GltfAccessor *accessor, size_t first, size_t count, double *numbers);

/// The same in blocks, of which the context's watch is told; its status.
imp_Status impi_gltf_accessor_read_all(imp_Context *context, const impi_GltfAccessor *accessor,
                                       double *numbers);

/// The same of an unsigned SCALAR, as integers.
void impi_gltf_accessor_read_integers(const impi_GltfAccessor *accessor, size_t first, size_t count,
                                      uint32_t *integers);

/// Of an accessor of floats: are `count` elements from `first` on finite?
bool impi_gltf_accessor_is_finite(const impi_GltfAccessor *accessor, size_t first, size_t count);

/// Numbers that are looked at a block at a time.
#define IMPI_GLTF_BLOCK 1024

/// The elements from `first` on, as many as there are or fit into a block. Returns how many.
size_t impi_gltf_accessor_read_block(const impi_GltfAccessor *accessor, size_t first,
                                     double numbers[IMPI_GLTF_BLOCK]);

#endif
