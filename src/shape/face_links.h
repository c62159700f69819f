/// How the faces of a surface hang together: which of them meet in a vertex. Vertices with equal coordinates
/// count as one.
#ifndef IMPINGE_SHAPE_FACE_LINKS_H
#define IMPINGE_SHAPE_FACE_LINKS_H

#include "shape/mesh.h"

typedef struct impi_FaceLinks {
    size_t face_count, vertex_count; // distinct vertices that faces use
    uint32_t *corners;               // three per face: distinct vertices
    uint32_t *vertices;              // of each distinct vertex, the first of the mesh's that it is
    size_t *first_faces;             // faces at vertex i: faces[first_faces[i]] up to, not at, that of i + 1
    uint32_t *faces;                 // ascending
    bool is_closed;
} impi_FaceLinks;

/// In the context's scratch arena. IMP_STATUS_OUT_OF_MEMORY or OK.
imp_Status impi_face_links_find(imp_Context *context, const imp_Mesh *mesh, impi_FaceLinks *links);

/// Kept with the mesh (see shape/mesh_derived.h).
imp_Status impi_mesh_face_links(imp_Context *context, const imp_Mesh *mesh, const impi_FaceLinks **links);

/// Null is fine.
void impi_face_links_free(const imp_Allocator *allocator, impi_FaceLinks *links);

/// The corners of a face.
static inline const uint32_t *impi_face_corners(const impi_FaceLinks *links, uint32_t face)
{
    return links->corners + 3 * (size_t)face;
}

#endif
