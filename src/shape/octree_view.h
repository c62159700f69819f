/// A cell as walks of several octrees at once see it: what lies inside of a black or white cell, and white
/// outside of the cube, are cells as well.
#ifndef IMPINGE_SHAPE_OCTREE_VIEW_H
#define IMPINGE_SHAPE_OCTREE_VIEW_H

#include "shape/octree.h"

typedef struct impi_OctreeView {
    imp_CellColour colour;
    const imp_Octree *octree;
    const impi_OctreeNode *node; // of a gray cell
} impi_OctreeView;

#define IMPI_WHITE_VIEW ((impi_OctreeView){IMP_CELL_WHITE, NULL, NULL})
#define IMPI_BLACK_VIEW ((impi_OctreeView){IMP_CELL_BLACK, NULL, NULL})

static inline impi_OctreeView impi_octree_view(const imp_Octree *octree)
{
    return (impi_OctreeView){octree->root, octree, octree->nodes};
}

static inline impi_OctreeView impi_octree_view_child(const impi_OctreeView *view, unsigned octant)
{
    if (view->colour != IMP_CELL_GRAY)
        return *view;
    impi_OctreeView child = {impi_octree_child_colour(view->node, octant), view->octree, NULL};
    if (child.colour == IMP_CELL_GRAY)
        child.node = impi_octree_child(view->octree, view->node, octant);
    return child;
}

#endif
