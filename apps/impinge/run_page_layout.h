/// How a scene lies in its page: around its centre and in units of its own, so that single precision is
/// enough to look at it, wherever it is and however large.
#ifndef IMPINGE_APPS_RUN_PAGE_LAYOUT_H
#define IMPINGE_APPS_RUN_PAGE_LAYOUT_H

#include "run_scene.h"

typedef struct PageBody {
    uint32_t mesh; // index among the distinct meshes
    imp_Box box;   // of its vertices in its own frame, in all frames
} PageBody;

typedef struct PageLayout {
    PageBody *bodies;        // as many as the scene has
    const imp_Mesh **meshes; // distinct, in the order of the bodies that use them first
    size_t mesh_count;
    imp_Vec3 *vertices; // room for those of any body
    imp_Vec3 centre;    // of the box around all bodies in all frames
    double scale;       // half of its longest side
} PageLayout;

/// Walk through all frames. Says what went wrong; free the layout in any case.
CommandResult page_layout_create(const RunScene *scene, PageLayout *layout);

void page_layout_free(PageLayout *layout);

imp_Vec3 page_box_centre(const imp_Box *box);
imp_Vec3 page_box_half(const imp_Box *box); ///< half of its sides

#endif
