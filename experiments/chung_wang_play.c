#include "chung_wang_play.h"

#include "chung_wang_separating_vector.h"

#include "bench/convex_peers.h"

#include <stdlib.h>
#include <string.h>

// Where rounding decides in the paper's form.
#define NEAR_CONTACT 1e-9

#if IMPINGE_EXPERIMENTS_CCD
const bool chung_wang_has_gjk = true;
static const ConvexPeer *const gjk = &ccd_gjk_convex;
#else
const bool chung_wang_has_gjk = false;
static const ConvexPeer *const gjk = NULL;
#endif

// All that one play needs. Arrays of pairs have room for all pairs of bodies, by slot or by their number in
// the frame.
typedef struct Play {
    ExperimentRun *run;
    SceneConvexBox *box;
    size_t body_count;
    uint32_t *last_frames; // by slot: when boxes overlapped last, counting from 1
    ChungWangCache *caches;
    imp_ConvexState *states;
    ChungWangBody **bodies;
    ConvexBody *gjk_bodies;
    void *gjk_state;
    ChungWangAnswer *answers; // by number
    bool *gjk_touch, *touch;
    bool *is_colliding; // by body
    ChungWangTally *tally;
} Play;

static bool play_create(Play *play, const SceneConvexBoxDef *def)
{
    size_t count = def->body_count, slots = count * count;
    play->body_count = count;
    play->last_frames = calloc(slots, sizeof *play->last_frames);
    play->caches = calloc(slots, sizeof *play->caches);
    play->states = calloc(slots, sizeof *play->states);
    play->bodies = calloc(count, sizeof *play->bodies);
    play->gjk_bodies = calloc(count, sizeof *play->gjk_bodies);
    play->answers = calloc(slots, sizeof *play->answers);
    play->gjk_touch = calloc(slots, 1);
    play->touch = calloc(slots, 1);
    play->is_colliding = calloc(count, 1);
    if (!play->last_frames || !play->caches || !play->states || !play->bodies || !play->gjk_bodies ||
        !play->answers || !play->gjk_touch || !play->touch || !play->is_colliding ||
        scene_convex_box_create(play->run->context, def, &play->box) != IMP_STATUS_OK)
        return false;
    for (size_t i = 0; i < count; ++i) {
        imp_Convex *convex = play->box->bodies[i].convex;
        const imp_Mesh *mesh = imp_convex_get_mesh(convex);
        play->gjk_bodies[i] = (ConvexBody){imp_mesh_get_vertices(mesh), imp_mesh_get_vertex_count(mesh),
                                           imp_mesh_get_indices(mesh), imp_mesh_get_triangle_count(mesh)};
        if (chung_wang_body_create(play->run->context, convex, &play->bodies[i]) != IMP_STATUS_OK)
            return false;
    }
    if (gjk)
        play->gjk_state = gjk->open(play->gjk_bodies, count);
    return true;
}

static void play_free(Play *play)
{
    if (play->gjk_state)
        gjk->close(play->gjk_state);
    for (size_t i = 0; play->bodies && i < play->body_count; ++i)
        chung_wang_body_destroy(play->bodies[i]);
    scene_convex_box_destroy(play->box);
    free(play->last_frames);
    free(play->caches);
    free(play->states);
    free(play->bodies);
    free(play->gjk_bodies);
    free(play->answers);
    free(play->gjk_touch);
    free(play->touch);
    free(play->is_colliding);
}

static imp_ConvexPair pair_of(const SceneConvexBox *box, imp_IndexPair pair)
{
    return (imp_ConvexPair){box->bodies[pair.a].convex, box->bodies[pair.b].convex, box->poses[pair.a],
                            box->poses[pair.b]};
}

// Pairs whose boxes begin to overlap are known to nobody.
static void forget_strangers(Play *play, uint32_t frame)
{
    const SceneConvexBox *box = play->box;
    for (size_t i = 0; i < box->pair_count; ++i) {
        size_t slot = convex_pair_slot(box->pairs[i], play->body_count);
        if (play->last_frames[slot] == 0 || play->last_frames[slot] != frame - 1) {
            play->caches[slot] = (ChungWangCache){0};
            play->states[slot] = (imp_ConvexState){0};
            if (gjk)
                gjk->forget(play->gjk_state, box->pairs[i]);
        }
        play->last_frames[slot] = frame;
    }
}

static void test_all(Play *play)
{
    const SceneConvexBox *box = play->box;
    double start = experiment_processor_ns();
    for (size_t i = 0; i < box->pair_count; ++i) {
        uint32_t a = box->pairs[i].a, b = box->pairs[i].b;
        ChungWangPair pair = {play->bodies[a], play->bodies[b], &box->transforms[a], &box->transforms[b]};
        size_t slot = convex_pair_slot(box->pairs[i], play->body_count);
        play->answers[i] = chung_wang_test(&pair, &play->caches[slot], NULL);
    }
    double paper = experiment_processor_ns();
    for (size_t i = 0; i < box->pair_count; ++i) {
        imp_ConvexPair pair = pair_of(box, box->pairs[i]);
        imp_ConvexResult result = {0};
        imp_ConvexState *state = &play->states[convex_pair_slot(box->pairs[i], play->body_count)];
        if (imp_convex_test(play->run->context, state, &pair, &result) != IMP_STATUS_OK)
            experiment_fail(play->run, "%s", imp_context_get_error(play->run->context)->message);
        play->touch[i] = result.touch;
    }
    double ours = experiment_processor_ns();
    if (gjk)
        gjk->test(play->gjk_state, box->pairs, box->pair_count, play->gjk_touch);
    play->tally->ns[CHUNG_WANG_PAPER] += paper - start;
    play->tally->ns[CHUNG_WANG_OURS] += ours - paper;
    play->tally->ns[CHUNG_WANG_GJK] += experiment_processor_ns() - ours;
}

static bool is_near_contact(Play *play, const imp_ConvexPair *pair)
{
    imp_ConvexDistance distance = {0};
    return imp_convex_distance(play->run->context, NULL, pair, NULL, &distance) == IMP_STATUS_OK &&
           (distance.touch ? distance.depth : distance.distance) < NEAR_CONTACT;
}

static void count_test(Play *play, size_t i)
{
    ChungWangTally *tally = play->tally;
    const ChungWangAnswer *answer = &play->answers[i];
    imp_ConvexPair pair = pair_of(play->box, play->box->pairs[i]);
    bool touch = play->touch[i];
    uint32_t steps = answer->step_count < CHUNG_WANG_MAX_STEPS ? answer->step_count : CHUNG_WANG_MAX_STEPS;
    if (answer->verdict == CHUNG_WANG_UNDECIDED)
        ++tally->undecided;
    else if (touch != (answer->verdict == CHUNG_WANG_COLLIDING) && !is_near_contact(play, &pair))
        experiment_fail(play->run, "the paper's method is wrong about bodies %u and %u",
                        play->box->pairs[i].a, play->box->pairs[i].b);
    ++*(touch ? &tally->colliding : &tally->separate);
    ++(touch ? tally->colliding_steps : tally->separate_steps)[steps];
    tally->recurrences += !touch && answer->has_recurred;
    tally->gjk_differs += gjk && play->gjk_touch[i] != touch;
}

bool chung_wang_play(ExperimentRun *run, const SceneConvexBoxDef *def, uint32_t frame_count,
                     ChungWangTally *tally)
{
    Play play = {.run = run, .tally = tally};
    *tally = (ChungWangTally){0};
    if (!play_create(&play, def))
        experiment_fail(run, "out of memory");
    for (uint32_t frame = 1; frame <= frame_count && !run->has_failed; ++frame) {
        forget_strangers(&play, frame);
        if (gjk)
            gjk->pose(play.gjk_state, play.box->poses, play.box->transforms);
        test_all(&play);
        memset(play.is_colliding, 0, play.body_count);
        for (size_t i = 0; i < play.box->pair_count; ++i) {
            count_test(&play, i);
            if (play.touch[i])
                play.is_colliding[play.box->pairs[i].a] = play.is_colliding[play.box->pairs[i].b] = true;
        }
        if (scene_convex_box_step(run->context, play.box, play.is_colliding) != IMP_STATUS_OK)
            experiment_fail(run, "%s", imp_context_get_error(run->context)->message);
    }
    play_free(&play);
    return !run->has_failed;
}

static double share_within(const uint64_t *a, const uint64_t *b, uint32_t steps)
{
    uint64_t within = 0, all = 0;
    for (uint32_t k = 0; k <= CHUNG_WANG_MAX_STEPS; ++k) {
        uint64_t count = a[k] + (b ? b[k] : 0);
        all += count;
        within += k <= steps ? count : 0;
    }
    return all ? 100 * (double)within / (double)all : 0;
}

double chung_wang_separate_within(const ChungWangTally *tally, uint32_t steps)
{
    return share_within(tally->separate_steps, NULL, steps);
}

double chung_wang_all_within(const ChungWangTally *tally, uint32_t steps)
{
    return share_within(tally->separate_steps, tally->colliding_steps, steps);
}

uint32_t chung_wang_worst(const ChungWangTally *tally, uint64_t *count)
{
    for (uint32_t k = CHUNG_WANG_MAX_STEPS; k > 0; --k) {
        *count = tally->separate_steps[k] + tally->colliding_steps[k];
        if (*count)
            return k;
    }
    return 0;
}
