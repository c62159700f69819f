/// A shape of each kind, at any scale, with trees of several levels, flat sets, and both covers.
#ifndef IMPINGE_TESTS_SPHERE_SHAPE_KINDS_H
#define IMPINGE_TESTS_SPHERE_SHAPE_KINDS_H

#include "sphere_shapes.h"

typedef enum ShapeKind {
    SHAPE_SPHERE,
    SHAPE_TORUS,
    SHAPE_SMALL,
    SHAPE_SHELL,
    SHAPE_BUMPY,
    SHAPE_SOUP,      // open
    SHAPE_GRID_SOUP, // open, partly degenerate
    SHAPE_SHEET,     // open and flat
    SHAPE_NEEDLE,
    SHAPE_POINT,
    SHAPE_CROSSING,   // closed, runs through itself
    SHAPE_INSIDE_OUT, // closed
    SHAPE_CUT,        // open: a sphere with a hole
    SHAPE_MANY_FACES,
    SHAPE_BOX,
    SHAPE_CONVEX, // a polytope, and the next one too
    SHAPE_CONVEX_BOX,
    SHAPE_KINDS
} ShapeKind;

static const char *const shape_kind_names[SHAPE_KINDS] = {"sphere",
                                                          "torus",
                                                          "small sphere",
                                                          "shell",
                                                          "bumpy sphere",
                                                          "soup",
                                                          "grid soup",
                                                          "sheet",
                                                          "needle",
                                                          "point",
                                                          "crossing spheres",
                                                          "sphere inside out",
                                                          "cut sphere",
                                                          "sphere of many faces",
                                                          "box",
                                                          "convex",
                                                          "convex box"};

static inline imp_Mesh *flipped_mesh(imp_Context *context, imp_Mesh *mesh)
{
    imp_Mesh *flipped = NULL;
    CHECK_INT(scene_flip(context, mesh, &flipped), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    return flipped;
}

static inline imp_Mesh *bumpy_mesh(imp_Context *context, uint32_t bands, double radius, double amplitude)
{
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_bumpy_sphere(context, bands + 4, bands, radius, amplitude, 3, &mesh), IMP_STATUS_OK);
    return mesh;
}

static inline imp_Mesh *round_mesh(imp_Context *context, uint32_t bands, double radius)
{
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_sphere(context, bands + 4, bands, radius, &mesh), IMP_STATUS_OK);
    return mesh;
}

static inline imp_Mesh *box_mesh(imp_Context *context, double x, double y, double z)
{
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_box(context, (imp_Vec3){-x, -y, -z}, (imp_Vec3){x, y, z}, &mesh), IMP_STATUS_OK);
    return mesh;
}

static inline imp_Mesh *mesh_of_scene(imp_Context *context, ShapeKind kind)
{
    imp_Mesh *mesh = NULL;
    imp_Status status = kind == SHAPE_TORUS       ? scene_torus(context, 14, 7, 1, 0.3, &mesh)
                        : kind == SHAPE_SHELL     ? scene_hollow_sphere(context, 12, 7, 1.4, 1.1, &mesh)
                        : kind == SHAPE_SOUP      ? scene_soup(context, 30, 0.4, 5, &mesh)
                        : kind == SHAPE_GRID_SOUP ? scene_grid_soup(context, 20, 3, 9, &mesh)
                                                  : scene_needle(context, 5, 0.02, &mesh);
    CHECK_INT(status, IMP_STATUS_OK);
    return mesh;
}

static inline imp_Mesh *mesh_of_kind(imp_Context *context, ShapeKind kind)
{
    switch (kind) {
    case SHAPE_SPHERE:
        return round_mesh(context, 7, 1);
    case SHAPE_SMALL:
        return round_mesh(context, 4, 0.15);
    case SHAPE_BUMPY:
        return bumpy_mesh(context, 9, 1, 0.3);
    case SHAPE_SHEET:
        return sheet_mesh(context, 6);
    case SHAPE_POINT:
        return point_mesh(context, 0.3);
    case SHAPE_CROSSING:
        return doubled_mesh(context, round_mesh(context, 4, 0.8), (imp_Vec3){0.6, 0.2, 0});
    case SHAPE_INSIDE_OUT:
        return flipped_mesh(context, bumpy_mesh(context, 7, 1.2, 0.2));
    case SHAPE_CUT:
        return cut_mesh(context, round_mesh(context, 7, 1.2), 8);
    case SHAPE_MANY_FACES:
        return round_mesh(context, 34, 1);
    case SHAPE_BOX:
        return box_mesh(context, 0.5, 0.5, 0.5);
    case SHAPE_CONVEX:
        return bumpy_mesh(context, 6, 0.8, 0.1);
    case SHAPE_CONVEX_BOX:
        return box_mesh(context, 1, 0.5, 0.25);
    default:
        return mesh_of_scene(context, kind);
    }
}

/// How many trees: fitting takes seconds, the small choice is one of each cover.
typedef enum TreeChoice { TREES_FEW, TREES_UNFITTED, TREES_ALL } TreeChoice;

// Few leaves with hundreds of faces, where there are many.
static inline void add_sphere_trees(imp_Context *context, SphereShape *shape, bool has_many_faces,
                                    TreeChoice choice)
{
    const imp_SphereMethod octree = IMP_SPHERES_OCTREE;
    const imp_SphereTreeDef few_leaves[] = {{.method = octree, .branch = 2, .depth = 1},
                                            {.method = octree, .branch = 8, .depth = 2},
                                            {.method = IMP_SPHERES_FIT, .branch = 4, .depth = 1}};
    const imp_SphereTreeDef all_sorts[MAX_SHAPE_TREES] = {
        {.method = octree, .branch = 8, .depth = 2},
        {.method = octree, .cover = IMP_COVER_SOLID, .branch = 8, .depth = 1},
        {.method = octree, .branch = 2, .depth = 4},
        {.method = octree, .count = 40},
        {.method = octree, .cover = IMP_COVER_SOLID, .branch = 20, .depth = 2},
        {.method = octree, .cover = IMP_COVER_SOLID, .count = 1},
        {.method = IMP_SPHERES_FIT, .branch = 8, .depth = 2},
        {.method = IMP_SPHERES_FIT, .cover = IMP_COVER_SOLID, .count = 30}};
    const imp_SphereTreeDef *defs = has_many_faces ? few_leaves : all_sorts;
    int count = choice == TREES_FEW ? 2 : has_many_faces ? 3 : MAX_SHAPE_TREES;
    for (int i = 0; i < count; ++i)
        if (choice == TREES_ALL || defs[i].method != IMP_SPHERES_FIT)
            sphere_shape_add(context, shape, defs[i]);
}

/// One of each kind, to SHAPE_KINDS of them.
static inline void sphere_shapes_make(imp_Context *context, double scale, TreeChoice choice,
                                      SphereShape *shapes)
{
    for (int i = 0; i < SHAPE_KINDS; ++i) {
        imp_Mesh *mesh = scaled_mesh(context, mesh_of_kind(context, (ShapeKind)i), scale);
        shapes[i] = i < SHAPE_CONVEX ? sphere_shape_make(context, shape_kind_names[i], mesh)
                                     : convex_shape_make(context, shape_kind_names[i], mesh);
        add_sphere_trees(context, &shapes[i], i == SHAPE_MANY_FACES, choice);
    }
}

#endif
