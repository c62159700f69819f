// Sweeps of worlds against all pairs of faces, judged one by one: which bodies meet, when first, with which
// faces and what of them, and the first times of all face pairs. Threads make no difference; neither do
// sweeps and detects before.
#include "geom/sweep.h"
#include "geom/touch.h"
#include "geom/triangle_sweep.h"
#include "harness.h"
#include "sanitizers.h"
#include "sweep_scenes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static struct {
    uint64_t pairs, meeting, at_start, between, at_end, never, solid_start, several, vertex_face, edges,
        face_pairs, later, self_pairs, self_meeting, self_start;
} tallies;

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

// The test must not become empty. What is rare takes many scenes.
static void check_shares(void)
{
    uint64_t all = tallies.pairs;
    CHECK(8 * tallies.meeting > all && 3 * tallies.never > all);
    CHECK(20 * tallies.at_start > all && 20 * tallies.between > all);
    CHECK(50 * tallies.several > all && 3 * tallies.later > tallies.face_pairs);
    CHECK(20 * tallies.vertex_face > tallies.face_pairs && 5 * tallies.edges > tallies.face_pairs);
    if (all < 500)
        return;
    CHECK(100 * tallies.solid_start > all && tallies.at_end > 0);
    CHECK(tallies.self_start > 0 && tallies.self_meeting > tallies.self_start);
    CHECK(tallies.self_pairs > tallies.self_meeting);
    CHECK(scene_tallies.together > 0 && scene_tallies.turning > 0 && scene_tallies.deforming > 0);
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
           scene_tallies.flying, scene_tallies.together, scene_tallies.turning, scene_tallies.deforming,
           scene_tallies.still);
    check_shares();
}
