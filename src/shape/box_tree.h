/// A tree over the boxes of a mesh's faces, built for one call: which faces may touch a given box?
///
/// Boxes are single precision in a frame of the mesh: around the centre of its bounds, scaled by a power of
/// two to about unit size. The way into that frame is rounded but monotone, so boxes that share a point in
/// double precision share one here too; the few that only seem to are the caller's to sort out.
/// All functions expect the default floating-point mode (base/float_guard.h).
#ifndef IMPINGE_SHAPE_BOX_TREE_H
#define IMPINGE_SHAPE_BOX_TREE_H

#include "shape/mesh.h"

#define IMPI_BOX_TREE_WIDTH      8
#define IMPI_BOX_TREE_MAX_LEVELS 11 // 8^11 exceeds 2^32

/// In the frame of the tree. Closed.
typedef struct impi_FloatBox {
    float min[3], max[3];
} impi_FloatBox;

/// The boxes of eight faces, or of eight groups of the level below.
typedef struct impi_BoxGroup {
    float min[3][IMPI_BOX_TREE_WIDTH], max[3][IMPI_BOX_TREE_WIDTH];
} impi_BoxGroup;

typedef struct impi_BoxTree {
    double origin[3], scale;
    const uint32_t *faces; // along a space-filling curve; a face's index here is its position
    size_t face_count;
    impi_BoxGroup *levels[IMPI_BOX_TREE_MAX_LEVELS]; // from the faces up to a single group
    size_t group_counts[IMPI_BOX_TREE_MAX_LEVELS];
    unsigned level_count;
} impi_BoxTree;

/// In the scratch arena of the context. IMP_STATUS_OUT_OF_MEMORY, OK, or what a watch says.
imp_Status impi_box_tree_build(imp_Context *context, const imp_Mesh *mesh, impi_BoxTree *tree);

/// A coordinate in the frame of the tree. Monotone; infinite when far away.
static inline float impi_box_tree_coordinate(const impi_BoxTree *tree, double coordinate, unsigned axis)
{
    return (float)((coordinate - tree->origin[axis]) * tree->scale);
}

impi_FloatBox impi_box_tree_face_box(const impi_BoxTree *tree, const imp_Mesh *mesh, uint32_t face);

typedef void (*impi_FaceFn)(uint32_t face, void *argument);

/// Visit each face at `first_position` or behind whose box touches `box`, in the order of positions.
void impi_box_tree_visit(const impi_BoxTree *tree, const impi_FloatBox *box, size_t first_position,
                         impi_FaceFn visit, void *argument);

#endif
