#include "smith_swept_play.h"

#include "base/memory.h"
#include "scenes/motion_papers.h"

#include <math.h>

#define RADIUS     1.0   // of the spheres, about their origin
#define SIZE       16.0  // bounds coordinates and translations, see impi_turn_widening
#define CUBE_EXTRA 1.01  // the world cube is larger than what happens by this factor
#define LOT        65536 // pairs that are looked at in one go

const char *const swept_method_names[SMITH_SWEPT_METHOD_COUNT] = {"static", "printed", "ahead",
                                                                  "conservative"};

// ---- spheres

static imp_Box find_cube(const SweptSpheres *spheres)
{
    double reach = 0;
    for (uint32_t frame = 0; frame < spheres->cycle_count; ++frame)
        for (size_t body = 0; body < 2; ++body) {
            imp_Vec3 at = scene_motion_pose(spheres->motion, body, frame).translation;
            reach = fmax(reach, fmax(fabs(at.x), fmax(fabs(at.y), fabs(at.z))) + RADIUS);
        }
    reach *= CUBE_EXTRA;
    return (imp_Box){{-reach, -reach, -reach}, {reach, reach, reach}};
}

bool swept_spheres_make(ExperimentRun *run, uint32_t face_count, SweptSpheres *spheres)
{
    *spheres = (SweptSpheres){.face_count = face_count};
    if (scene_motion_create_swept_spheres(run->context, face_count, &spheres->motion) != IMP_STATUS_OK) {
        experiment_fail(run, "%s", imp_context_get_error(run->context)->message);
        return false;
    }
    spheres->cycle_count = scene_motion_frame_count(spheres->motion);
    spheres->cube = find_cube(spheres);
    return true;
}

void swept_spheres_free(SweptSpheres *spheres)
{
    scene_motion_destroy(spheres->motion);
}

SmithSweptScene swept_spheres_scene(const SweptSpheres *spheres, uint32_t from, uint32_t to,
                                    SmithSweptMethod method)
{
    SmithSweptScene scene = {.cube = spheres->cube, .level = SWEPT_LEVEL, .method = method};
    for (size_t i = 0; i < 2; ++i) {
        const imp_Mesh *mesh = scene_motion_body(spheres->motion, i).mesh;
        double height = impi_turn_height(scene_motion_pose(spheres->motion, i, from - 1).rotation,
                                         scene_motion_pose(spheres->motion, i, to - 1).rotation, 0);
        scene.bodies[i] = (SmithSweptBody){
            .vertices = imp_mesh_get_vertices(mesh),
            .vertex_count = imp_mesh_get_vertex_count(mesh),
            .indices = imp_mesh_get_indices(mesh),
            .face_count = imp_mesh_get_triangle_count(mesh),
            .begin = scene_motion_transform(spheres->motion, i, from - 1),
            .end = scene_motion_transform(spheres->motion, i, to - 1),
            .widening = impi_turn_widening(height, RADIUS * (1 + 1e-12), SIZE),
        };
    }
    return scene;
}

// ---- the four steps

typedef struct List {
    const imp_Allocator *allocator;
    SmithFacePairs *pairs;
} List;

static bool keep_pair(SmithFacePair pair, void *argument)
{
    const List *list = argument;
    SmithFacePairs *pairs = list->pairs;
    if (!impi_array_reserve(list->allocator, pairs, sizeof *pairs->data, pairs->count + 1))
        return false;
    pairs->data[pairs->count++] = pair;
    return true;
}

// Step 4.
static bool test_pairs(const SmithSweptSearch *search, impi_SweptHullScratch *scratch,
                       const SmithFacePairs *pairs, SmithFacePairs *found)
{
    List list = {&search->allocator, found};
    for (size_t i = 0; i < pairs->count; ++i) {
        bool collide = false;
        if (smith_swept_test(search, scratch, pairs->data[i], &collide) != IMP_STATUS_OK)
            return false;
        if (collide && !keep_pair(pairs->data[i], &list))
            return false;
    }
    return true;
}

static bool play_once(SmithSweptSearch *search, const SmithSweptScene *scene, impi_SweptHullScratch *scratch,
                      SmithFacePairs *pairs, SmithFacePairs *found, double times[SWEPT_STEPS + 1])
{
    List list = {&search->allocator, pairs};
    pairs->count = found->count = 0;
    times[0] = experiment_processor_ns();
    bool done = smith_swept_boxes(search, scene);
    times[1] = experiment_processor_ns();
    done = done && smith_swept_faces(search);
    times[2] = experiment_processor_ns();
    done = done && smith_swept_subdivide(search, keep_pair, &list);
    times[3] = experiment_processor_ns();
    done = done && test_pairs(search, scratch, pairs, found);
    times[4] = experiment_processor_ns();
    return done;
}

bool swept_play(ExperimentRun *run, SmithSweptSearch *search, const SmithSweptScene *scene,
                size_t repetitions, SweptCycle *cycle, SmithFacePairs *found)
{
    double steps[SWEPT_STEPS][SWEPT_MAX_REPETITIONS], all[SWEPT_MAX_REPETITIONS];
    impi_SweptHullScratch scratch;
    SmithFacePairs pairs = {0};
    bool done = true;
    impi_swept_hull_scratch_init(&scratch, &search->allocator);
    for (size_t r = 0; r < repetitions && done; ++r) {
        double times[SWEPT_STEPS + 1];
        done = play_once(search, scene, &scratch, &pairs, found, times);
        for (int step = 0; step < SWEPT_STEPS; ++step)
            steps[step][r] = times[step + 1] - times[step];
        all[r] = times[SWEPT_STEPS] - times[0];
    }
    if (done) {
        *cycle = (SweptCycle){
            .ns = experiment_median(all, repetitions), .tested = pairs.count, .colliding = found->count};
        for (int step = 0; step < SWEPT_STEPS; ++step)
            cycle->step_ns[step] = experiment_median(steps[step], repetitions);
        smith_face_pairs_sort(found);
    } else {
        experiment_fail(run, "out of memory");
    }
    impi_swept_hull_scratch_destroy(&scratch);
    impi_array_free(&search->allocator, &pairs, sizeof *pairs.data);
    return done;
}

// ---- the truth

typedef struct Lot {
    imp_MovingTriangle *a, *b;
    SmithFacePair *pairs;
    double *times;
    size_t count;
} Lot;

static bool lot_make(Lot *lot)
{
    const imp_Allocator *allocator = &impi_default_allocator;
    *lot = (Lot){.a = impi_allocate_array(allocator, LOT, sizeof *lot->a),
                 .b = impi_allocate_array(allocator, LOT, sizeof *lot->b),
                 .pairs = impi_allocate_array(allocator, LOT, sizeof *lot->pairs),
                 .times = impi_allocate_array(allocator, LOT, sizeof *lot->times)};
    return lot->a && lot->b && lot->pairs && lot->times;
}

static void lot_free(Lot *lot)
{
    const imp_Allocator *allocator = &impi_default_allocator;
    impi_release(allocator, lot->a, LOT * sizeof *lot->a);
    impi_release(allocator, lot->b, LOT * sizeof *lot->b);
    impi_release(allocator, lot->pairs, LOT * sizeof *lot->pairs);
    impi_release(allocator, lot->times, LOT * sizeof *lot->times);
}

static bool lot_decide(imp_Context *context, Lot *lot, List *list)
{
    bool done = imp_sweep_triangles(context, lot->a, lot->b, lot->count, lot->times) == IMP_STATUS_OK;
    for (size_t i = 0; i < lot->count && done; ++i)
        if (!isnan(lot->times[i]))
            done = keep_pair(lot->pairs[i], list);
    lot->count = 0;
    return done;
}

static imp_Box box_of(const imp_MovingTriangle *face)
{
    impi_SweptHull hull = impi_swept_hull(&face->begin, &face->end, 0);
    return impi_swept_hull_box(&hull);
}

static bool boxes_meet(const imp_Box *a, const imp_Box *b)
{
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
           a->min.z <= b->max.z && b->min.z <= a->max.z;
}

static bool compare_all(imp_Context *context, const SmithSweptSearch *search, Lot *lot, List *list)
{
    const SmithSweptBody *bodies = search->scene.bodies;
    bool done = true;
    for (uint32_t i = 0; i < bodies[0].face_count && done; ++i) {
        imp_MovingTriangle a = smith_swept_face(search, 0, i);
        imp_Box box_a = box_of(&a);
        if (!boxes_meet(&box_a, &search->boxes[1]))
            continue;
        for (uint32_t k = 0; k < bodies[1].face_count && done; ++k) {
            imp_MovingTriangle b = smith_swept_face(search, 1, k);
            imp_Box box_b = box_of(&b);
            if (!boxes_meet(&box_a, &box_b))
                continue;
            lot->a[lot->count] = a;
            lot->b[lot->count] = b;
            lot->pairs[lot->count++] = (SmithFacePair){i, k};
            if (lot->count == LOT)
                done = lot_decide(context, lot, list);
        }
    }
    return done && lot_decide(context, lot, list);
}

bool swept_truth(ExperimentRun *run, const SmithSweptSearch *search, SmithFacePairs *meeting)
{
    Lot lot;
    List list = {&search->allocator, meeting};
    meeting->count = 0;
    bool done = lot_make(&lot) && compare_all(run->context, search, &lot, &list);
    lot_free(&lot);
    if (!done)
        experiment_fail(run, "faces could not be compared: out of memory");
    return done;
}

size_t swept_count_missing(const SmithFacePairs *pairs, const SmithFacePairs *others)
{
    size_t missing = 0, k = 0;
    for (size_t i = 0; i < pairs->count; ++i) {
        SmithFacePair pair = pairs->data[i];
        while (k < others->count &&
               (others->data[k].a < pair.a || (others->data[k].a == pair.a && others->data[k].b < pair.b)))
            ++k;
        missing += k == others->count || others->data[k].a != pair.a || others->data[k].b != pair.b;
    }
    return missing;
}
