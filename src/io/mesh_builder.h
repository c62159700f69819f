/// What the readers of mesh files share: where the bytes come from, and the mesh that grows from them.
#ifndef IMPINGE_IO_MESH_BUILDER_H
#define IMPINGE_IO_MESH_BUILDER_H

#include "base/array.h"
#include "geom/unit_conversion.h"
#include "io/byte_window.h"

#include <impinge/mesh.h>

/// A face whose convexity can't be told yet because some of its vertices come later in the file.
typedef struct impi_WaitingPolygon {
    size_t first_index, triangle_count;
    uint64_t place;
} impi_WaitingPolygon;

/// Where a solid of a text STL file begins; it ends where the next one does.
typedef struct impi_Solid {
    size_t first_vertex, first_index;
    size_t name_begin, name_length; // among the names of all
} impi_Solid;

/// A mesh that grows face by face. Polygons are fanned from their first vertex in place.
typedef struct impi_MeshBuilder {
    imp_Context *context;
    const char *file_name;  // for errors
    const char *path;       // for readers that open files themselves
    impi_ByteWindow window; // the file's bytes; of no use to those
    impi_UnitConversion conversion;

    IMPI_ARRAY(imp_Vec3) vertices;
    IMPI_ARRAY(uint32_t) indices; // three per triangle
    IMPI_ARRAY(uint32_t) corners; // of the face that is being read
    IMPI_ARRAY(impi_WaitingPolygon) waiting;

    bool keeps_solids; // the next two are wanted
    IMPI_ARRAY(impi_Solid) solids;
    IMPI_ARRAY(char) solid_names; // one after the other

    const char *place_name; // how the remark counts faces: "line" or "face"
    uint64_t concave_count, first_concave_place;
    uint64_t ignored_bytes; // behind the last face
} impi_MeshBuilder;

void impi_mesh_builder_init(impi_MeshBuilder *builder, imp_Context *context, const char *file_name);
void impi_mesh_builder_free(impi_MeshBuilder *builder);

/// Forget what was read, to read the file again; memory is kept.
void impi_mesh_builder_restart(impi_MeshBuilder *builder);

/// Make room, in one allocation each, for what the file is known to hold.
imp_Status impi_mesh_builder_reserve(impi_MeshBuilder *builder, size_t vertex_count, size_t triangle_count);

/// Close the face whose corners were added; there are at least three. `place` is its line or number, as
/// `place_name` says.
imp_Status impi_mesh_builder_end_face(impi_MeshBuilder *builder, uint64_t place);

/// A solid begins, which has this name, in whatever bytes.
imp_Status impi_mesh_builder_begin_solid(impi_MeshBuilder *builder, const char *name, size_t length);

/// Refuses (IMP_STATUS_BAD_FILE) what has no vertices or no faces.
imp_Status impi_mesh_builder_check(const impi_MeshBuilder *builder);

/// Nothing more comes: checks it, notes what there is to remark, and converts the vertices. All corners must
/// be indices of vertices by now.
imp_Status impi_mesh_builder_settle(impi_MeshBuilder *builder);

#define IMPI_MAX_MESH_REMARK 256

/// What there is to remark, once it is settled, or null.
const char *impi_mesh_builder_remark(const impi_MeshBuilder *builder, char remark[IMPI_MAX_MESH_REMARK]);

/// Settle it and hand the mesh over.
imp_Status impi_mesh_builder_finish(impi_MeshBuilder *builder, imp_Mesh **mesh);

imp_Status impi_mesh_builder_grow_vertices(impi_MeshBuilder *builder);
imp_Status impi_mesh_builder_grow_corners(impi_MeshBuilder *builder);

static inline imp_Status impi_mesh_builder_add_vertex(impi_MeshBuilder *builder, imp_Vec3 vertex)
{
    if (builder->vertices.count == builder->vertices.capacity) {
        imp_Status status = impi_mesh_builder_grow_vertices(builder);
        if (status != IMP_STATUS_OK)
            return status;
    }
    builder->vertices.data[builder->vertices.count++] = vertex;
    return IMP_STATUS_OK;
}

static inline imp_Status impi_mesh_builder_add_corner(impi_MeshBuilder *builder, uint32_t vertex)
{
    if (builder->corners.count == builder->corners.capacity) {
        imp_Status status = impi_mesh_builder_grow_corners(builder);
        if (status != IMP_STATUS_OK)
            return status;
    }
    builder->corners.data[builder->corners.count++] = vertex;
    return IMP_STATUS_OK;
}

/// Places in the file, for impi_fail_at. A position is one in the window.
impi_Place impi_mesh_builder_at_line(const impi_MeshBuilder *builder, uint64_t line);
impi_Place impi_mesh_builder_at_byte(const impi_MeshBuilder *builder, const void *position);

/// The largest index of a vertex.
#define IMPI_MAX_VERTEX_INDEX ((int64_t)UINT32_MAX - 2)

#endif
