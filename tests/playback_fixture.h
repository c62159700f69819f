/// A motion made for tests of playbacks, and how what is played is compared.
#ifndef IMPINGE_TESTS_PLAYBACK_FIXTURE_H
#define IMPINGE_TESTS_PLAYBACK_FIXTURE_H

#include "playback/playback.h"
#include "reports.h"
#include "world_fixture.h"

#define PARADE_FRAMES 21

// ---- a motion: a ball flies through a post and past a lung, which breathes until it touches the post

typedef struct Parade {
    imp_Mesh *post, *ball, *lung;
    uint32_t broken_frame; // there the ball is too far away for a number; none when beyond the last
} Parade;

enum { POST, BALL, LUNG, PARADE_BODIES };

static inline Parade parade_make(imp_Context *context)
{
    return (Parade){cube(context, 1), sphere(context, 0.4), sphere(context, 1), UINT32_MAX};
}

static inline void parade_free(Parade *parade)
{
    imp_mesh_release(parade->post);
    imp_mesh_release(parade->ball);
    imp_mesh_release(parade->lung);
}

static inline impi_MotionBody parade_body(const void *source, size_t index)
{
    const Parade *parade = source;
    const impi_MotionBody bodies[PARADE_BODIES] = {{.name = "post", .mesh = parade->post},
                                                   {.name = "ball", .mesh = parade->ball},
                                                   {.name = "lung", .mesh = parade->lung, .deforms = true}};
    return bodies[index];
}

static inline imp_Status parade_place(const impi_Motion *motion, uint32_t frame, size_t body, imp_Pose *pose,
                                      imp_Vec3 *vertices)
{
    const Parade *parade = motion->source;
    *pose = (imp_Pose){0};
    if (body == BALL && frame == parade->broken_frame)
        return IMP_STATUS_BAD_NUMBER;
    if (body == BALL)
        pose->translation = (imp_Vec3){0.25 * frame - 2.5, 0.1, 0};
    if (body == LUNG) {
        double radius = 1 + (frame < 10 ? 0.1 * frame : 0.1 * (20 - (double)frame));
        pose->translation = (imp_Vec3){0.2, 2.6, 0};
        for (size_t i = 0; vertices && i < imp_mesh_get_vertex_count(parade->lung); ++i) {
            imp_Vec3 v = imp_mesh_get_vertices(parade->lung)[i];
            vertices[i] = (imp_Vec3){radius * v.x, radius * v.y, radius * v.z};
        }
    }
    return IMP_STATUS_OK;
}

static inline impi_PlaybackDef parade_def(const Parade *parade)
{
    return (impi_PlaybackDef){.motion = {.body_count = PARADE_BODIES,
                                         .frame_count = PARADE_FRAMES,
                                         .frame_rate = 10,
                                         .source = parade,
                                         .body = parade_body,
                                         .place = parade_place}};
}

static inline impi_Playback *open_parade(imp_Context *context, const Parade *parade)
{
    impi_Playback *playback = NULL;
    impi_PlaybackDef def = parade_def(parade);
    CHECK_INT(impi_playback_open(context, &def, &playback), IMP_STATUS_OK);
    return playback;
}

// ---- comparing

// A frame says what a report says.
static inline bool is_report(const impi_PlayedFrame *frame, const imp_Report *report)
{
    bool same = frame->is_played && frame->pair_count == report->body_pair_count &&
                frame->face_pair_count == report->face_pair_count &&
                frame->open_container_count == report->open_container_count;
    for (size_t i = 0, next = 0; same && i < frame->pair_count; ++i) {
        const impi_PlayedPair *pair = &frame->pairs[i];
        const imp_BodyPair *found = &report->body_pairs[i];
        same = pair->body_a + 1 == found->body_a.slot && pair->body_b + 1 == found->body_b.slot &&
               pair->relations == found->relations && pair->first_face_pair == next;
        for (size_t k = 0; same && k < pair->face_pair_count; ++k, ++next)
            same = report->face_pairs[next].body_a.slot == pair->body_a + 1 &&
                   report->face_pairs[next].body_b.slot == pair->body_b + 1 &&
                   report->face_pairs[next].face_a == frame->face_pairs[next].face_a &&
                   report->face_pairs[next].face_b == frame->face_pairs[next].face_b;
    }
    for (size_t i = 0; same && i < frame->open_container_count; ++i)
        same = frame->open_containers[i].inner + 1 == report->open_containers[i].inner.slot &&
               frame->open_containers[i].outer + 1 == report->open_containers[i].outer.slot;
    return same;
}

// How many faces of a take part, counted slowly.
static inline uint32_t count_faces_a(const impi_PlayedFrame *frame, const impi_PlayedPair *pair)
{
    uint32_t count = 0;
    const imp_FacePair *faces = frame->face_pairs + pair->first_face_pair;
    for (size_t i = 0; i < pair->face_pair_count; ++i) {
        bool is_new = true;
        for (size_t k = 0; k < i; ++k)
            is_new = is_new && faces[k].face_a != faces[i].face_a;
        count += is_new;
    }
    return count;
}

// A frame is what a world of its own finds in it.
static inline void check_frame(const impi_Motion *motion, uint32_t number, const impi_PlayedFrame *frame)
{
    Fixture f = fixture_make();
    imp_Vec3 vertices[MAX_LISTED_PAIRS];
    for (size_t i = 0; i < motion->body_count; ++i) {
        impi_MotionBody source = impi_motion_body(motion, i);
        imp_BodyDef def = {.mesh = source.mesh};
        imp_BodyId id;
        size_t count = imp_mesh_get_vertex_count(source.mesh);
        CHECK_INT(impi_motion_place(f.context, motion, number, i, &def.pose, vertices), IMP_STATUS_OK);
        CHECK_INT(imp_world_add_body(f.world, &def, &id), IMP_STATUS_OK);
        if (source.deforms)
            CHECK_INT(imp_body_set_vertices(f.world, id, &vertices->x, count), IMP_STATUS_OK);
    }
    CHECK(is_report(frame, detect(f.world)));
    for (size_t i = 0; i < frame->pair_count; ++i)
        CHECK_INT(frame->pairs[i].touching_faces_a, count_faces_a(frame, &frame->pairs[i]));
    fixture_destroy(&f);
}

static inline bool same_pairs(const impi_PlayedPair *a, const impi_PlayedPair *b)
{
    return a->body_a == b->body_a && a->body_b == b->body_b && a->relations == b->relations &&
           a->touching_faces_a == b->touching_faces_a && a->touching_faces_b == b->touching_faces_b &&
           a->first_face_pair == b->first_face_pair && a->face_pair_count == b->face_pair_count;
}

static inline bool same_frames(const impi_PlayedFrame *a, const impi_PlayedFrame *b)
{
    bool same = a->is_played == b->is_played && a->pair_count == b->pair_count &&
                a->face_pair_count == b->face_pair_count &&
                a->open_container_count == b->open_container_count;
    for (size_t i = 0; same && i < a->pair_count; ++i)
        same = same_pairs(&a->pairs[i], &b->pairs[i]);
    return same && are_same_bytes(a->face_pairs, b->face_pairs, a->face_pair_count * sizeof *a->face_pairs) &&
           are_same_bytes(a->open_containers, b->open_containers,
                          a->open_container_count * sizeof *a->open_containers);
}

static inline void play_all(impi_Playback *playback)
{
    for (uint32_t i = 0; i < impi_playback_get_motion(playback)->frame_count; ++i)
        CHECK_INT(impi_playback_step(playback, i, NULL), IMP_STATUS_OK);
}

#endif
