/// The inside of imp_World.
#ifndef IMPINGE_WORLD_WORLD_H
#define IMPINGE_WORLD_WORLD_H

#include "base/array.h"
#include "base/context.h"
#include "shape/mesh_derived.h"
#include "shape/surface.h"

#include <impinge/convex.h>
#include <impinge/world.h>

/// A shape in a body's frame: vertices block by block, and the boxes of the blocks.
typedef struct impi_Deformation {
    imp_Vec3 *vertices;
    impi_BoxLanes *boxes;
} impi_Deformation;

typedef struct impi_Body {
    uint32_t generation; // of the slot; a slot that was never used has 0
    bool alive;
    bool stale;                  // surface.tree does not show the pose and shape yet
    bool is_exact;               // surface.tree was made of posed vertices, not of boxes in the body's frame
    imp_Mesh *mesh;              // of a solid: its surface
    imp_Convex *convex;          // null unless the body is a solid
    const impi_MeshBlocks *tree; // the mesh's
    imp_Pose pose;
    imp_Transform transform;
    uint64_t category_bits, ignore_bits;
    void *user_data;
    double largest_coordinate;  // of the shape, in the body's frame
    bool is_deformed;           // has another shape than its mesh
    impi_Deformation deformed, spare; // once it has been deformed; a new shape is gathered in the spare one
    // World coordinates, computed for a block when it is needed. A block is up to date when posed_at says
    // that it was posed at the motion at hand.
    uint32_t motion;
    uint32_t *posed_at;
    imp_Vec3 *posed;
    imp_Box *posed_boxes;
    impi_BoxLanes *tree_storage;
    impi_Surface surface;
} impi_Body;

typedef IMPI_ARRAY(imp_BodyPair) impi_BodyPairs;

struct imp_World {
    imp_Context *context;
    IMPI_ARRAY(impi_Body) bodies; // slot s is bodies.data[s - 1]
    IMPI_ARRAY(uint32_t) free_slots;
    size_t body_count;
    IMPI_ARRAY(uint64_t) ignored_pairs; // slot of a << 32 | slot of b, a < b, ascending
    struct impi_Detection *detection;   // memory kept from detect to detect
};

/// Null when the id names no living body.
impi_Body *impi_world_find_body(const imp_World *world, imp_BodyId id);

static inline bool impi_body_is_solid(const impi_Body *body)
{
    return body->convex != NULL;
}

/// The id of the body in a slot.
static inline imp_BodyId impi_world_id_of(const imp_World *world, uint32_t slot)
{
    return (imp_BodyId){slot, world->bodies.data[slot - 1].generation};
}

/// Vertices in the body's frame, block by block.
static inline const imp_Vec3 *impi_body_vertices(const impi_Body *body)
{
    return body->is_deformed ? body->deformed.vertices : body->tree->vertices;
}

/// The pose or shape has changed: nothing that was computed from it holds any more.
void impi_body_outdate(impi_Body *body);

bool impi_world_is_pair_ignored(const imp_World *world, uint32_t slot_a, uint32_t slot_b);

/// See imp_world_*, with arguments checked for null and the default floating-point mode.
imp_Status impi_world_add_body(imp_World *world, const imp_BodyDef *def, imp_BodyId *id);
imp_Status impi_body_set_pose(imp_World *world, impi_Body *body, const imp_Pose *pose);
imp_Status impi_body_set_vertices(imp_World *world, impi_Body *body, const double *vertices, size_t count);
void impi_world_remove_body(imp_World *world, imp_BodyId id);
void impi_world_destroy(imp_World *world);
imp_Status impi_world_ignore_pair(imp_World *world, imp_BodyId a, imp_BodyId b, bool ignore);

#endif
