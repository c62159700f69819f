/// The scenes of the area `distance`: two bodies and the questions about them.
#ifndef IMPINGE_BENCH_DISTANCE_SCENE_H
#define IMPINGE_BENCH_DISTANCE_SCENE_H

#include "bench.h"
#include "distance_peers.h"

#define DISTANCE_MAX_QUESTIONS 200
#define DISTANCE_POSE_COUNT    20 // of scenes with random rotations
#define DISTANCE_SHAPE_COUNT   2

typedef struct DistanceScene {
    const char *name, *regime;
    DistancePair pair;
    double width; ///< of b
    imp_Pose poses[DISTANCE_MAX_QUESTIONS];
    imp_Vec3 directions[DISTANCE_POSE_COUNT]; ///< from the middle of a to that of b, where they are random
    size_t pose_count;
    double at_most[DISTANCE_MAX_QUESTIONS];
    bool has_limits; ///< `at_most` is asked
    /// Deforming: question i is about shape i of both bodies, and the first pose. Otherwise null.
    imp_Vec3 *shapes[DISTANCE_SHAPE_COUNT];
    const DistancePeer *ruler; ///< tells what is right
    void *ruler_state;
    DistanceAnswer expected[DISTANCE_MAX_QUESTIONS]; ///< by the ruler
} DistanceScene;

/// Take references, and open the ruler.
void distance_scene_open(DistanceScene *scene, DistancePair pair, const DistancePeer *ruler);
void distance_scene_close(DistanceScene *scene);

/// Random rotations of b, each moved from afar in a random direction until it is `gap` widths from a, or
/// a thousandth of that more.
void distance_scene_scatter(DistanceScene *scene, double gap, uint64_t seed);

/// b turns slowly and slides along a, one width in all, at a distance of `gap` widths, to a hundredth of it.
void distance_scene_slide(DistanceScene *scene, double gap);

/// b stays nearly where a is: its middle moves by up to `radius`, and it turns at random.
void distance_scene_shake(DistanceScene *scene, size_t pose_count, double radius, uint64_t seed);

/// Both bodies have a second shape, a ten thousandth of the width off the first.
void distance_scene_deform(DistanceScene *scene);

/// Ask for a limit a thousandth above and below the distance by turns. After distance_scene_expect.
void distance_scene_limit(DistanceScene *scene);

/// Ask the ruler, and the oracle about the first question. Stops the program where they differ.
void distance_scene_expect(DistanceScene *scene);

/// What a run of a system asks. `most` is the peer's most_questions.
size_t distance_scene_count(const DistanceScene *scene, size_t most);
void distance_scene_ask(const DistanceScene *scene, const DistancePeer *peer, void *state,
                        DistanceAnswer *answers);

/// Triangles of a mesh where a pose puts them; to be freed.
imp_Triangle *distance_scene_triangles(const imp_Mesh *mesh, const imp_Pose *pose);

#endif
