/// Bodies as plain lists of triangles in world coordinates, and what touches among them by brute force: what
/// the tests of worlds compare with. Uses single calls of the public interface only.
#ifndef IMPINGE_TESTS_POSED_FACES_H
#define IMPINGE_TESTS_POSED_FACES_H

#include "harness.h"

#include <impinge/impinge.h>

#include <stdlib.h>
#include <string.h>

typedef struct PosedFaces {
    imp_Triangle *triangles;
    imp_Box *boxes;
    size_t count;
    imp_Box bounds;
    uint32_t *by_min_x;    // faces in the order of their boxes' min.x
    imp_Box *boxes_by_x;   // theirs, side by side for the search
    double *most_x_so_far; // the largest max.x among by_min_x[0 .. i]
} PosedFaces;

static inline imp_Context *context_with_threads(uint32_t thread_count)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = thread_count}, &context), IMP_STATUS_OK);
    return context;
}

static inline void box_include(imp_Box *box, const imp_Vec3 *p)
{
    box->min.x = p->x < box->min.x ? p->x : box->min.x;
    box->min.y = p->y < box->min.y ? p->y : box->min.y;
    box->min.z = p->z < box->min.z ? p->z : box->min.z;
    box->max.x = p->x > box->max.x ? p->x : box->max.x;
    box->max.y = p->y > box->max.y ? p->y : box->max.y;
    box->max.z = p->z > box->max.z ? p->z : box->max.z;
}

static inline bool boxes_overlap(const imp_Box *a, const imp_Box *b)
{
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
           a->min.z <= b->max.z && b->min.z <= a->max.z;
}

static inline bool box_is_inside(const imp_Box *inner, const imp_Box *outer)
{
    return outer->min.x <= inner->min.x && inner->max.x <= outer->max.x && outer->min.y <= inner->min.y &&
           inner->max.y <= outer->max.y && outer->min.z <= inner->min.z && inner->max.z <= outer->max.z;
}

typedef struct FaceByX {
    double min_x;
    uint32_t face;
} FaceByX;

static inline int compare_by_x(const void *left, const void *right)
{
    const FaceByX *a = left, *b = right;
    return a->min_x != b->min_x ? (a->min_x > b->min_x) - (a->min_x < b->min_x)
                                : (a->face > b->face) - (a->face < b->face);
}

static inline void sort_posed_faces(PosedFaces *faces)
{
    FaceByX *order = malloc(faces->count * sizeof *order);
    for (size_t i = 0; i < faces->count; ++i)
        order[i] = (FaceByX){faces->boxes[i].min.x, (uint32_t)i};
    qsort(order, faces->count, sizeof *order, compare_by_x);
    for (size_t i = 0; i < faces->count; ++i) {
        double x = faces->boxes[order[i].face].max.x;
        faces->by_min_x[i] = order[i].face;
        faces->boxes_by_x[i] = faces->boxes[order[i].face];
        faces->most_x_so_far[i] = i > 0 && faces->most_x_so_far[i - 1] > x ? faces->most_x_so_far[i - 1] : x;
    }
    free(order);
}

/// The faces of a mesh where a pose puts them; `deformed`, when not null, holds vertices to take instead of
/// the mesh's own.
static inline PosedFaces posed_faces_make(const imp_Mesh *mesh, const imp_Vec3 *deformed,
                                          const imp_Pose *pose)
{
    size_t count = imp_mesh_get_triangle_count(mesh);
    const imp_Vec3 *vertices = deformed ? deformed : imp_mesh_get_vertices(mesh);
    const uint32_t *indices = imp_mesh_get_indices(mesh);
    PosedFaces faces = {.count = count,
                        .triangles = malloc(count * sizeof *faces.triangles),
                        .boxes = malloc(count * sizeof *faces.boxes),
                        .by_min_x = malloc(count * sizeof *faces.by_min_x),
                        .boxes_by_x = malloc(count * sizeof *faces.boxes_by_x),
                        .most_x_so_far = malloc(count * sizeof *faces.most_x_so_far)};
    imp_Transform transform;
    CHECK_INT(imp_pose_transform(pose, &transform), IMP_STATUS_OK);
    for (size_t i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k)
            faces.triangles[i].v[k] = imp_transform_apply(&transform, vertices[indices[3 * i + (size_t)k]]);
        const imp_Vec3 *v = faces.triangles[i].v;
        faces.boxes[i] = (imp_Box){v[0], v[0]};
        box_include(&faces.boxes[i], &v[1]);
        box_include(&faces.boxes[i], &v[2]);
        if (i == 0)
            faces.bounds = faces.boxes[0];
        box_include(&faces.bounds, &faces.boxes[i].min);
        box_include(&faces.bounds, &faces.boxes[i].max);
    }
    sort_posed_faces(&faces);
    return faces;
}

static inline void posed_faces_free(PosedFaces *faces)
{
    free(faces->triangles);
    free(faces->boxes);
    free(faces->by_min_x);
    free(faces->boxes_by_x);
    free(faces->most_x_so_far);
    *faces = (PosedFaces){0};
}

typedef struct FacePairList {
    imp_FacePair *pairs;
    size_t count, capacity;
} FacePairList;

static inline void face_pair_list_add(FacePairList *list, imp_FacePair pair)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 64;
        list->pairs = realloc(list->pairs, list->capacity * sizeof *list->pairs);
    }
    list->pairs[list->count++] = pair;
}

static inline int compare_face_pairs(const void *left, const void *right)
{
    const imp_FacePair *a = left, *b = right;
    return a->face_a != b->face_a ? (a->face_a > b->face_a) - (a->face_a < b->face_a)
                                  : (a->face_b > b->face_b) - (a->face_b < b->face_b);
}

typedef bool (*TrianglesTouchFn)(const imp_Triangle *a, const imp_Triangle *b);

/// The library's own verdict about two triangles, for meshes on which an oracle would take too long.
static inline bool library_triangles_touch(const imp_Triangle *a, const imp_Triangle *b)
{
    bool touch = false;
    CHECK_INT(imp_triangles_touch(a, b, &touch), IMP_STATUS_OK);
    return touch;
}

/// Append the pairs of faces that touch, sorted, by looking at all whose boxes overlap.
static inline void brute_force_touching(const PosedFaces *a, const PosedFaces *b, TrianglesTouchFn touch,
                                        FacePairList *list)
{
    size_t before = list->count;
    for (size_t i = 0; i < a->count; ++i) {
        const imp_Box *box = &a->boxes[i];
        size_t low = 0, high = b->count;
        if (!boxes_overlap(box, &b->bounds))
            continue;
        // All faces before `low` end before this box begins.
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (b->most_x_so_far[middle] < box->min.x)
                low = middle + 1;
            else
                high = middle;
        }
        for (size_t k = low; k < b->count && b->boxes_by_x[k].min.x <= box->max.x; ++k) {
            uint32_t face = b->by_min_x[k];
            if (boxes_overlap(box, &b->boxes_by_x[k]) && touch(&a->triangles[i], &b->triangles[face]))
                face_pair_list_add(list, (imp_FacePair){(uint32_t)i, face});
        }
    }
    if (list->count > before)
        qsort(list->pairs + before, list->count - before, sizeof *list->pairs, compare_face_pairs);
}

static inline void face_pair_list_free(FacePairList *list)
{
    free(list->pairs);
    *list = (FacePairList){0};
}

/// Is a component inside the closed mesh? Where nothing touches each is wholly inside or outside, so any
/// corner inside tells of one.
static inline bool has_corner_inside(imp_Context *context, const PosedFaces *inner, const imp_Mesh *outer)
{
    size_t count = 3 * inner->count;
    bool inside = false;
    imp_PointLocation *places = malloc(count * sizeof *places);
    CHECK_INT(imp_mesh_locate_points(context, outer, inner->triangles->v, count, places), IMP_STATUS_OK);
    for (size_t i = 0; i < count; ++i)
        inside |= places[i] == IMP_LOCATION_INSIDE;
    free(places);
    return inside;
}

/// A rotation by a random angle around a random axis.
static inline imp_Quat random_rotation(void)
{
    for (;;) {
        double w = test_random_between(-1, 1);
        double x = test_random_between(-1, 1);
        double y = test_random_between(-1, 1);
        double z = test_random_between(-1, 1);
        double square = w * w + x * x + y * y + z * z;
        if (square <= 1 && square > 0.01) {
            // One step of Newton's method for the root is not enough here, a few are.
            double norm = 1;
            for (int i = 0; i < 30; ++i)
                norm = 0.5 * (norm + square / norm);
            return (imp_Quat){w / norm, x / norm, y / norm, z / norm};
        }
    }
}

#endif
