/// Where the bytes of a glTF file come from: the file itself, .gltf or .glb, and its buffers.
#ifndef IMPINGE_IO_GLTF_BUFFERS_H
#define IMPINGE_IO_GLTF_BUFFERS_H

#include "io/gltf_reader.h"

/// Find the JSON text, and the binary chunk if the bytes are those of a .glb file (told by the content).
/// `json_offset` and `json_size` say where the text is.
imp_Status impi_gltf_split(impi_Gltf *gltf, const unsigned char *bytes, size_t size, size_t *json_offset,
                           size_t *json_size);

/// The buffers: from the binary chunk, from data URIs, or from files beside this one.
void impi_gltf_read_buffers(impi_GltfReader *reader);

void impi_gltf_close_buffers(impi_Gltf *gltf);

#endif
