// A clearance that is asked again keeps what it knows of bodies at rest. Two worlds go through the same
// random program; one is asked the same each time, the other something else in between, so that it knows
// nothing: their reports must be the same.
#include "same_distance.h"
#include "sanitizers.h"
#include "world_fixture.h"

#ifdef TEST_UNDER_SANITIZER
#define PROGRAM_COUNT 6
#else
#define PROGRAM_COUNT 14
#endif

#define BODY_COUNT  24
#define SHAPE_COUNT 3

typedef struct Tallies {
    uint64_t listed, begun, ended, replaced, deformed;
} Tallies;

typedef struct Twin {
    imp_World *world;
    imp_BodyId ids[BODY_COUNT];
} Twin;

typedef struct Shapes {
    imp_Mesh *meshes[SHAPE_COUNT];
    imp_Convex *solid;
} Shapes;

static imp_Pose random_place(void)
{
    return (imp_Pose){
        .translation = {test_random_between(-4, 4), test_random_between(-4, 4), test_random_between(-1, 1)}};
}

static imp_BodyDef random_body(const Shapes *shapes)
{
    uint32_t kind = test_random_below(SHAPE_COUNT + 1);
    imp_BodyDef def = {.pose = random_place()};
    if (kind < SHAPE_COUNT)
        def.mesh = shapes->meshes[kind];
    else
        def.convex = shapes->solid;
    return def;
}

// ---- steps, the same in both worlds

static void move(Twin twins[2])
{
    uint32_t body = test_random_below(BODY_COUNT);
    imp_Pose pose = random_place();
    for (int i = 0; i < 2; ++i)
        CHECK_INT(imp_body_set_pose(twins[i].world, twins[i].ids[body], pose), IMP_STATUS_OK);
}

// Another one in the same slot, which has changed as often.
static void replace(Twin twins[2], const Shapes *shapes, Tallies *tallies)
{
    uint32_t body = test_random_below(BODY_COUNT);
    imp_BodyDef def = random_body(shapes);
    for (int i = 0; i < 2; ++i) {
        uint32_t slot = twins[i].ids[body].slot;
        CHECK_INT(imp_world_remove_body(twins[i].world, twins[i].ids[body]), IMP_STATUS_OK);
        CHECK_INT(imp_world_add_body(twins[i].world, &def, &twins[i].ids[body]), IMP_STATUS_OK);
        CHECK_INT(twins[i].ids[body].slot, slot);
    }
    ++tallies->replaced;
}

static void deform(Twin twins[2], Tallies *tallies)
{
    uint32_t body = test_random_below(BODY_COUNT);
    double stretch = test_random_between(0.5, 2);
    for (int i = 0; i < 2; ++i) {
        imp_Mesh *mesh = NULL;
        imp_Convex *convex = NULL;
        CHECK_INT(imp_body_get_convex(twins[i].world, twins[i].ids[body], &convex), IMP_STATUS_OK);
        CHECK_INT(imp_body_get_mesh(twins[i].world, twins[i].ids[body], &mesh), IMP_STATUS_OK);
        if (convex || !mesh)
            return;
        size_t count = imp_mesh_get_vertex_count(mesh);
        imp_Vec3 *vertices = malloc(count * sizeof *vertices);
        if (!CHECK(vertices))
            return;
        for (size_t k = 0; k < count; ++k) {
            vertices[k] = imp_mesh_get_vertices(mesh)[k];
            vertices[k].x *= stretch;
        }
        CHECK_INT(imp_body_set_vertices(twins[i].world, twins[i].ids[body], &vertices->x, count),
                  IMP_STATUS_OK);
        free(vertices);
    }
    ++tallies->deformed;
}

static void ignore(Twin twins[2])
{
    uint32_t a = test_random_below(BODY_COUNT), b = test_random_below(BODY_COUNT);
    bool is_ignored = test_random_below(2) != 0;
    for (int i = 0; i < 2 && a != b; ++i)
        CHECK_INT(imp_world_ignore_pair(twins[i].world, twins[i].ids[a], twins[i].ids[b], is_ignored),
                  IMP_STATUS_OK);
}

static void change(Twin twins[2], const Shapes *shapes, Tallies *tallies)
{
    switch (test_random_below(6)) {
    case 0:
        replace(twins, shapes, tallies);
        break;
    case 1:
        deform(twins, tallies);
        break;
    case 2:
        ignore(twins);
        break;
    case 3: // nothing
        break;
    default:
        move(twins);
        break;
    }
}

// ---- answers

static void compare(const imp_ClearanceReport *one, const imp_ClearanceReport *other, Tallies *tallies)
{
    CHECK_INT(one->candidate_body_pairs, other->candidate_body_pairs);
    if (!CHECK_INT(one->pair_count, other->pair_count) ||
        !CHECK_INT(one->face_pair_count, other->face_pair_count))
        return;
    for (size_t i = 0; i < one->pair_count; ++i) {
        const imp_NearBodies *a = &one->pairs[i], *b = &other->pairs[i];
        CHECK(a->body_a.slot == b->body_a.slot && a->body_b.slot == b->body_b.slot &&
              a->body_a.generation == b->body_a.generation && a->body_b.generation == b->body_b.generation);
        CHECK(same_distance(&a->distance, &b->distance));
    }
    for (size_t i = 0; i < one->face_pair_count; ++i)
        CHECK(memcmp(&one->face_pairs[i], &other->face_pairs[i], sizeof *one->face_pairs) == 0);
    tallies->listed += one->pair_count;
    tallies->begun += one->begun_count;
    tallies->ended += one->ended_count;
}

static void ask(const Twin twins[2], double distance, Tallies *tallies)
{
    const imp_ClearanceReport *reports[2] = {NULL, NULL}, *between = NULL;
    imp_ClearanceDef def = {.distance = distance, .face_pairs = test_random_below(4) == 0};
    imp_ClearanceDef other = {.distance = 3 * distance + 1};
    CHECK_INT(imp_world_clearance(twins[1].world, &other, &between), IMP_STATUS_OK);
    for (int i = 0; i < 2; ++i)
        if (!CHECK_INT(imp_world_clearance(twins[i].world, &def, &reports[i]), IMP_STATUS_OK))
            return;
    compare(reports[0], reports[1], tallies);
}

static void run_program(imp_Context *context, const Shapes *shapes, Tallies *tallies)
{
    Twin twins[2];
    double distance = test_random_between(0, 1);
    for (int i = 0; i < 2; ++i)
        CHECK_INT(imp_world_create(context, NULL, &twins[i].world), IMP_STATUS_OK);
    for (int k = 0; k < BODY_COUNT; ++k) {
        imp_BodyDef def = random_body(shapes);
        for (int i = 0; i < 2; ++i)
            CHECK_INT(imp_world_add_body(twins[i].world, &def, &twins[i].ids[k]), IMP_STATUS_OK);
    }
    for (int step = 0; step < 20 && test_failed_checks() == 0; ++step) {
        for (uint32_t left = test_random_below(3); left > 0; --left)
            change(twins, shapes, tallies);
        if (test_random_below(12) == 0)
            distance = test_random_between(0, 1);
        ask(twins, distance, tallies);
    }
    for (int i = 0; i < 2; ++i)
        imp_world_destroy(twins[i].world);
}

TEST(what_is_kept_is_what_would_be_found)
{
    uint64_t count = test_count(PROGRAM_COUNT);
    Tallies tallies = {0};
    imp_Context *context = context_with_threads(2);
    Shapes shapes = {.meshes = {sphere(context, 0.7), cube(context, 0.5), sphere(context, 2)}};
    CHECK_INT(imp_convex_create_from_mesh(context, shapes.meshes[1], &shapes.solid), IMP_STATUS_OK);
    for (uint64_t i = 0; i < count && test_failed_checks() == 0; ++i)
        run_program(context, &shapes, &tallies);
    printf("  %llu listed, %llu begun, %llu ended, %llu replaced, %llu deformed\n",
           (unsigned long long)tallies.listed, (unsigned long long)tallies.begun,
           (unsigned long long)tallies.ended, (unsigned long long)tallies.replaced,
           (unsigned long long)tallies.deformed);
    CHECK(tallies.listed > 20 * count && tallies.begun < tallies.listed / 2);
    CHECK(tallies.ended > count && tallies.replaced > count / 2 && tallies.deformed > count / 4);
    for (int i = 0; i < SHAPE_COUNT; ++i)
        imp_mesh_release(shapes.meshes[i]);
    imp_convex_release(shapes.solid);
    imp_context_destroy(context);
}
