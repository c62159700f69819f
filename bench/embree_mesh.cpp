#include "mesh_peers.h"

#include <embree3/rtcore.h>

#include <cmath>
#include <vector>

namespace
{

struct Side {
    std::vector<imp_Triangle> triangles;
    RTCScene scene;
};

struct State {
    RTCDevice device;
    Side a, b;
    imp_FacePair *pairs;
    size_t capacity, count;
};

// Rounded outward by one step, so that nothing is lost.
float below(double x)
{
    return std::nextafter(float(x), -INFINITY);
}

float above(double x)
{
    return std::nextafter(float(x), INFINITY);
}

void get_bounds(const RTCBoundsFunctionArguments *arguments)
{
    const imp_Vec3 *v = static_cast<const Side *>(arguments->geometryUserPtr)->triangles[arguments->primID].v;
    RTCBounds *bounds = arguments->bounds_o;
    bounds->lower_x = below(std::fmin(std::fmin(v[0].x, v[1].x), v[2].x));
    bounds->lower_y = below(std::fmin(std::fmin(v[0].y, v[1].y), v[2].y));
    bounds->lower_z = below(std::fmin(std::fmin(v[0].z, v[1].z), v[2].z));
    bounds->upper_x = above(std::fmax(std::fmax(v[0].x, v[1].x), v[2].x));
    bounds->upper_y = above(std::fmax(std::fmax(v[0].y, v[1].y), v[2].y));
    bounds->upper_z = above(std::fmax(std::fmax(v[0].z, v[1].z), v[2].z));
}

void make_scene(RTCDevice device, Side *side)
{
    side->scene = rtcNewScene(device);
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry, unsigned(side->triangles.size()));
    rtcSetGeometryUserData(geometry, side);
    rtcSetGeometryBoundsFunction(geometry, get_bounds, nullptr);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(side->scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(side->scene);
}

void *create(const imp_Triangle *a, size_t a_count, const imp_Triangle *b, size_t b_count)
{
    State *state = new State{rtcNewDevice("threads=1,set_affinity=0"),
                             {{a, a + a_count}, nullptr},
                             {{b, b + b_count}, nullptr},
                             nullptr,
                             0,
                             0};
    make_scene(state->device, &state->a);
    make_scene(state->device, &state->b);
    return state;
}

void destroy(void *argument)
{
    State *state = static_cast<State *>(argument);
    rtcReleaseScene(state->a.scene);
    rtcReleaseScene(state->b.scene);
    rtcReleaseDevice(state->device);
    delete state;
}

void take_collisions(void *user, RTCCollision *collisions, unsigned count)
{
    State *state = static_cast<State *>(user);
    for (unsigned i = 0; i < count; ++i) {
        bool touch = false;
        imp_triangles_touch(&state->a.triangles[collisions[i].primID0],
                            &state->b.triangles[collisions[i].primID1], &touch);
        if (touch && state->count < state->capacity)
            state->pairs[state->count] = imp_FacePair{collisions[i].primID0, collisions[i].primID1};
        state->count += touch;
    }
}

size_t collide(void *argument, imp_FacePair *pairs, size_t capacity)
{
    State *state = static_cast<State *>(argument);
    state->pairs = pairs;
    state->capacity = capacity;
    state->count = 0;
    rtcCollide(state->a.scene, state->b.scene, take_collisions, state);
    return state->count;
}

} // namespace

extern "C" const MeshPeer embree_mesh_peer = {"embree-collide", create, destroy, collide};
