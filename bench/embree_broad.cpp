// Embree's rtcCollide of a scene of user geometry with itself. It reports pairs of primitives of leaves that
// overlap, so the boxes are compared here.
#include "broad_peers.h"

#include <embree3/rtcore.h>

namespace
{

struct State {
    RTCDevice device;
    RTCScene scene;
    RTCGeometry geometry;
    const float *boxes;
    size_t count;
    PeerPairs *out;
};

void get_bounds(const RTCBoundsFunctionArguments *arguments)
{
    const State *state = static_cast<const State *>(arguments->geometryUserPtr);
    const float *box = state->boxes + 6 * size_t(arguments->primID);
    RTCBounds *bounds = arguments->bounds_o;
    bounds->lower_x = box[0];
    bounds->lower_y = box[1];
    bounds->lower_z = box[2];
    bounds->upper_x = box[3];
    bounds->upper_y = box[4];
    bounds->upper_z = box[5];
}

void take_collisions(void *user, RTCCollision *collisions, unsigned count)
{
    State *state = static_cast<State *>(user);
    for (unsigned i = 0; i < count; ++i) {
        unsigned a = collisions[i].primID0, b = collisions[i].primID1;
        if (a < b && peer_boxes_overlap(state->boxes + 6 * size_t(a), state->boxes + 6 * size_t(b)))
            peer_pairs_add(state->out, a, b);
    }
}

void make_scene(State *state, RTCBuildQuality quality)
{
    state->scene = rtcNewScene(state->device);
    rtcSetSceneBuildQuality(state->scene, RTC_BUILD_QUALITY_LOW);
    rtcSetSceneFlags(state->scene, RTC_SCENE_FLAG_DYNAMIC);
    state->geometry = rtcNewGeometry(state->device, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryBuildQuality(state->geometry, quality);
    rtcSetGeometryUserPrimitiveCount(state->geometry, unsigned(state->count));
    rtcSetGeometryUserData(state->geometry, state);
    rtcSetGeometryBoundsFunction(state->geometry, get_bounds, nullptr);
    rtcCommitGeometry(state->geometry);
    rtcAttachGeometry(state->scene, state->geometry);
    rtcReleaseGeometry(state->geometry);
    rtcCommitScene(state->scene);
}

void *open_device(const float *boxes, size_t count)
{
    return new State{rtcNewDevice("threads=1,set_affinity=0"), nullptr, nullptr, boxes, count, nullptr};
}

void close_device(void *argument)
{
    State *state = static_cast<State *>(argument);
    if (state->scene)
        rtcReleaseScene(state->scene);
    rtcReleaseDevice(state->device);
    delete state;
}

void scratch(void *argument, const float *boxes, PeerPairs *out)
{
    State *state = static_cast<State *>(argument);
    state->boxes = boxes;
    state->out = out;
    make_scene(state, RTC_BUILD_QUALITY_LOW);
    rtcCollide(state->scene, state->scene, take_collisions, state);
    rtcReleaseScene(state->scene);
    state->scene = nullptr;
}

void update(State *state, RTCBuildQuality quality, const float *boxes, PeerPairs *out)
{
    state->boxes = boxes;
    state->out = out;
    if (state->scene) {
        rtcCommitGeometry(state->geometry);
        rtcCommitScene(state->scene);
    } else {
        make_scene(state, quality);
    }
    rtcCollide(state->scene, state->scene, take_collisions, state);
}

void rebuild(void *state, const float *boxes, PeerPairs *out)
{
    update(static_cast<State *>(state), RTC_BUILD_QUALITY_LOW, boxes, out);
}

void refit(void *state, const float *boxes, PeerPairs *out)
{
    update(static_cast<State *>(state), RTC_BUILD_QUALITY_REFIT, boxes, out);
}

} // namespace

extern "C" const BroadPeer embree_broad = {"embree", open_device, close_device, scratch, rebuild};
extern "C" const BroadPeer embree_refit_broad = {"embree-refit", open_device, close_device, nullptr, refit};
