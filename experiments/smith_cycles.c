#include "smith_cycles.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BODIES            40
#define MAX_BRUTE_FORCE_FACES 1000

const char *const smith_method_names[SMITH_METHOD_COUNT] = {"paper", "impinge"};

// Two worlds with the same bodies, one for each method, so that neither finds what the other has prepared.
// That of the paper's method has two more, tiny ones in opposite corners of the cube in which everything
// happens: the method takes its world cube around all bodies, and the paper's cube stays what it is.
typedef struct Stage {
    const SceneMotion *motion;
    size_t body_count;
    imp_World *worlds[SMITH_METHOD_COUNT];
    imp_BodyId ids[SMITH_METHOD_COUNT][MAX_BODIES];
    const imp_Report *reports[SMITH_METHOD_COUNT];
} Stage;

static imp_Box joined(imp_Box a, imp_Box b)
{
    return (imp_Box){{fmin(a.min.x, b.min.x), fmin(a.min.y, b.min.y), fmin(a.min.z, b.min.z)},
                     {fmax(a.max.x, b.max.x), fmax(a.max.y, b.max.y), fmax(a.max.z, b.max.z)}};
}

static imp_Box body_box(const SceneMotion *motion, size_t body, uint32_t frame)
{
    imp_Mesh *mesh = scene_motion_body(motion, body).mesh;
    imp_Transform transform = scene_motion_transform(motion, body, frame);
    imp_Vec3 v = imp_transform_apply(&transform, imp_mesh_get_vertices(mesh)[0]);
    imp_Box box = {v, v};
    for (size_t i = 1; i < imp_mesh_get_vertex_count(mesh); ++i) {
        v = imp_transform_apply(&transform, imp_mesh_get_vertices(mesh)[i]);
        box = joined(box, (imp_Box){v, v});
    }
    return box;
}

static bool boxes_overlap(const imp_Box *a, const imp_Box *b)
{
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
           a->min.z <= b->max.z && b->min.z <= a->max.z;
}

// Counts overlapping boxes in each cycle; returns the box around everything that happens.
static imp_Box look_at_boxes(const SceneMotion *motion, SmithCourse *course)
{
    size_t body_count = scene_motion_body_count(motion);
    imp_Box boxes[MAX_BODIES], all = body_box(motion, 0, 0);
    for (uint32_t cycle = 0; cycle < course->cycle_count; ++cycle)
        for (size_t i = 0; i < body_count; ++i) {
            boxes[i] = body_box(motion, i, cycle);
            all = joined(all, boxes[i]);
            for (size_t j = 0; j < i; ++j)
                course->cycles[cycle].box_pairs += boxes_overlap(&boxes[i], &boxes[j]);
        }
    return all;
}

static imp_Status add_corner(imp_Context *context, imp_World *world, imp_Vec3 corner, double inwards)
{
    const double vertices[9] = {corner.x,           corner.y,           corner.z,
                                corner.x + inwards, corner.y,           corner.z,
                                corner.x,           corner.y + inwards, corner.z};
    const uint32_t indices[3] = {0, 1, 2};
    imp_Mesh *mesh = NULL;
    imp_BodyId id;
    imp_Status status = imp_mesh_create(
        context,
        &(imp_MeshDef){.vertices = vertices, .vertex_count = 3, .indices = indices, .triangle_count = 1},
        &mesh);
    if (status == IMP_STATUS_OK)
        status = imp_world_add_body(world, &(imp_BodyDef){.mesh = mesh}, &id);
    imp_mesh_release(mesh);
    return status;
}

// A little farther than anything gets, so that nothing touches the corners.
static imp_Status add_corners(imp_Context *context, imp_World *world, imp_Box all, double *edge)
{
    imp_Vec3 middle = {(all.min.x + all.max.x) / 2, (all.min.y + all.max.y) / 2, (all.min.z + all.max.z) / 2};
    double half = 1.01 * fmax(all.max.x - middle.x, fmax(all.max.y - middle.y, all.max.z - middle.z));
    *edge = 2 * half;
    imp_Status status = add_corner(
        context, world, (imp_Vec3){middle.x - half, middle.y - half, middle.z - half}, 1e-6 * half);
    if (status != IMP_STATUS_OK)
        return status;
    return add_corner(context, world, (imp_Vec3){middle.x + half, middle.y + half, middle.z + half},
                      -1e-6 * half);
}

static imp_Status stage_create(imp_Context *context, const SceneMotion *motion, SmithCourse *course,
                               Stage *stage)
{
    imp_Status status = IMP_STATUS_OK;
    *stage = (Stage){.motion = motion, .body_count = scene_motion_body_count(motion)};
    for (int method = 0; method < SMITH_METHOD_COUNT && status == IMP_STATUS_OK; ++method) {
        status = imp_world_create(context, NULL, &stage->worlds[method]);
        for (size_t i = 0; i < stage->body_count && status == IMP_STATUS_OK; ++i) {
            imp_BodyDef def = {.mesh = scene_motion_body(motion, i).mesh};
            status = imp_world_add_body(stage->worlds[method], &def, &stage->ids[method][i]);
        }
    }
    imp_Box all = look_at_boxes(motion, course);
    if (status == IMP_STATUS_OK)
        status = add_corners(context, stage->worlds[SMITH_PAPER], all, &course->world_edge);
    return status;
}

static void stage_free(Stage *stage)
{
    for (int method = 0; method < SMITH_METHOD_COUNT; ++method)
        imp_world_destroy(stage->worlds[method]);
}

// One cycle by one method; returns how long it took.
static double play_cycle(ExperimentRun *run, Stage *stage, int method, uint32_t cycle)
{
    imp_DetectDef def = {.method = method == SMITH_PAPER ? IMP_METHOD_SMITH_1994 : IMP_METHOD_AUTO,
                         .smith_level = SMITH_PAPER_LEVEL,
                         .ignore_containment = true};
    imp_Pose poses[MAX_BODIES];
    for (size_t i = 0; i < stage->body_count; ++i)
        poses[i] = scene_motion_pose(stage->motion, i, cycle);
    double start = experiment_processor_ns();
    imp_Status status = IMP_STATUS_OK;
    for (size_t i = 0; i < stage->body_count && status == IMP_STATUS_OK; ++i)
        status = imp_body_set_pose(stage->worlds[method], stage->ids[method][i], poses[i]);
    if (status == IMP_STATUS_OK)
        status = imp_world_detect(stage->worlds[method], &def, &stage->reports[method]);
    double end = experiment_processor_ns();
    if (status != IMP_STATUS_OK)
        experiment_fail(run, "%s", imp_context_get_error(run->context)->message);
    return end - start;
}

static bool is_same(const imp_Report *a, const imp_Report *b)
{
    if (a->body_pair_count != b->body_pair_count || a->face_pair_count != b->face_pair_count)
        return false;
    for (size_t i = 0; i < a->face_pair_count; ++i) {
        const imp_TouchingFaces *left = &a->face_pairs[i], *right = &b->face_pairs[i];
        if (left->body_a.slot != right->body_a.slot || left->face_a != right->face_a ||
            left->body_b.slot != right->body_b.slot || left->face_b != right->face_b)
            return false;
    }
    return true;
}

static bool is_answer_right(ExperimentRun *run, const char *name, const Stage *stage, uint32_t cycle,
                            uint32_t cycle_count)
{
    const imp_Report *paper = stage->reports[SMITH_PAPER], *ours = stage->reports[SMITH_OURS];
    if (!is_same(paper, ours))
        experiment_fail(run, "%s: the methods disagree in cycle %u", name, cycle + 1);
    else if ((ours->face_pair_count > 0) != (cycle + 1 == cycle_count))
        experiment_fail(run, "%s: %zu face pairs touch in cycle %u of %u", name, ours->face_pair_count,
                        cycle + 1, cycle_count);
    return !run->has_failed;
}

static imp_Triangle *posed_faces(const SceneMotion *motion, size_t body, uint32_t cycle)
{
    imp_Mesh *mesh = scene_motion_body(motion, body).mesh;
    imp_Transform transform = scene_motion_transform(motion, body, cycle);
    imp_Triangle *faces = calloc(imp_mesh_get_triangle_count(mesh), sizeof *faces);
    for (size_t i = 0; faces && i < imp_mesh_get_triangle_count(mesh); ++i) {
        imp_Status status = imp_mesh_get_triangle(mesh, i, &faces[i]);
        assert(status == IMP_STATUS_OK); // the mesh has it
        (void)status;
        for (int k = 0; k < 3; ++k)
            faces[i].v[k] = imp_transform_apply(&transform, faces[i].v[k]);
    }
    return faces;
}

// All faces of two bodies against each other. False when out of memory or when a test refuses them.
static bool count_touching(const SceneMotion *motion, size_t a, size_t b, uint32_t cycle, size_t *count)
{
    imp_Triangle *faces_a = posed_faces(motion, a, cycle), *faces_b = posed_faces(motion, b, cycle);
    bool is_counted = faces_a && faces_b;
    for (size_t i = 0; is_counted && i < imp_mesh_get_triangle_count(scene_motion_body(motion, a).mesh); ++i)
        for (size_t j = 0; j < imp_mesh_get_triangle_count(scene_motion_body(motion, b).mesh); ++j) {
            bool touch = false;
            is_counted &= imp_triangles_touch(&faces_a[i], &faces_b[j], &touch) == IMP_STATUS_OK;
            *count += touch;
        }
    free(faces_a);
    free(faces_b);
    return is_counted;
}

// Only pairs of bodies whose boxes overlap are worth the time.
static bool agrees_with_brute_force(ExperimentRun *run, const char *name, const SceneMotion *motion,
                                    const SmithCourse *course)
{
    uint32_t cycle = course->cycle_count - 1;
    size_t count = 0;
    if (imp_mesh_get_triangle_count(scene_motion_body(motion, 0).mesh) > MAX_BRUTE_FORCE_FACES)
        return true;
    for (size_t a = 0; a < scene_motion_body_count(motion); ++a)
        for (size_t b = a + 1; b < scene_motion_body_count(motion); ++b) {
            imp_Box box_a = body_box(motion, a, cycle), box_b = body_box(motion, b, cycle);
            if (boxes_overlap(&box_a, &box_b) && !count_touching(motion, a, b, cycle, &count))
                experiment_fail(run, "out of memory");
        }
    if (count != smith_last(course)->face_pairs)
        experiment_fail(run, "%s: brute force finds %zu face pairs instead of %zu", name, count,
                        smith_last(course)->face_pairs);
    return !run->has_failed;
}

// Both methods take turns in each cycle, so that what else the machine does hits both alike.
static void measure_cycle(ExperimentRun *run, Stage *stage, uint32_t cycle, size_t repetitions,
                          SmithCycle *measured)
{
    double times[SMITH_METHOD_COUNT][SMITH_MAX_REPETITIONS];
    uint32_t before = cycle > 0 ? cycle - 1 : cycle + 1;
    for (size_t r = 0; r < repetitions && !run->has_failed; ++r)
        for (int method = 0; method < SMITH_METHOD_COUNT; ++method) {
            play_cycle(run, stage, method, before);
            times[method][r] = play_cycle(run, stage, method, cycle);
        }
    if (run->has_failed)
        return;
    measured->face_pairs = stage->reports[SMITH_OURS]->face_pair_count;
    for (int method = 0; method < SMITH_METHOD_COUNT; ++method) {
        measured->ns[method] = experiment_median(times[method], repetitions);
        measured->tested[method] = stage->reports[method]->candidate_face_pairs;
    }
}

size_t smith_repetitions(const ExperimentRun *run)
{
    return run->quick ? 1 : 15;
}

bool smith_play(ExperimentRun *run, const char *name, const SceneMotion *motion, size_t repetitions,
                SmithExtent extent, SmithCourse *course)
{
    Stage stage;
    memset(course, 0, sizeof *course);
    course->cycle_count = scene_motion_frame_count(motion);
    if (scene_motion_body_count(motion) > MAX_BODIES || course->cycle_count > SMITH_MAX_CYCLES) {
        experiment_fail(run, "%s: there is no room for so many bodies or cycles", name);
        return false;
    }
    experiment_note("  %s", name);
    if (stage_create(run->context, motion, course, &stage) != IMP_STATUS_OK)
        experiment_fail(run, "%s", imp_context_get_error(run->context)->message);
    for (uint32_t cycle = 0; cycle < course->cycle_count && !run->has_failed; ++cycle) {
        bool is_timed = extent == SMITH_ALL_CYCLES || cycle + 1 == course->cycle_count;
        measure_cycle(run, &stage, cycle, is_timed ? repetitions : 1, &course->cycles[cycle]);
        if (!run->has_failed)
            is_answer_right(run, name, &stage, cycle, course->cycle_count);
    }
    stage_free(&stage);
    return !run->has_failed && agrees_with_brute_force(run, name, motion, course);
}

SmithBefore smith_before(const SmithCourse *course, SmithMethod method, double share)
{
    SmithBefore before = {.count = course->cycle_count - 1};
    double times[SMITH_MAX_CYCLES], limit = share * smith_last(course)->ns[method];
    for (uint32_t i = 0; i < before.count; ++i) {
        times[i] = course->cycles[i].ns[method];
        before.longest_ns = fmax(before.longest_ns, times[i]);
        before.above += times[i] > limit;
    }
    before.median_ns = experiment_median(times, before.count);
    return before;
}

Verdict smith_rarity(const SmithBefore *before)
{
    if (5 * before->above < before->count)
        return VERDICT_HOLDS;
    return 2 * before->above < before->count ? VERDICT_PARTLY : VERDICT_FAILS;
}

void smith_put_csv(impi_Text *csv, const char *label, const SmithCourse *course)
{
    for (uint32_t i = 0; i < course->cycle_count; ++i)
        for (int method = 0; method < SMITH_METHOD_COUNT; ++method) {
            const SmithCycle *cycle = &course->cycles[i];
            impi_text_printf(csv, "%s,%u,%s,%.3f,%zu,%llu,%zu\n", label, i + 1, smith_method_names[method],
                             cycle->ns[method] / 1e3, cycle->face_pairs,
                             (unsigned long long)cycle->tested[method], cycle->box_pairs);
        }
}

void smith_put_block(impi_Text *script, const char *name, SmithMethod method, const SmithCourse *course)
{
    impi_text_printf(script, "$%s << END\n", name);
    for (uint32_t i = 0; i < course->cycle_count; ++i)
        impi_text_printf(script, "%u %.4f\n", i + 1, course->cycles[i].ns[method] / 1e3);
    impi_text_put(script, "END\n");
}

void smith_put_method(ExperimentRun *run)
{
    impi_text_printf(
        &run->page,
        "| | paper | here |\n"
        "|---|---|---|\n"
        "| machine | SGI Indigo², R4400 at 150 MHz | see the end of the page; one thread |\n"
        "| paper's method | face octree of level 6 in a world cube | the same (`IMP_METHOD_SMITH_1994`), "
        "level %u; the triangle–box test is exact, repeated pairs are removed by sorting |\n"
        "| world cube | side not given | around all that happens in the motion, 1 %% larger, the same in "
        "all cycles |\n"
        "| impinge | – | what it does by itself (`IMP_METHOD_AUTO`); neither method asks "
        "for containment |\n"
        "| a cycle's time | the whole detection | setting all poses and detecting: processor time, "
        "median of %zu; between two measurements the bodies are moved to the cycle before and back |\n",
        SMITH_PAPER_LEVEL, smith_repetitions(run));
}
