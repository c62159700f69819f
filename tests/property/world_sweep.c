// Sweeps of worlds against all pairs of faces, judged one by one: which bodies meet, when first, with which
// faces and what of them, and the first times of all face pairs. Bodies stay, fly, fly together, turn on
// straight paths and deform; some are solids, flat or degenerate. Threads make no difference; neither do
// sweeps and detects before.
#include "geom/sweep.h"
#include "geom/touch.h"
#include "geom/triangle_sweep.h"
#include "harness.h"
#include "posed_faces.h"
#include "sanitizers.h"
#include "scenes/shapes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define THREAD_KINDS 3
#define MESH_KINDS   7
#define SOLID_KINDS  2
#define MAX_BODIES   6
#define MAX_VERTICES 200

static const uint32_t thread_counts[THREAD_KINDS] = {1, 2, 5};

static struct {
    uint64_t pairs, meeting, at_start, between, at_end, never, solid_start, several, vertex_face, edges,
        face_pairs, later, self_pairs, self_meeting, self_start, flying, together, turning, deforming, still,
        advanced, contacts;
} tallies;

static imp_Context *contexts[THREAD_KINDS];
static imp_Mesh *meshes[MESH_KINDS];
static imp_Convex *solids[SOLID_KINDS];

// ---- shapes

// A flat sheet of squares.
static imp_Mesh *make_sheet(imp_Context *context, uint32_t edge)
{
    imp_Mesh *mesh = NULL;
    imp_Vec3 vertices[64];
    uint32_t indices[6 * 49], count = 0;
    for (uint32_t i = 0; i <= edge; ++i)
        for (uint32_t k = 0; k <= edge; ++k)
            vertices[i * (edge + 1) + k] = (imp_Vec3){i / (double)edge, k / (double)edge, 0};
    for (uint32_t i = 0; i < edge; ++i)
        for (uint32_t k = 0; k < edge; ++k) {
            uint32_t v = i * (edge + 1) + k;
            const uint32_t square[6] = {v, v + 1, v + edge + 1, v + 1, v + edge + 2, v + edge + 1};
            memcpy(indices + count, square, sizeof square);
            count += 6;
        }
    CHECK_INT(imp_mesh_create(context,
                              &(imp_MeshDef){.vertices = &vertices->x,
                                             .vertex_count = (size_t)(edge + 1) * (edge + 1),
                                             .indices = indices,
                                             .triangle_count = count / 3},
                              &mesh),
              IMP_STATUS_OK);
    return mesh;
}

static void make_shapes(void)
{
    for (int i = 0; i < THREAD_KINDS; ++i)
        contexts[i] = context_with_threads(thread_counts[i]);
    imp_Context *context = contexts[0];
    CHECK_INT(scene_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}, &meshes[0]), IMP_STATUS_OK);
    CHECK_INT(scene_sphere(context, 6, 4, 0.5, &meshes[1]), IMP_STATUS_OK);
    CHECK_INT(scene_soup(context, 10, 0.5, 3, &meshes[2]), IMP_STATUS_OK);
    CHECK_INT(scene_grid_soup(context, 8, 3, 4, &meshes[3]), IMP_STATUS_OK);
    CHECK_INT(scene_needle(context, 3, 0.05, &meshes[4]), IMP_STATUS_OK);
    CHECK_INT(scene_torus(context, 12, 8, 0.8, 0.3, &meshes[5]), IMP_STATUS_OK);
    meshes[6] = make_sheet(context, 4);
    for (int i = 0; i < SOLID_KINDS; ++i) {
        static const imp_Vec3 sizes[SOLID_KINDS] = {{1, 1, 1}, {2, 0.25, 0.5}};
        imp_Mesh *surface = NULL;
        CHECK_INT(scene_box(context, (imp_Vec3){0}, sizes[i], &surface), IMP_STATUS_OK);
        CHECK_INT(imp_convex_create_from_mesh(context, surface, &solids[i]), IMP_STATUS_OK);
        imp_mesh_release(surface);
    }
}

static void release_shapes(void)
{
    for (int i = 0; i < MESH_KINDS; ++i)
        imp_mesh_release(meshes[i]);
    for (int i = 0; i < SOLID_KINDS; ++i)
        imp_convex_release(solids[i]);
    for (int i = 0; i < THREAD_KINDS; ++i)
        imp_context_destroy(contexts[i]);
}

// ---- scenes

// A body as the test knows it.
typedef struct Actor {
    imp_Mesh *mesh;
    imp_Convex *convex;
    imp_Pose pose;
    bool is_deformed, has_target;
    imp_TargetDef target;
    imp_Vec3 shape[MAX_VERTICES], end_shape[MAX_VERTICES];
    imp_BodyId id; // the same in all worlds
    imp_MovingTriangle *faces;
    size_t face_count;
} Actor;

typedef struct Scene {
    imp_World *worlds[THREAD_KINDS];
    Actor actors[MAX_BODIES];
    size_t count;
    double grid; // coordinates are multiples of this; 0: any
    imp_Vec3 centre;
} Scene;

static double random_coordinate(const Scene *scene, double reach)
{
    double x = test_random_between(-reach, reach);
    return scene->grid > 0 ? round(x / scene->grid) * scene->grid : x;
}

static imp_Vec3 random_place(const Scene *scene, double reach)
{
    double x = random_coordinate(scene, reach), y = random_coordinate(scene, reach);
    double z = random_coordinate(scene, reach);
    return (imp_Vec3){scene->centre.x + x, scene->centre.y + y, scene->centre.z + z};
}

static imp_Quat random_turn(const Scene *scene)
{
    return scene->grid > 0 ? (imp_Quat){.w = 1} : random_rotation();
}

static size_t vertex_count_of(const Actor *actor)
{
    return imp_mesh_get_vertex_count(actor->mesh);
}

static void random_shape(const Scene *scene, const Actor *actor, imp_Vec3 *shape)
{
    const imp_Vec3 *vertices = imp_mesh_get_vertices(actor->mesh);
    double wobble = test_random_below(2) ? 0.5 : 2;
    for (size_t i = 0; i < vertex_count_of(actor); ++i) {
        double x = random_coordinate(scene, wobble), y = random_coordinate(scene, wobble);
        double z = random_coordinate(scene, wobble);
        shape[i] = (imp_Vec3){vertices[i].x + x, vertices[i].y + y, vertices[i].z + z};
    }
}

static void choose_target(const Scene *scene, Actor *actor, imp_Vec3 fleet)
{
    uint32_t kind = test_random_below(6);
    actor->has_target = kind > 0;
    actor->target = (imp_TargetDef){.pose = actor->pose};
    imp_Vec3 *to = &actor->target.pose.translation;
    if (kind == 1 || kind == 2) {
        *to = (imp_Vec3){to->x + fleet.x, to->y + fleet.y, to->z + fleet.z};
        if (kind == 2 && !scene->grid)
            to->x += test_random_between(-0.1, 0.1);
        ++tallies.together;
    } else if (kind > 0) {
        *to = random_place(scene, 2.5);
    }
    if (kind == 4 && !scene->grid) {
        actor->target.pose.rotation = random_rotation();
        actor->target.path = IMP_PATH_STRAIGHT;
        ++tallies.turning;
    }
    if (kind == 5 && !actor->convex) {
        random_shape(scene, actor, actor->end_shape);
        actor->target.vertices = &actor->end_shape->x;
        actor->target.vertex_count = vertex_count_of(actor);
        ++tallies.deforming;
    }
    tallies.flying += kind > 0;
    tallies.still += kind == 0;
}

static void choose_actor(const Scene *scene, Actor *actor, imp_Vec3 fleet)
{
    *actor = (Actor){.mesh = NULL};
    if (test_random_below(5) == 0) {
        actor->convex = solids[test_random_below(SOLID_KINDS)];
        actor->mesh = imp_convex_get_mesh(actor->convex);
    } else {
        actor->mesh = meshes[test_random_below(MESH_KINDS)];
    }
    actor->pose = (imp_Pose){random_place(scene, 2), random_turn(scene)};
    actor->is_deformed = !actor->convex && test_random_below(4) == 0;
    if (actor->is_deformed)
        random_shape(scene, actor, actor->shape);
    choose_target(scene, actor, fleet);
}

static void make_faces(Actor *actor)
{
    const uint32_t *indices = imp_mesh_get_indices(actor->mesh);
    const imp_Vec3 *begin = actor->is_deformed ? actor->shape : imp_mesh_get_vertices(actor->mesh);
    const imp_Vec3 *end = actor->has_target && actor->target.vertices ? actor->end_shape : begin;
    imp_Transform from, to;
    CHECK_INT(imp_pose_transform(&actor->pose, &from), IMP_STATUS_OK);
    CHECK_INT(imp_pose_transform(actor->has_target ? &actor->target.pose : &actor->pose, &to), IMP_STATUS_OK);
    actor->face_count = imp_mesh_get_triangle_count(actor->mesh);
    actor->faces = malloc(actor->face_count * sizeof *actor->faces);
    for (size_t i = 0; i < actor->face_count; ++i)
        for (size_t k = 0; k < 3; ++k) {
            actor->faces[i].begin.v[k] = imp_transform_apply(&from, begin[indices[3 * i + k]]);
            actor->faces[i].end.v[k] = imp_transform_apply(&to, end[indices[3 * i + k]]);
        }
}

static void show_actor(imp_World *world, const Actor *actor)
{
    CHECK_INT(imp_body_set_pose(world, actor->id, actor->pose), IMP_STATUS_OK);
    if (!actor->convex)
        CHECK_INT(imp_body_set_vertices(world, actor->id, actor->is_deformed ? &actor->shape->x : NULL,
                                        actor->is_deformed ? vertex_count_of(actor) : 0),
                  IMP_STATUS_OK);
    CHECK_INT(imp_body_set_target(world, actor->id, actor->has_target ? &actor->target : NULL),
              IMP_STATUS_OK);
}

static void scene_make(Scene *scene)
{
    *scene = (Scene){.grid = test_random_below(3) == 0 ? 0.25 : 0};
    if (test_random_below(4) == 0)
        scene->centre = (imp_Vec3){1e6, -3e6, 2e5};
    imp_Vec3 fleet = random_place(scene, 8);
    scene->count = 2 + test_random_below(MAX_BODIES - 1);
    for (size_t i = 0; i < scene->count; ++i)
        choose_actor(scene, &scene->actors[i], fleet);
    for (int k = 0; k < THREAD_KINDS; ++k) {
        CHECK_INT(imp_world_create(contexts[k], NULL, &scene->worlds[k]), IMP_STATUS_OK);
        for (size_t i = 0; i < scene->count; ++i) {
            Actor *actor = &scene->actors[i];
            imp_BodyDef def = {.mesh = actor->convex ? NULL : actor->mesh, .convex = actor->convex};
            CHECK_INT(imp_world_add_body(scene->worlds[k], &def, &actor->id), IMP_STATUS_OK);
            show_actor(scene->worlds[k], actor);
        }
    }
    for (size_t i = 0; i < scene->count; ++i)
        make_faces(&scene->actors[i]);
}

static void scene_destroy(Scene *scene)
{
    for (int k = 0; k < THREAD_KINDS; ++k)
        imp_world_destroy(scene->worlds[k]);
    for (size_t i = 0; i < scene->count; ++i)
        free(scene->actors[i].faces);
}

// ---- the truth

// What is true of two faces.
typedef struct Contact {
    impi_Impact impact; // infinite: never
    bool is_start;
} Contact;

static double least(double a, double b, double c)
{
    return fmin(fmin(a, b), c);
}

static double most(double a, double b, double c)
{
    return fmax(fmax(a, b), c);
}

// Along an axis, is one beyond the other at both ends?
static bool are_parted(const imp_MovingTriangle *a, const imp_MovingTriangle *b)
{
    for (size_t axis = 0; axis < 3; ++axis) {
        bool before = true, behind = true;
        for (int end = 0; end < 2; ++end) {
            const imp_Vec3 *p = end ? a->end.v : a->begin.v, *q = end ? b->end.v : b->begin.v;
            const double *u[3] = {&p[0].x, &p[1].x, &p[2].x}, *v[3] = {&q[0].x, &q[1].x, &q[2].x};
            before &= most(u[0][axis], u[1][axis], u[2][axis]) < least(v[0][axis], v[1][axis], v[2][axis]);
            behind &= most(v[0][axis], v[1][axis], v[2][axis]) < least(u[0][axis], u[1][axis], u[2][axis]);
        }
        if (before || behind)
            return true;
    }
    return false;
}

static Contact find_contact(const imp_MovingTriangle *a, const imp_MovingTriangle *b)
{
    Contact contact = {IMPI_NO_IMPACT, false};
    if (are_parted(a, b))
        return contact;
    contact.is_start = impi_triangles_touch(&a->begin, &b->begin);
    if (contact.is_start)
        contact.impact.time = 0;
    else
        contact.impact = impi_triangles_impact(a, b, IMPI_ALL_PARTS, IMPI_ALL_PARTS, 1);
    CHECK_DOUBLE(contact.impact.time, impi_triangles_first_time(a, b, 1));
    return contact;
}

// ---- a body and itself

static bool has_vertex(const uint32_t *face, uint32_t vertex)
{
    return face[0] == vertex || face[1] == vertex || face[2] == vertex;
}

static void keep_earlier(Contact *contact, double time, int part_a, int part_b)
{
    if (time < contact->impact.time)
        contact->impact = (impi_Impact){time, (uint8_t)part_a, (uint8_t)part_b};
}

// When a corner of one meets the other.
static double corner_time(const imp_MovingTriangle *a, int corner, const imp_MovingTriangle *b)
{
    const imp_Vec3 points[8] = {a->begin.v[corner], b->begin.v[0], b->begin.v[1], b->begin.v[2],
                                a->end.v[corner],   b->end.v[0],   b->end.v[1],   b->end.v[2]};
    return impi_sweep(IMPI_SWEEP_VERTEX_FACE, points, 1);
}

static double edges_time(const imp_MovingTriangle *a, int i, const imp_MovingTriangle *b, int k)
{
    int j = (i + 1) % 3, l = (k + 1) % 3;
    const imp_Vec3 points[8] = {a->begin.v[i], a->begin.v[j], b->begin.v[k], b->begin.v[l],
                                a->end.v[i],   a->end.v[j],   b->end.v[k],   b->end.v[l]};
    return impi_sweep(IMPI_SWEEP_EDGES, points, 1);
}

// Edges of one pierce the other at the start.
static bool pierces(const imp_Triangle *a, const uint32_t *corners_a, const imp_Triangle *b,
                    const uint32_t *corners_b)
{
    for (int i = 0; i < 3; ++i) {
        imp_Segment edge = {{a->v[i], a->v[(i + 1) % 3]}};
        if (!has_vertex(corners_b, corners_a[i]) && !has_vertex(corners_b, corners_a[(i + 1) % 3]) &&
            impi_segment_touches_triangle(&edge, b))
            return true;
    }
    return false;
}

static bool segments_touch(const imp_Vec3 *a, const imp_Vec3 *b, const imp_Vec3 *c, const imp_Vec3 *d)
{
    imp_Segment edge = {{*a, *b}};
    imp_Triangle flat = {{*c, *d, *d}};
    return impi_segment_touches_triangle(&edge, &flat);
}

static Contact find_self_contact(const imp_MovingTriangle *a, const uint32_t *corners_a,
                                 const imp_MovingTriangle *b, const uint32_t *corners_b)
{
    Contact contact = {IMPI_NO_IMPACT, false};
    if (are_parted(a, b))
        return contact;
    contact.is_start = pierces(&a->begin, corners_a, &b->begin, corners_b) ||
                       pierces(&b->begin, corners_b, &a->begin, corners_a);
    for (int i = 0; i < 3; ++i)
        if (!has_vertex(corners_b, corners_a[i])) {
            keep_earlier(&contact, corner_time(a, i, b), i, IMPI_WHOLE_FACE);
            contact.is_start |=
                segments_touch(&a->begin.v[i], &a->begin.v[i], &b->begin.v[0], &b->begin.v[0]);
            contact.is_start |=
                impi_segment_touches_triangle(&(imp_Segment){{a->begin.v[i], a->begin.v[i]}}, &b->begin);
        }
    for (int i = 0; i < 3; ++i)
        if (!has_vertex(corners_a, corners_b[i])) {
            keep_earlier(&contact, corner_time(b, i, a), IMPI_WHOLE_FACE, i);
            contact.is_start |=
                impi_segment_touches_triangle(&(imp_Segment){{b->begin.v[i], b->begin.v[i]}}, &a->begin);
        }
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            const uint32_t ends[3] = {corners_b[k], corners_b[(k + 1) % 3], corners_b[k]};
            if (has_vertex(ends, corners_a[i]) || has_vertex(ends, corners_a[(i + 1) % 3]))
                continue;
            keep_earlier(&contact, edges_time(a, i, b, k), 3 + i, 3 + k);
            contact.is_start |= segments_touch(&a->begin.v[i], &a->begin.v[(i + 1) % 3], &b->begin.v[k],
                                               &b->begin.v[(k + 1) % 3]);
        }
    if (contact.is_start)
        contact.impact = (impi_Impact){0, IMPI_WHOLE_FACE, IMPI_WHOLE_FACE};
    return contact;
}

// ---- a report

// What a report must say of a pair.
typedef struct Truth {
    double time;
    bool touched_at_start;
    imp_SweptFaces *faces; // all that ever touch
    size_t count, capacity;
} Truth;

static void note_contact(Truth *truth, imp_BodyId a, imp_BodyId b, uint32_t face_a, uint32_t face_b,
                         const Contact *contact)
{
    static const imp_Feature features[7] = {IMP_FEATURE_VERTEX, IMP_FEATURE_VERTEX, IMP_FEATURE_VERTEX,
                                            IMP_FEATURE_EDGE,   IMP_FEATURE_EDGE,   IMP_FEATURE_EDGE,
                                            IMP_FEATURE_FACE};
    const impi_Impact *impact = &contact->impact;
    if (impact->time > 1)
        return;
    if (truth->count == truth->capacity) {
        truth->capacity = 2 * truth->capacity + 64;
        truth->faces = realloc(truth->faces, truth->capacity * sizeof *truth->faces);
    }
    truth->faces[truth->count++] =
        (imp_SweptFaces){a,
                         face_a,
                         b,
                         face_b,
                         impact->time,
                         features[impact->part_a],
                         features[impact->part_b],
                         impact->part_a == IMPI_WHOLE_FACE ? 0 : impact->part_a % 3u,
                         impact->part_b == IMPI_WHOLE_FACE ? 0 : impact->part_b % 3u};
    truth->time = fmin(truth->time, impact->time);
    truth->touched_at_start |= contact->is_start;
}

static void find_truth(const Scene *scene, size_t i, size_t k, bool solids_touch, Truth *truth)
{
    const Actor *a = &scene->actors[i], *b = &scene->actors[k];
    truth->time = solids_touch ? 0 : INFINITY;
    truth->touched_at_start = solids_touch;
    truth->count = 0;
    for (uint32_t f = 0; f < a->face_count; ++f)
        for (uint32_t g = i == k ? f + 1 : 0; g < b->face_count; ++g) {
            const uint32_t *indices = imp_mesh_get_indices(a->mesh);
            Contact contact = i == k ? find_self_contact(&a->faces[f], indices + 3 * (size_t)f, &b->faces[g],
                                                         indices + 3 * (size_t)g)
                                     : find_contact(&a->faces[f], &b->faces[g]);
            note_contact(truth, a->id, b->id, f, g, &contact);
        }
}

static bool is_same_faces(const imp_SweptFaces *a, const imp_SweptFaces *b)
{
    return a->body_a.slot == b->body_a.slot && a->body_b.slot == b->body_b.slot && a->face_a == b->face_a &&
           a->face_b == b->face_b && a->time == b->time && a->feature_a == b->feature_a &&
           a->feature_b == b->feature_b && a->corner_a == b->corner_a && a->corner_b == b->corner_b;
}

static void check_pair(const imp_SweepReport *report, const imp_SweptBodies *pair, const Truth *truth,
                       bool face_times)
{
    const imp_SweptFaces *faces = report->face_pairs + pair->first_face_pair;
    size_t next = 0;
    CHECK_DOUBLE(pair->time, truth->time);
    CHECK_INT(pair->touched_at_start, truth->touched_at_start);
    CHECK(pair->is_certain && pair->path == IMP_PATH_STRAIGHT);
    for (size_t i = 0; i < truth->count; ++i) {
        if (!face_times && truth->faces[i].time != truth->time)
            continue;
        if (CHECK(next < pair->face_pair_count))
            CHECK(is_same_faces(&faces[next++], &truth->faces[i]));
    }
    CHECK_INT(pair->face_pair_count, next);
}

static void tally_pair(const Truth *truth, bool is_self)
{
    if (is_self) {
        tallies.self_meeting += truth->time <= 1;
        tallies.self_start += truth->touched_at_start;
        return;
    }
    tallies.meeting += truth->time <= 1;
    tallies.never += truth->time > 1;
    tallies.at_start += truth->touched_at_start;
    tallies.between += truth->time > 0 && truth->time < 1;
    tallies.at_end += truth->time == 1;
    size_t first = 0;
    for (size_t i = 0; i < truth->count; ++i) {
        first += truth->faces[i].time == truth->time;
        tallies.later += truth->faces[i].time > truth->time;
        tallies.vertex_face += truth->faces[i].feature_a == IMP_FEATURE_VERTEX;
        tallies.edges += truth->faces[i].feature_a == IMP_FEATURE_EDGE;
    }
    tallies.several += first > 1 && truth->time > 0;
    tallies.face_pairs += truth->count;
}

// Do the solids of a pair touch at the start? As a detect says.
static bool solids_touch(imp_World *world, const Actor *a, const Actor *b)
{
    const imp_Report *report = NULL;
    CHECK_INT(imp_world_detect(world, &(imp_DetectDef){.mode = IMP_DETECT_BODIES}, &report), IMP_STATUS_OK);
    for (size_t i = 0; i < report->body_pair_count; ++i)
        if (report->body_pairs[i].body_a.slot == a->id.slot &&
            report->body_pairs[i].body_b.slot == b->id.slot)
            return (a->convex || b->convex) && (report->body_pairs[i].relations & IMP_RELATION_TOUCH);
    return false;
}

static bool changes_shape(const Actor *actor)
{
    return actor->has_target && (actor->target.vertices || actor->target.path == IMP_PATH_STRAIGHT);
}

static void check_reports(Scene *scene, bool is_self, const imp_SweepReport *first,
                          const imp_SweepReport *all)
{
    Truth truth = {0};
    size_t next = 0;
    double first_time = NAN;
    for (size_t i = 0; i < scene->count; ++i)
        for (size_t k = i; k < scene->count; ++k) {
            if (i == k && (!is_self || !changes_shape(&scene->actors[i])))
                continue;
            bool touch = i != k && solids_touch(scene->worlds[0], &scene->actors[i], &scene->actors[k]);
            find_truth(scene, i, k, touch, &truth);
            tally_pair(&truth, i == k);
            tallies.pairs += i != k;
            tallies.self_pairs += i == k;
            tallies.solid_start += touch;
            bool meets = truth.time <= 1,
                 is_listed = next < first->pair_count &&
                             first->pairs[next].body_a.slot == scene->actors[i].id.slot &&
                             first->pairs[next].body_b.slot == scene->actors[k].id.slot;
            CHECK_INT(is_listed, meets);
            if (!meets || !is_listed || !CHECK(next < all->pair_count))
                continue;
            check_pair(first, &first->pairs[next], &truth, false);
            check_pair(all, &all->pairs[next], &truth, true);
            first_time = fmin(truth.time, first_time);
            ++next;
        }
    CHECK_INT(first->pair_count, next);
    CHECK_INT(all->pair_count, next);
    CHECK_DOUBLE(first->first_time, first_time);
    CHECK_DOUBLE(all->first_time, first_time);
    free(truth.faces);
}

// Reports are the same but for where their lists are.
static void check_same(const imp_SweepReport *a, const imp_SweepReport *b)
{
    CHECK_INT(a->pair_count, b->pair_count);
    CHECK_INT(a->face_pair_count, b->face_pair_count);
    CHECK_INT(a->candidate_body_pairs, b->candidate_body_pairs);
    CHECK_DOUBLE(a->first_time, b->first_time);
    for (size_t i = 0; i < a->pair_count && i < b->pair_count; ++i)
        CHECK(a->pairs[i].body_a.slot == b->pairs[i].body_a.slot &&
              a->pairs[i].body_b.slot == b->pairs[i].body_b.slot && a->pairs[i].time == b->pairs[i].time &&
              a->pairs[i].touched_at_start == b->pairs[i].touched_at_start &&
              a->pairs[i].first_face_pair == b->pairs[i].first_face_pair &&
              a->pairs[i].face_pair_count == b->pairs[i].face_pair_count);
    for (size_t i = 0; i < a->face_pair_count && i < b->face_pair_count; ++i)
        CHECK(is_same_faces(&a->face_pairs[i], &b->face_pairs[i]));
}

// A copy of a report, which lasts longer.
static imp_SweepReport keep_report(const imp_SweepReport *report)
{
    imp_SweepReport kept = *report;
    imp_SweptBodies *pairs = malloc((report->pair_count + 1) * sizeof *pairs);
    imp_SweptFaces *faces = malloc((report->face_pair_count + 1) * sizeof *faces);
    if (report->pair_count)
        memcpy(pairs, report->pairs, report->pair_count * sizeof *pairs);
    if (report->face_pair_count)
        memcpy(faces, report->face_pairs, report->face_pair_count * sizeof *faces);
    kept.pairs = pairs;
    kept.face_pairs = faces;
    return kept;
}

static void free_report(imp_SweepReport *report)
{
    free((void *)report->pairs);
    free((void *)report->face_pairs);
}

static imp_SweepReport sweep(imp_World *world, bool is_self, bool face_times)
{
    const imp_SweepReport *report = NULL;
    imp_SweepDef def = {.face_times = face_times, .self = is_self};
    CHECK_INT(imp_world_sweep(world, &def, &report), IMP_STATUS_OK);
    return keep_report(report);
}

static void check_scene(Scene *scene)
{
    bool is_self = test_random_below(3) == 0;
    imp_SweepReport first = sweep(scene->worlds[0], is_self, false);
    imp_SweepReport all = sweep(scene->worlds[0], is_self, true);
    check_reports(scene, is_self, &first, &all);
    for (int k = 1; k < THREAD_KINDS; ++k) {
        imp_SweepReport again = sweep(scene->worlds[k], is_self, true);
        check_same(&all, &again);
        free_report(&again);
        again = sweep(scene->worlds[k], is_self, false);
        check_same(&first, &again);
        free_report(&again);
    }
    free_report(&first);
    free_report(&all);
}

#if defined(TEST_UNDER_SANITIZER)
#define DEFAULT_SCENES 10
#else
#define DEFAULT_SCENES 30
#endif

// Other targets, and some other poses, for the next sweep of the same worlds.
static void change_scene(Scene *scene)
{
    imp_Vec3 fleet = random_place(scene, 3);
    for (size_t i = 0; i < scene->count; ++i) {
        Actor *actor = &scene->actors[i];
        if (test_random_below(2))
            actor->pose.translation = random_place(scene, 2);
        if (test_random_below(3))
            choose_target(scene, actor, fleet);
        free(actor->faces);
        make_faces(actor);
        for (int k = 0; k < THREAD_KINDS; ++k)
            show_actor(scene->worlds[k], actor);
    }
}

TEST(sweeps_find_what_brute_force_finds)
{
    uint64_t count = test_count(DEFAULT_SCENES);
    make_shapes();
    for (uint64_t i = 0; i < count; ++i) {
        Scene scene;
        scene_make(&scene);
        check_scene(&scene);
        change_scene(&scene);
        check_scene(&scene);
        scene_destroy(&scene);
    }
    release_shapes();
    printf("  pairs %" PRIu64 ": meeting %" PRIu64 ", at start %" PRIu64 " (solids %" PRIu64
           "), between %" PRIu64 ", at end %" PRIu64 ", never %" PRIu64 "; several faces at once %" PRIu64
           "\n",
           tallies.pairs, tallies.meeting, tallies.at_start, tallies.solid_start, tallies.between,
           tallies.at_end, tallies.never, tallies.several);
    printf("  face pairs %" PRIu64 ", later than the first %" PRIu64 ", by vertices of a %" PRIu64
           ", by edges %" PRIu64 "; selves %" PRIu64 ", meeting %" PRIu64 ", at start %" PRIu64 "\n",
           tallies.face_pairs, tallies.later, tallies.vertex_face, tallies.edges, tallies.self_pairs,
           tallies.self_meeting, tallies.self_start);
    printf("  bodies flying %" PRIu64 ", together %" PRIu64 ", turning %" PRIu64 ", deforming %" PRIu64
           ", still %" PRIu64 "\n",
           tallies.flying, tallies.together, tallies.turning, tallies.deforming, tallies.still);
}
