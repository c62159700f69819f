/// The bounds of a closed mesh, divided into boxes that each lie in one chain of spheres or outside of the
/// mesh, as far as that goes.
#ifndef IMPINGE_SHAPE_SPHERE_SOLID_BOXES_H
#define IMPINGE_SHAPE_SPHERE_SOLID_BOXES_H

#include "shape/point_location.h"
#include "shape/sphere_chains.h"

#define IMPI_TOP_BOXES     64 // at most: the work is cut into these
#define IMPI_MAX_BOX_DEPTH 90 // so often are the bounds bisected at most

/// In the frame of the mesh, with doubles for corners, so that boxes leave nothing out between them.
typedef struct impi_SolidBox {
    imp_Box box;
    unsigned depth;
    bool is_inside;    // proven: no face meets it, and its points are inside
    size_t begin, end; // of the faces that meet it, in the division
} impi_SolidBox;

/// What one thread needs to divide boxes.
typedef struct impi_SolidDivision {
    const imp_Mesh *mesh;
    const impi_PointLocator *locator;
    const imp_Allocator *allocator;
    impi_Watch *watch;
    IMPI_ARRAY(uint32_t) faces; // a stack
    uint64_t test_count;        // faces looked at so far
    bool out_of_memory;
    bool is_ended; // out of memory, or a watch said so
} impi_SolidDivision;

/// The bounds as a few boxes; returns their number. They know no faces.
size_t impi_solid_boxes_begin(const imp_Mesh *mesh, impi_SolidBox boxes[IMPI_TOP_BOXES]);

/// As large as the box, in the local frame.
impi_CoverPiece impi_solid_box_piece(const impi_LocalFrame *frame, const impi_SolidBox *box);

/// All faces on the empty stack.
void impi_solid_division_begin(impi_SolidDivision *division);
void impi_solid_division_free(impi_SolidDivision *division);

/// Is the box proven to be outside, or, when all was ended, of no interest? Otherwise the faces that meet it,
/// out of those at [begin, end), go on top of the stack, or it is inside.
bool impi_solid_box_is_outside(impi_SolidDivision *division, size_t begin, size_t end, impi_SolidBox *box);

/// The halves know no faces yet. False when there are no doubles between the sides, or it is too deep.
bool impi_solid_box_bisect(const impi_SolidBox *box, impi_SolidBox halves[2]);

typedef struct impi_SolidBoxesDef {
    const imp_Mesh *mesh;
    const impi_SphereChains *chains;
    const impi_PointLocator *locator;
    const char *work; // what a watch hears
    uint64_t effort;  // when it is spent, what is not yet found to be held or outside is bare
} impi_SolidBoxesDef;

/// One of the first boxes that has a part for which no chain was found.
typedef struct impi_BareBox {
    impi_SolidBox top;
    imp_Box part;
} impi_BareBox;

/// Spread over the threads of the context. Gives the bare ones, IMPI_TOP_BOXES at most, in their order.
/// IMP_STATUS_OUT_OF_MEMORY, what a watch says, or OK.
imp_Status impi_solid_boxes_find(imp_Context *context, const impi_SolidBoxesDef *def, impi_BareBox *bare,
                                 size_t *bare_count);

#endif
