/// What shapes are put together with: vertices, triangles, and loops of vertices that are joined to tubes.
///
/// A loop turns counter-clockwise seen from where the surface grows to, so that faces turn outward.
#ifndef IMPINGE_SCENES_BUILDER_H
#define IMPINGE_SCENES_BUILDER_H

#include <impinge/mesh.h>

/// Room for a shape whose size is known beforehand.
typedef struct SceneBuilder {
    imp_Context *context;
    imp_Vec3 *vertices;
    uint32_t *indices;
    size_t vertex_count, triangle_count; // so far
    size_t vertex_capacity, triangle_capacity;
} SceneBuilder;

/// IMP_STATUS_OUT_OF_MEMORY, IMP_STATUS_BAD_ARGUMENT without a context, IMP_STATUS_BAD_SHAPE when nothing is
/// asked for; then there is nothing to finish.
imp_Status scene_builder_begin(SceneBuilder *builder, imp_Context *context, size_t vertex_count,
                               size_t triangle_count);

/// Make the mesh and give the room back, whatever comes of it. All that was asked for must be there.
imp_Status scene_builder_finish(SceneBuilder *builder, imp_Mesh **mesh);

uint32_t scene_add_vertex(SceneBuilder *builder, double x, double y, double z);
void scene_add_triangle(SceneBuilder *builder, uint32_t a, uint32_t b, uint32_t c);

/// Corners in turn.
void scene_add_quad(SceneBuilder *builder, uint32_t a, uint32_t b, uint32_t c, uint32_t d);

/// A band of 2 * count triangles from one loop to the next.
void scene_add_band(SceneBuilder *builder, const uint32_t *from, const uint32_t *to, uint32_t count);

/// Close a tube with `count` triangles around one more vertex.
void scene_add_fan(SceneBuilder *builder, const uint32_t *loop, uint32_t count, uint32_t apex);

/// Close a tube with count - 2 triangles: rungs go from loop[i] to loop[count - 1 - i]. `count` is even.
void scene_add_ladder(SceneBuilder *builder, const uint32_t *loop, uint32_t count);

#endif
