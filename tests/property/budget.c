/// Detects with a budget, in worlds where bodies move, deform, come and go, against two worlds with the same
/// bodies whose detects take as long as they need: one tells the truth about all pairs, one is asked the
/// same. What begins and ends follows a plain model.
#include "base/clock.h"
#include "harness.h"
#include "posed_faces.h"
#include "reports.h"
#include "sanitizers.h"
#include "scenes/shapes.h"

#include <math.h>
#include <stdio.h>

#define MAX_BODIES    36
#define SUBJECT_COUNT 2 // worlds with budgets: one thread, two threads
#define TRUTH         SUBJECT_COUNT
#define UNLIMITED     (SUBJECT_COUNT + 1)
#define WORLD_COUNT   (SUBJECT_COUNT + 2)
#define MESH_KINDS    7
#define CONVEX_KINDS  2
#define REACH         2.6

// Detects by default, and from how many on every outcome must have occurred.
#if defined(TEST_UNDER_SANITIZER)
#define DETECT_COUNT 60
#else
#define DETECT_COUNT 160
#endif
#define ENOUGH 300

typedef struct Body {
    bool alive;
    imp_BodyId id;
    imp_Mesh *mesh; // null for a solid
} Body;

typedef struct Stage {
    imp_Context *contexts[WORLD_COUNT];
    imp_World *worlds[WORLD_COUNT];
    imp_Mesh *meshes[MESH_KINDS];
    imp_Convex *solids[CONVEX_KINDS];
    Body bodies[MAX_BODIES]; // slot s is bodies[s - 1]
    PairList contacts[SUBJECT_COUNT];
    imp_DetectDef def;
    const imp_Report *truth, *unlimited;
    double full_us; // what the unlimited detect took
} Stage;

// How often each outcome occurred.
static struct {
    uint64_t detects, spent, complete, undecided, partial_faces, open_containment, kept_contacts, late_ends,
        begun, ended, open_containers, solids, converged, rounds;
} tally;

// ---- bodies

static imp_Convex *solid_of(imp_Context *context, imp_Mesh *mesh)
{
    imp_Convex *solid = NULL;
    CHECK_INT(imp_convex_create_from_mesh(context, mesh, &solid), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    return solid;
}

static void make_shapes(Stage *stage)
{
    imp_Context *context = stage->contexts[TRUTH];
    imp_Mesh *soup = NULL, *mesh = NULL;
    CHECK_INT(scene_sphere(context, 24, 13, 1, &stage->meshes[0]), IMP_STATUS_OK);
    CHECK_INT(scene_torus(context, 24, 12, 1, 0.3, &stage->meshes[1]), IMP_STATUS_OK);
    CHECK_INT(scene_box(context, (imp_Vec3){-0.1, -0.1, -0.1}, (imp_Vec3){0.1, 0.1, 0.1}, &stage->meshes[2]),
              IMP_STATUS_OK);
    CHECK_INT(scene_hollow_sphere(context, 16, 10, 1.5, 1.2, &stage->meshes[3]), IMP_STATUS_OK);
    CHECK_INT(scene_bumpy_sphere(context, 20, 11, 1, 0.3, 3, &stage->meshes[4]), IMP_STATUS_OK);
    CHECK_INT(scene_soup(context, 40, 0.3, 5, &soup), IMP_STATUS_OK);
    CHECK_INT(scene_place(context, soup, 3, (imp_Vec3){-1.5, -1.5, -1.5}, &stage->meshes[5]), IMP_STATUS_OK);
    CHECK_INT(scene_sphere(context, 12, 7, 0.2, &stage->meshes[6]), IMP_STATUS_OK);
    imp_mesh_release(soup);
    CHECK_INT(scene_box(context, (imp_Vec3){-0.3, -0.5, -0.2}, (imp_Vec3){0.3, 0.5, 0.2}, &mesh),
              IMP_STATUS_OK);
    stage->solids[0] = solid_of(context, mesh);
    CHECK_INT(scene_box(context, (imp_Vec3){-0.1, -0.1, -0.1}, (imp_Vec3){0.1, 0.1, 0.1}, &mesh),
              IMP_STATUS_OK);
    stage->solids[1] = solid_of(context, mesh);
}

static imp_Pose random_pose(void)
{
    return (imp_Pose){.translation = {test_random_between(-REACH, REACH), test_random_between(-REACH, REACH),
                                      test_random_between(-REACH, REACH)},
                      .rotation = random_rotation()};
}

static void add_body(Stage *stage)
{
    bool is_solid = test_random_below(4) == 0;
    imp_Mesh *mesh = is_solid ? NULL : stage->meshes[test_random_below(MESH_KINDS)];
    imp_BodyDef def = {.mesh = mesh,
                       .convex = is_solid ? stage->solids[test_random_below(CONVEX_KINDS)] : NULL,
                       .pose = random_pose()};
    imp_BodyId id = {0};
    for (int i = 0; i < WORLD_COUNT; ++i)
        CHECK_INT(imp_world_add_body(stage->worlds[i], &def, &id), IMP_STATUS_OK);
    if (CHECK(id.slot >= 1 && id.slot <= MAX_BODIES))
        stage->bodies[id.slot - 1] = (Body){true, id, mesh};
    tally.solids += is_solid;
}

static void remove_body(Stage *stage, Body *body)
{
    for (int i = 0; i < WORLD_COUNT; ++i)
        CHECK_INT(imp_world_remove_body(stage->worlds[i], body->id), IMP_STATUS_OK);
    body->alive = false;
}

static void deform_body(Stage *stage, const Body *body)
{
    size_t count = imp_mesh_get_vertex_count(body->mesh);
    double wide = test_random_between(0.5, 1.3), flat = test_random_between(0.5, 1.3);
    imp_Vec3 *vertices = malloc(count * sizeof *vertices);
    for (size_t i = 0; i < count; ++i) {
        imp_Vec3 v = imp_mesh_get_vertices(body->mesh)[i];
        vertices[i] = (imp_Vec3){wide * v.x, v.y, flat * v.z};
    }
    for (int i = 0; i < WORLD_COUNT; ++i)
        CHECK_INT(imp_body_set_vertices(stage->worlds[i], body->id, &vertices->x, count), IMP_STATUS_OK);
    free(vertices);
}

static void move_body(Stage *stage, const Body *body)
{
    imp_Pose pose = random_pose();
    for (int i = 0; i < WORLD_COUNT; ++i)
        CHECK_INT(imp_body_set_pose(stage->worlds[i], body->id, pose), IMP_STATUS_OK);
}

// Most of the time some move, at times all do, at times none.
static void change_bodies(Stage *stage)
{
    static const uint32_t movers[4] = {0, 4, 12, 32};
    uint32_t moving = movers[test_random_below(4)];
    for (int i = 0; i < MAX_BODIES; ++i) {
        Body *body = &stage->bodies[i];
        uint32_t what = test_random_below(32);
        if (moving > 0 && !body->alive && test_random_below(2))
            add_body(stage); // to the slot that was left first
        else if (body->alive && what < moving && test_random_below(12) == 0)
            remove_body(stage, body);
        else if (body->alive && what < moving && body->mesh && test_random_below(4) == 0)
            deform_body(stage, body);
        else if (body->alive && what < moving)
            move_body(stage, body);
    }
}

static void stage_make(Stage *stage)
{
    static const uint32_t thread_counts[WORLD_COUNT] = {1, 2, 1, 1};
    *stage = (Stage){0};
    for (int i = 0; i < WORLD_COUNT; ++i) {
        stage->contexts[i] = context_with_threads(thread_counts[i]);
        CHECK_INT(imp_world_create(stage->contexts[i], NULL, &stage->worlds[i]), IMP_STATUS_OK);
    }
    make_shapes(stage);
    for (int i = 0; i < MAX_BODIES; ++i)
        add_body(stage);
}

static void stage_destroy(Stage *stage)
{
    for (int i = 0; i < MESH_KINDS; ++i)
        imp_mesh_release(stage->meshes[i]);
    for (int i = 0; i < CONVEX_KINDS; ++i)
        imp_convex_release(stage->solids[i]);
    for (int i = 0; i < WORLD_COUNT; ++i) {
        imp_world_destroy(stage->worlds[i]);
        imp_context_destroy(stage->contexts[i]);
    }
}

// ---- the truth

static const imp_BodyPair *find_in(const imp_BodyPair *pairs, size_t count, const imp_BodyPair *pair)
{
    return count ? bsearch(pair, pairs, count, sizeof *pairs, compare_body_pairs) : NULL;
}

static uint32_t true_relations(const Stage *stage, const imp_BodyPair *pair)
{
    const imp_BodyPair *found = find_in(stage->truth->body_pairs, stage->truth->body_pair_count, pair);
    uint32_t asked = stage->def.ignore_containment ? (uint32_t)IMP_RELATION_TOUCH : ~(uint32_t)0;
    return found ? found->relations & asked : 0;
}

static int compare_faces(const void *left, const void *right)
{
    const imp_TouchingFaces *a = left, *b = right;
    imp_BodyPair pair_a = {a->body_a, a->body_b, 0, 0}, pair_b = {b->body_a, b->body_b, 0, 0};
    int order = compare_body_pairs(&pair_a, &pair_b);
    if (order == 0)
        order = (a->face_a > b->face_a) - (a->face_a < b->face_a);
    return order ? order : (a->face_b > b->face_b) - (a->face_b < b->face_b);
}

static size_t count_faces(const imp_Report *report, const imp_BodyPair *pair)
{
    size_t low = 0, high = report->face_pair_count, count = 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const imp_TouchingFaces *faces = &report->face_pairs[middle];
        if (compare_body_pairs(&(imp_BodyPair){faces->body_a, faces->body_b, 0, 0}, pair) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < report->face_pair_count; ++low, ++count) {
        const imp_TouchingFaces *faces = &report->face_pairs[low];
        if (compare_body_pairs(&(imp_BodyPair){faces->body_a, faces->body_b, 0, 0}, pair) != 0)
            break;
    }
    return count;
}

// ---- what a report may say

static void check_listed(const Stage *stage, const imp_Report *report)
{
    for (size_t i = 0; i < report->body_pair_count; ++i) {
        const imp_BodyPair *pair = &report->body_pairs[i];
        uint32_t wanted = true_relations(stage, pair);
        CHECK(i == 0 || compare_body_pairs(pair - 1, pair) < 0);
        CHECK(pair->relations && (pair->relations & ~wanted) == 0);
        CHECK(!pair->unanswered || report->budget_spent ||
              (report->truncated && pair->unanswered == IMP_QUESTION_FACES));
        if (!(pair->unanswered & IMP_QUESTION_CONTAINMENT))
            CHECK_INT(pair->relations, wanted);
        if (!pair->unanswered && stage->def.mode != IMP_DETECT_BODIES && !report->truncated)
            CHECK_INT(count_faces(report, pair), count_faces(stage->truth, pair));
        tally.partial_faces += pair->unanswered == IMP_QUESTION_FACES;
    }
    CHECK(stage->def.mode != IMP_DETECT_FIRST || report->body_pair_count <= 1);
}

static void check_undecided(const imp_Report *report)
{
    const uint32_t deciding = IMP_QUESTION_TOUCH | IMP_QUESTION_CONTAINMENT;
    CHECK(report->undecided_count == 0 || report->budget_spent);
    for (size_t i = 0; i < report->undecided_count; ++i) {
        const imp_BodyPair *pair = &report->undecided[i];
        CHECK(i == 0 || compare_body_pairs(pair - 1, pair) < 0);
        CHECK(pair->relations == 0 && (pair->unanswered & deciding) != 0);
        CHECK(!find_in(report->body_pairs, report->body_pair_count, pair));
        tally.open_containment += pair->unanswered == IMP_QUESTION_CONTAINMENT;
    }
    tally.undecided += report->undecided_count;
}

// Whatever is related is listed or undecided: what was ruled out is not related.
static void check_ruled_out(const Stage *stage, const imp_Report *report)
{
    if (stage->def.mode != IMP_DETECT_FIRST || !report->budget_spent)
        CHECK_INT(report->candidate_body_pairs, stage->unlimited->candidate_body_pairs);
    CHECK(report->body_pair_count + report->undecided_count <= report->candidate_body_pairs);
    if (stage->def.mode == IMP_DETECT_FIRST && report->body_pair_count > 0)
        return;
    for (size_t i = 0; i < stage->truth->body_pair_count; ++i) {
        const imp_BodyPair *pair = &stage->truth->body_pairs[i];
        CHECK(!true_relations(stage, pair) || find_in(report->body_pairs, report->body_pair_count, pair) ||
              find_in(report->undecided, report->undecided_count, pair));
    }
}

static void check_faces(const Stage *stage, const imp_Report *report)
{
    const imp_Report *truth = stage->truth;
    for (size_t i = 0; i < report->face_pair_count; ++i) {
        const imp_TouchingFaces *faces = &report->face_pairs[i];
        CHECK(i == 0 || compare_faces(faces - 1, faces) < 0);
        CHECK(bsearch(faces, truth->face_pairs, truth->face_pair_count, sizeof *faces, compare_faces));
        CHECK(find_in(report->body_pairs, report->body_pair_count,
                      &(imp_BodyPair){faces->body_a, faces->body_b, 0, 0}));
    }
    CHECK(report->face_pair_total <= truth->face_pair_total);
    CHECK(stage->def.mode != IMP_DETECT_BODIES || report->face_pair_count == 0);
}

static void check_open_containers(const Stage *stage, const imp_Report *report)
{
    for (size_t i = 0; i < report->open_container_count; ++i) {
        bool is_found = false;
        for (size_t k = 0; k < stage->truth->open_container_count; ++k)
            is_found |= memcmp(&report->open_containers[i], &stage->truth->open_containers[k],
                               sizeof *report->open_containers) == 0;
        CHECK(is_found && !stage->def.ignore_containment);
    }
    tally.open_containers += report->open_container_count;
}

// Within its budget a detect says the same as one without; what was before is the model's.
static void check_complete(const Stage *stage, const imp_Report *report)
{
    imp_Report got = *report, wanted = *stage->unlimited;
    got.begun_count = got.ended_count = wanted.begun_count = wanted.ended_count = 0;
    CHECK(same_reports(&got, &wanted));
    CHECK_INT(report->undecided_count, 0);
}

// ---- what begins and ends

static void check_changes(Stage *stage, int subject, const imp_Report *report)
{
    static PairList now, begun, ended;
    PairList *contacts = &stage->contacts[subject];
    if (stage->def.mode == IMP_DETECT_FIRST) {
        CHECK(report->begun_count == 0 && report->ended_count == 0);
        return;
    }
    if (!CHECK(report->body_pair_count + report->undecided_count <= MAX_LISTED_PAIRS))
        return;
    now.count = begun.count = ended.count = 0;
    for (size_t i = 0; i < report->body_pair_count; ++i) {
        const imp_BodyPair *pair = &report->body_pairs[i];
        now.pairs[now.count++] = *pair;
        if (!find_in(contacts->pairs, contacts->count, pair))
            begun.pairs[begun.count++] = *pair;
    }
    for (size_t i = 0; i < contacts->count; ++i) {
        const imp_BodyPair *pair = &contacts->pairs[i];
        if (find_in(report->body_pairs, report->body_pair_count, pair))
            continue;
        bool is_open = find_in(report->undecided, report->undecided_count, pair);
        PairList *list = is_open ? &now : &ended;
        list->pairs[list->count++] = *pair;
        tally.kept_contacts += is_open;
        tally.late_ends += is_open && !true_relations(stage, pair);
    }
    qsort(now.pairs, now.count, sizeof *now.pairs, compare_body_pairs);
    CHECK(is_list(report->begun, report->begun_count, &begun));
    CHECK(is_list(report->ended, report->ended_count, &ended));
    tally.begun += begun.count;
    tally.ended += ended.count;
    *contacts = now;
}

// ---- detects

static imp_DetectDef random_def(void)
{
    imp_DetectDef def = {.mode = (imp_DetectMode)test_random_below(3),
                         .method = (imp_DetectMethod)test_random_below(4),
                         .ignore_containment = test_random_below(4) == 0,
                         .smith_level = 3};
    if (test_random_below(8) == 0)
        def.max_face_pairs = 1 + test_random_below(200);
    return def;
}

static bool detect_unlimited(Stage *stage)
{
    bool done = CHECK_INT(imp_world_detect(stage->worlds[TRUTH], NULL, &stage->truth), IMP_STATUS_OK);
    uint64_t start = impi_clock_ns();
    done &=
        CHECK_INT(imp_world_detect(stage->worlds[UNLIMITED], &stage->def, &stage->unlimited), IMP_STATUS_OK);
    double took_us = 1e-3 * (double)(impi_clock_ns() - start);
    // A detect that has nothing to do says nothing about those that have.
    stage->full_us = took_us > 50 || stage->full_us == 0 ? took_us : stage->full_us;
    return done && CHECK(!stage->unlimited->budget_spent && stage->unlimited->undecided_count == 0);
}

// Mostly about what the work takes; sometimes anything from 1 us to 20 ms.
static uint64_t random_budget_us(const Stage *stage)
{
    if (test_random_below(4) == 0)
        return (uint64_t)exp(test_random_between(0, log(20000)));
    return 1 + (uint64_t)(stage->full_us * exp2(test_random_between(-5, 2)));
}

static const imp_Report *detect_within(Stage *stage, int subject, uint64_t budget_us)
{
    const imp_Report *report = NULL;
    imp_DetectDef def = stage->def;
    def.budget_us = budget_us;
    if (!CHECK_INT(imp_world_detect(stage->worlds[subject], &def, &report), IMP_STATUS_OK))
        return NULL;
    check_listed(stage, report);
    check_undecided(report);
    check_ruled_out(stage, report);
    check_faces(stage, report);
    check_open_containers(stage, report);
    check_changes(stage, subject, report);
    if (!report->budget_spent)
        check_complete(stage, report);
    ++tally.detects;
    tally.spent += report->budget_spent;
    tally.complete += !report->budget_spent;
    return report;
}

static size_t decided_count(const imp_Report *report)
{
    size_t partial = 0;
    for (size_t i = 0; i < report->body_pair_count; ++i)
        partial += report->body_pairs[i].unanswered != 0;
    return (size_t)report->candidate_body_pairs - report->undecided_count - partial;
}

// At rest, what was decided stays so, and in the end everything is. A budget that does not last for a single
// pair decides none, hence it grows where nothing comes of it.
static void converge(Stage *stage, int subject)
{
    uint64_t budget_us = 1 + (uint64_t)(stage->full_us / 8);
    size_t decided = 0;
    bool goes_on = stage->def.method != IMP_METHOD_SMITH_1994 && stage->def.mode != IMP_DETECT_FIRST &&
                   stage->def.max_face_pairs == 0;
    for (int round = 0; round < 100; ++round) {
        const imp_Report *report = detect_within(stage, subject, budget_us);
        ++tally.rounds;
        if (!report || !report->budget_spent) {
            tally.converged += report != NULL;
            return;
        }
        CHECK(round == 0 || !goes_on || decided_count(report) >= decided);
        if (decided_count(report) <= decided)
            budget_us *= 2;
        decided = decided_count(report);
    }
    CHECK(!"a world at rest never comes to an end");
}

static void run_detects(Stage *stage, uint64_t count)
{
    uint64_t converge_count = 0;
    for (uint64_t i = 0; i < count; i += SUBJECT_COUNT) {
        if (test_random_below(4) == 0 || i == 0)
            stage->def = random_def();
        change_bodies(stage);
        if (!detect_unlimited(stage))
            return;
        for (int subject = 0; subject < SUBJECT_COUNT; ++subject)
            detect_within(stage, subject, random_budget_us(stage));
        if (test_random_below(8) == 0) {
            converge(stage, (int)(++converge_count % SUBJECT_COUNT));
            stage->def = random_def();
        }
    }
}

TEST(what_is_listed_within_a_budget_is_true)
{
    static Stage stage;
    uint64_t count = test_count(DETECT_COUNT);
    stage_make(&stage);
    run_detects(&stage, count);
    stage_destroy(&stage);
    printf("%llu detects: %llu cut short (%llu pairs undecided, %llu for containment only; %llu with some "
           "faces), %llu complete; %llu begun, %llu ended, %llu contacts kept while undecided (%llu of them "
           "over); %llu open containers, %llu solids; %llu came to an end at rest in %llu rounds\n",
           (unsigned long long)tally.detects, (unsigned long long)tally.spent,
           (unsigned long long)tally.undecided, (unsigned long long)tally.open_containment,
           (unsigned long long)tally.partial_faces, (unsigned long long)tally.complete,
           (unsigned long long)tally.begun, (unsigned long long)tally.ended,
           (unsigned long long)tally.kept_contacts, (unsigned long long)tally.late_ends,
           (unsigned long long)tally.open_containers, (unsigned long long)tally.solids,
           (unsigned long long)tally.converged, (unsigned long long)tally.rounds);
    if (count < ENOUGH)
        return;
    CHECK(tally.spent * 5 > tally.detects && tally.complete * 20 > tally.detects);
    CHECK(tally.undecided > tally.spent && tally.partial_faces > 0 && tally.open_containment > 0);
    CHECK(tally.begun > 100 && tally.ended > 100 && tally.open_containers > 0 && tally.solids > 10);
    CHECK(tally.kept_contacts > 100 && tally.late_ends > 10);
    CHECK(tally.converged > 10 && tally.rounds > 2 * tally.converged);
}
