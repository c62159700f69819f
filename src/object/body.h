/// A body: a shape and where it is. What is derived from its pose is made when a filter asks for it.
#ifndef IMPINGE_OBJECT_BODY_H
#define IMPINGE_OBJECT_BODY_H

#include "base/budget.h"
#include "shape/mesh_derived.h"
#include "shape/shape.h"

#include <impinge/spheres.h>

/// Other vertices than the shape's own, block by block, and the boxes of the blocks.
typedef struct impi_Deformation {
    imp_Vec3 *vertices;
    impi_BoxLanes *boxes;
} impi_Deformation;

typedef struct impi_Body {
    impi_Shape *shape;                     // one reference
    const impi_MeshBlocks *blocks;         // of the shape's surface, in its own frame
    struct impi_PosedSurface *posed;       // null until a filter asks for it (object/posed_surface.h)
    struct impi_InsideFacts *inside_facts; // of containment, during one run
    struct impi_ContactSide *contact_side; // while contacts are looked for
    struct impi_Target *target;            // null until it has had one (object/target.h)
    struct impi_SweptSurface *swept;       // null until a sweep asks for it (object/swept_surface.h)
    imp_Pose pose;
    imp_Transform transform;
    const imp_Transform *end;  // where it goes during the interval that is asked about; null: it is at rest
    imp_Box bounds;            // in the world, over the interval, as of the last impi_bodies_bound
    double largest_coordinate; // of the vertices in the body's frame
    impi_Deformation deformed, spare; // once it has been deformed; new vertices are gathered in the spare one
    bool is_deformed;
    double displacement;     // how far vertices of a deformed body with spheres are from its mesh's, at most
    imp_SphereTree *spheres; // of its surface, one reference; null: none
    double importance;       // what errors of its pairs count for
    uint32_t slot;           // by which it is named; bodies and pairs are in the order of their slots
    uint32_t generation;     // of the slot
    uint64_t motion;         // counts changes of pose and vertices, from 1; never 0 in its lower half
} impi_Body;

static inline imp_Mesh *impi_body_surface(const impi_Body *body)
{
    return impi_shape_surface(body->shape);
}

/// Is it a convex polytope, and so a solid by itself?
static inline bool impi_body_is_convex(const impi_Body *body)
{
    return body->shape->kind == IMPI_SHAPE_CONVEX;
}

/// Vertices in the body's frame, block by block.
static inline const imp_Vec3 *impi_body_vertices(const impi_Body *body)
{
    return body->is_deformed ? body->deformed.vertices : body->blocks->vertices;
}

/// Boxes of its blocks in the body's frame.
static inline const impi_BoxLanes *impi_body_boxes(const impi_Body *body)
{
    return body->is_deformed ? body->deformed.boxes : body->blocks->boxes;
}

/// How far its vertices are from those of its mesh, at most. For bodies with spheres.
static inline double impi_body_displacement(const impi_Body *body)
{
    return body->is_deformed ? body->displacement : 0;
}

/// Make a body of a shape, of which it takes a reference. Refused as imp_world_add_body says. Uses the
/// context's scratch arena.
imp_Status impi_body_make(imp_Context *context, impi_Shape *shape, const imp_Pose *pose, impi_Body *body);
void impi_body_release(const imp_Allocator *allocator, impi_Body *body);

/// Does a pose suit the body? If so, `*transform` is what it does.
imp_Status impi_body_check_pose(imp_Context *context, const impi_Body *body, const imp_Pose *pose,
                                imp_Transform *transform);

/// A pose that impi_body_check_pose has found good.
void impi_body_move(impi_Body *body, const imp_Pose *pose, const imp_Transform *transform);

/// Does a pose keep these vertices finite? As impi_body_check_pose, for other vertices than the body has.
typedef struct impi_VertexList {
    const imp_Vec3 *vertices; // in their body's frame: all that faces use, in any order
    size_t count;
    double largest_coordinate;
} impi_VertexList;

imp_Status impi_pose_check(imp_Context *context, const imp_Pose *pose, const impi_VertexList *vertices,
                           imp_Transform *transform);

/// Are vertices finite, and where the transform puts them? IMP_STATUS_BAD_NUMBER with the index otherwise.
imp_Status impi_vertices_check(imp_Context *context, const imp_Transform *transform, const imp_Vec3 *vertices,
                               size_t count, double *largest_coordinate);

/// Is this a number of vertices that the body can be deformed to? IMP_STATUS_BAD_SHAPE or
/// IMP_STATUS_BAD_ARGUMENT otherwise.
imp_Status impi_body_check_vertex_count(imp_Context *context, const impi_Body *body, const double *vertices,
                                        size_t count);

/// Memory for a deformation, unless it has some. False when out of memory.
bool impi_deformation_allocate(const imp_Allocator *allocator, const impi_FaceBlocks *blocks,
                               impi_Deformation *deformation);
void impi_deformation_release(const imp_Allocator *allocator, const impi_FaceBlocks *blocks,
                              impi_Deformation *deformation);

/// What stands in `spare`, with its boxes, becomes the body's shape. `deformed` must have memory too.
void impi_body_take_spare(impi_Body *body, double largest_coordinate);

/// See imp_body_set_vertices.
imp_Status impi_body_deform(imp_Context *context, impi_Body *body, const double *vertices, size_t count);

/// Bounds of bodies from the boxes of their blocks, on all threads. Bodies are distinct. When it is cancelled
/// bounds hold anything. IMP_STATUS_OUT_OF_MEMORY, with nothing changed, IMP_STATUS_CANCELLED or OK.
imp_Status impi_bodies_bound(imp_Context *context, impi_Budget *budget, impi_Body *const *bodies,
                             size_t count);

#endif
