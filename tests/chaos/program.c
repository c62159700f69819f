#include "program.h"

#include "broad_model.h"
#include "call.h"
#include "patterns.h"
#include "steps.h"
#include "world_lane.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_LANES       3
#define LEAST_STEPS     40
#define MORE_STEPS      200
#define MOST_IN_A_ROW   12
#define MOST_BYTE_STEPS 400

typedef struct Program {
    Shelf shelf;
    atomic_uint_fast64_t failure_count;
    Lane *lanes[MAX_LANES];
    size_t lane_count;
} Program;

static Program *running;

// ---- the shelf

static imp_Mesh *copy_pattern(imp_Context *context, Pattern number)
{
    const imp_Mesh *pattern = pattern_mesh(number);
    imp_Mesh *mesh = NULL;
    imp_MeshDef def = {.vertices = &imp_mesh_get_vertices(pattern)->x,
                       .vertex_count = imp_mesh_get_vertex_count(pattern),
                       .indices = imp_mesh_get_indices(pattern),
                       .triangle_count = imp_mesh_get_triangle_count(pattern)};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

// The context goes at once: shapes may stay longer.
static void fill_shelf(Shelf *shelf, Choices *choices, atomic_uint_fast64_t *failure_count)
{
    imp_Context *context = NULL;
    memory_init(&shelf->memory, failure_count);
    imp_ContextDef def = {.allocator = memory_hooks(&shelf->memory)};
    CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
    for (int i = 0; i < MAX_SHARED; ++i) {
        imp_Mesh *surface = copy_pattern(context, (Pattern)choose(choices, CONVEX_PATTERNS));
        shelf->meshes[i] = copy_pattern(context, (Pattern)choose(choices, PATTERN_COUNT));
        CHECK_INT(imp_convex_create_from_mesh(context, surface, &shelf->convexes[i]), IMP_STATUS_OK);
        imp_mesh_release(surface);
    }
    const char *path = pattern_gltf(choose(choices, GLTF_PATTERNS))->path;
    CHECK_INT(imp_scene_load(context, path, &shelf->scene), IMP_STATUS_OK);
    imp_context_destroy(context);
}

static void empty_shelf(Shelf *shelf)
{
    for (int i = 0; i < MAX_SHARED; ++i) {
        imp_mesh_release(shelf->meshes[i]);
        imp_convex_release(shelf->convexes[i]);
    }
    imp_scene_destroy(shelf->scene);
}

// ---- lanes

typedef void (*Step)(Lane *lane);

// Worlds have the most states to be in, and cost little.
static const struct {
    Step step;
    uint32_t share;
} shares[] = {{step_world, 14}, {step_broad, 5}, {step_mesh, 2},    {step_convex, 2}, {step_base, 3},
              {step_math, 1},   {step_sweep, 1}, {step_pairs, 1},   {step_files, 1},  {step_scene, 1},
              {step_query, 1},  {step_large, 1}, {step_spheres, 1}, {step_octrees, 2}};

static Step choose_step(Choices *choices)
{
    uint32_t total = 0, kind = 0;
    for (size_t i = 0; i < sizeof shares / sizeof *shares; ++i)
        total += shares[i].share;
    for (uint32_t left = choose(choices, total); left >= shares[kind].share; ++kind)
        left -= shares[kind].share;
    return shares[kind].step;
}

static Lane *lane_create(Program *program, Choices choices)
{
    Lane *lane = calloc(1, sizeof *lane);
    if (!lane)
        abort();
    lane->choices = choices;
    lane->shelf = &program->shelf;
    lane->failure_count = &program->failure_count;
    CHECK_INT(imp_context_create(NULL, &lane->reference), IMP_STATUS_OK);
    return lane;
}

void end_lane(Lane *lane)
{
    for (int i = 0; i < MAX_QUERIES; ++i)
        if (lane->queries[i].query)
            end_query(lane, i);
    for (int i = 0; i < MAX_HOMES; ++i)
        if (lane->homes[i].context)
            end_home(lane, &lane->homes[i]);
    end_shapes(lane);
    imp_context_destroy(lane->reference);
}

static void *lane_run(void *argument)
{
    Lane *lane = argument;
    Choices *choices = &lane->choices;
    uint32_t count = choices->bytes ? MOST_BYTE_STEPS : LEAST_STEPS + choose(choices, MORE_STEPS);
    int failed = test_failed_checks();
    while (!step_make_context(lane)) {
    }
    // The same kind several times in a row, so that worlds fill before they are asked.
    while (count > 0 && !choices_have_ended(choices)) {
        Step step = choose_step(choices);
        for (uint32_t run = 1 + choose(choices, MOST_IN_A_ROW); run > 0 && count > 0; --run, --count)
            if (test_failed_checks() == failed)
                step(lane);
    }
    trace_add(&lane->trace, "---- the lane ends%s", test_failed_checks() == failed ? "" : ": a check failed");
    if (lane->is_alone && lane->is_timed && choose_rarely(choices, 16))
        step_fork(lane);
    end_lane(lane);
    return NULL;
}

static void run_lanes(Program *program)
{
    pthread_t threads[MAX_LANES];
    bool is_running[MAX_LANES] = {false};
    for (size_t i = 1; i < program->lane_count; ++i)
        is_running[i] = CHECK(pthread_create(&threads[i], NULL, lane_run, program->lanes[i]) == 0);
    lane_run(program->lanes[0]);
    for (size_t i = 1; i < program->lane_count; ++i)
        if (is_running[i])
            pthread_join(threads[i], NULL);
}

// Nothing is live, nothing was given back wrongly.
static void check_memory(const Memory *memory, const char *whose)
{
    if (!CHECK(failing_allocator_is_clean(&memory->counted)))
        printf("  memory of %s: %zu blocks of %zu bytes are live, %d mistakes\n", whose,
               (size_t)memory->counted.live_blocks, (size_t)memory->counted.live_bytes,
               (int)memory->counted.mistakes);
}

static void lane_free(Lane *lane, Tally *tally)
{
    tally_add(tally, &lane->tally);
    for (size_t i = 0; i < lane->memory_count; ++i) {
        check_memory(lane->memories[i], "a lane");
        free(lane->memories[i]);
    }
    if (lane->folder[0])
        remove_folder(lane->folder);
    free(lane->file);
}

// ---- the whole

void program_print_traces(void)
{
    for (size_t i = 0; running && i < running->lane_count; ++i) {
        printf("  the last calls of lane %zu:\n", i);
        trace_print(&running->lanes[i]->trace);
    }
}

static bool run(Program *program, bool is_timed, Tally *tally)
{
    int failed = test_failed_checks();
    running = program;
    for (size_t i = 0; i < program->lane_count; ++i) {
        program->lanes[i]->is_timed = is_timed;
        program->lanes[i]->is_alone = program->lane_count == 1;
    }
    run_lanes(program);
    empty_shelf(&program->shelf);
    check_memory(&program->shelf.memory, "the shelf");
    for (size_t i = 0; i < program->lane_count; ++i)
        lane_free(program->lanes[i], tally);
    ++tally->programs;
    bool is_fine = test_failed_checks() == failed;
    if (!is_fine)
        program_print_traces();
    running = NULL;
    for (size_t i = 0; i < program->lane_count; ++i)
        free(program->lanes[i]);
    free(program);
    return is_fine;
}

static Program *program_create(Choices *choices)
{
    Program *program = calloc(1, sizeof *program);
    if (!program)
        abort();
    fill_shelf(&program->shelf, choices, &program->failure_count);
    return program;
}

bool program_run_seed(uint64_t seed, Tally *tally)
{
    Choices choices = choices_from_seed(seed);
    Program *program = program_create(&choices);
    program->lane_count = choose_rarely(&choices, 6) ? 2 + choose(&choices, MAX_LANES - 1) : 1;
    for (size_t i = 0; i < program->lane_count; ++i)
        program->lanes[i] = lane_create(program, choices_from_seed(choose_bits(&choices)));
    return run(program, true, tally);
}

bool program_run_bytes(const uint8_t *bytes, size_t size, Tally *tally)
{
    Choices choices = choices_from_bytes(bytes, size);
    Program *program = program_create(&choices);
    program->lane_count = 1;
    program->lanes[0] = lane_create(program, choices);
    return run(program, false, tally);
}
