/// What a report of a world must say, found by looking at all pairs of faces of all pairs of bodies of a
/// WorldModel with single calls of the public interface.
#ifndef IMPINGE_TESTS_WORLD_TRUTH_H
#define IMPINGE_TESTS_WORLD_TRUTH_H

#include "posed_faces.h"
#include "solid_triangle.h"
#include "world_model.h"

#define MAX_OPEN_CONTAINERS (MAX_MODEL_BODIES * MAX_MODEL_BODIES)

/// A body where it is.
typedef struct TruthBody {
    const ModelBody *body;
    imp_Mesh *surface;
    imp_Transform transform;
    PosedFaces faces;
    imp_Mesh *posed; // the same as a mesh
    bool closed;
} TruthBody;

typedef struct WorldTruth {
    PairList pairs; // all that are related, in the order of reports
    imp_TouchingFaces *faces;
    size_t face_count, face_capacity;
    imp_OpenContainer open_containers[MAX_OPEN_CONTAINERS];
    size_t open_container_count;
} WorldTruth;

static inline TruthBody truth_body_make(imp_Context *context, const ModelBody *body)
{
    TruthBody made = {.body = body};
    made.surface = body->def.mesh ? body->def.mesh : imp_convex_get_mesh(body->def.convex);
    size_t count = imp_mesh_get_vertex_count(made.surface);
    const imp_Vec3 *from = body->deformed ? body->deformed : imp_mesh_get_vertices(made.surface);
    imp_Vec3 *vertices = malloc(count * sizeof *vertices);
    imp_Mesh *shape = NULL;
    made.faces = posed_faces_make(made.surface, body->deformed, &body->def.pose);
    CHECK_INT(imp_pose_transform(&body->def.pose, &made.transform), IMP_STATUS_OK);
    for (size_t i = 0; i < count; ++i)
        vertices[i] = imp_transform_apply(&made.transform, from[i]);
    imp_MeshDef def = {.vertices = &vertices->x,
                       .vertex_count = count,
                       .indices = imp_mesh_get_indices(made.surface),
                       .triangle_count = imp_mesh_get_triangle_count(made.surface)};
    CHECK_INT(imp_mesh_create(context, &def, &made.posed), IMP_STATUS_OK);
    def.vertices = &from->x;
    CHECK_INT(imp_mesh_create(context, &def, &shape), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_is_closed(context, shape, &made.closed), IMP_STATUS_OK);
    imp_mesh_release(shape);
    free(vertices);
    return made;
}

static inline void truth_body_free(TruthBody *body)
{
    posed_faces_free(&body->faces);
    imp_mesh_release(body->posed);
}

/// Does anybody want to know about two living bodies?
static inline bool world_model_compares(const WorldModel *model, size_t a, size_t b)
{
    const imp_BodyDef *first = &model->bodies[a].def, *second = &model->bodies[b].def;
    imp_BodyId low = model->bodies[a < b ? a : b].id, high = model->bodies[a < b ? b : a].id;
    if (model->is_filtered && !world_model_passes(low, high, NULL))
        return false;
    return !model->ignored[a][b] && !(first->category_bits & second->ignore_bits) &&
           !(second->category_bits & first->ignore_bits) && !(first->group && first->group == second->group);
}

static inline bool truth_solids_touch(imp_Context *context, const ModelBody *a, const ModelBody *b)
{
    imp_ConvexPair pair = {a->def.convex, b->def.convex, a->def.pose, b->def.pose};
    imp_ConvexResult result = {.touch = false};
    bool is_valid = false;
    CHECK_INT(imp_convex_test(context, NULL, &pair, &result), IMP_STATUS_OK);
    CHECK_INT(imp_certificate_check(context, &pair, &result.certificate, &is_valid), IMP_STATUS_OK);
    CHECK(is_valid && result.certificate.touch == result.touch);
    return result.touch;
}

static inline bool truth_solid_touches_mesh(imp_Context *context, const TruthBody *solid,
                                            const TruthBody *mesh)
{
    bool touches = false;
    for (size_t i = 0; i < mesh->faces.count && !touches; ++i)
        touches = boxes_overlap(&mesh->faces.boxes[i], &solid->faces.bounds) &&
                  solid_touches_triangle(context, solid->body->def.convex, &solid->transform,
                                         &mesh->faces.triangles[i]);
    return touches;
}

static inline void truth_add_faces(WorldTruth *truth, imp_BodyId a, imp_BodyId b, const FacePairList *list)
{
    size_t needed = truth->face_count + list->count;
    if (needed > truth->face_capacity) {
        truth->face_capacity = 2 * needed;
        truth->faces = realloc(truth->faces, truth->face_capacity * sizeof *truth->faces);
    }
    for (size_t i = 0; i < list->count; ++i)
        truth->faces[truth->face_count++] =
            (imp_TouchingFaces){a, list->pairs[i].face_a, b, list->pairs[i].face_b};
}

static inline bool truth_is_touching(imp_Context *context, WorldTruth *truth, const TruthBody *a,
                                     const TruthBody *b)
{
    FacePairList list = {0};
    const imp_Convex *solid_a = a->body->def.convex, *solid_b = b->body->def.convex;
    brute_force_touching(&a->faces, &b->faces, library_triangles_touch, &list);
    bool faces_touch = list.count > 0;
    truth_add_faces(truth, a->body->id, b->body->id, &list);
    face_pair_list_free(&list);
    bool touches = solid_a && solid_b ? truth_solids_touch(context, a->body, b->body)
                   : solid_a          ? truth_solid_touches_mesh(context, a, b)
                   : solid_b          ? truth_solid_touches_mesh(context, b, a)
                                      : faces_touch;
    CHECK(touches || !faces_touch);
    return touches;
}

/// Is a component of `inner` inside of `outer`? Notes where that can't be asked.
static inline bool truth_is_inside(imp_Context *context, WorldTruth *truth, const TruthBody *inner,
                                   const TruthBody *outer)
{
    if (outer->body->def.convex)
        return false;
    if (outer->closed)
        return has_corner_inside(context, &inner->faces, outer->posed);
    if (box_is_inside(&inner->faces.bounds, &outer->faces.bounds))
        truth->open_containers[truth->open_container_count++] =
            (imp_OpenContainer){inner->body->id, outer->body->id};
    return false;
}

static inline void truth_relate(imp_Context *context, WorldTruth *truth, const TruthBody *a,
                                const TruthBody *b)
{
    uint32_t relations = 0;
    if (!boxes_overlap(&a->faces.bounds, &b->faces.bounds))
        return;
    if (truth_is_touching(context, truth, a, b)) {
        relations = IMP_RELATION_TOUCH;
    } else {
        relations |= truth_is_inside(context, truth, a, b) ? (uint32_t)IMP_RELATION_A_INSIDE_B : 0;
        relations |= truth_is_inside(context, truth, b, a) ? (uint32_t)IMP_RELATION_B_INSIDE_A : 0;
    }
    if (relations)
        truth->pairs.pairs[truth->pairs.count++] = (imp_BodyPair){a->body->id, b->body->id, relations, 0};
}

/// `context` is one in which nothing fails; the truth of another time may be in `truth`, or all zero.
static inline void world_truth_find(imp_Context *context, const WorldModel *model, WorldTruth *truth)
{
    TruthBody bodies[MAX_MODEL_BODIES] = {{0}};
    truth->pairs.count = truth->face_count = truth->open_container_count = 0;
    for (size_t i = 0; i < model->slot_count; ++i)
        if (model->bodies[i].alive)
            bodies[i] = truth_body_make(context, &model->bodies[i]);
    for (size_t a = 0; a < model->slot_count; ++a)
        for (size_t b = a + 1; b < model->slot_count; ++b)
            if (bodies[a].body && bodies[b].body && world_model_compares(model, a, b))
                truth_relate(context, truth, &bodies[a], &bodies[b]);
    for (size_t i = 0; i < model->slot_count; ++i)
        if (bodies[i].body)
            truth_body_free(&bodies[i]);
}

static inline void world_truth_free(WorldTruth *truth)
{
    free(truth->faces);
    truth->faces = NULL;
    truth->face_capacity = truth->face_count = 0;
}

#endif
