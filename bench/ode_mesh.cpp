#include "mesh_peers.h"

#include <ode/ode.h>

#include <vector>

namespace
{

const int max_contacts = 65535;

struct Side {
    std::vector<dVector3> vertices;
    std::vector<dTriIndex> indices;
    dTriMeshDataID data;
    dGeomID geom;
};

struct State {
    Side a, b;
    std::vector<dContactGeom> contacts;
};

void make_side(Side *side, const imp_Triangle *triangles, size_t count)
{
    side->vertices = std::vector<dVector3>(3 * count);
    for (size_t i = 0; i < 3 * count; ++i) {
        const imp_Vec3 &v = triangles[i / 3].v[i % 3];
        side->vertices[i][0] = v.x;
        side->vertices[i][1] = v.y;
        side->vertices[i][2] = v.z;
        side->indices.push_back(dTriIndex(i));
    }
    side->data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSimple(side->data, side->vertices[0], int(side->vertices.size()),
                                side->indices.data(), int(side->indices.size()));
    side->geom = dCreateTriMesh(nullptr, side->data, nullptr, nullptr, nullptr);
}

// It has something to say for every contact that it does not merge with others.
void ignore_message(int, const char *, va_list)
{
}

void *create(const imp_Triangle *a, size_t a_count, const imp_Triangle *b, size_t b_count)
{
    dInitODE2(0);
    dSetMessageHandler(ignore_message);
    dAllocateODEDataForThread(dAllocateMaskAll);
    State *state = new State;
    make_side(&state->a, a, a_count);
    make_side(&state->b, b, b_count);
    state->contacts.resize(max_contacts);
    return state;
}

void destroy(void *argument)
{
    State *state = static_cast<State *>(argument);
    for (Side *side : {&state->a, &state->b}) {
        dGeomDestroy(side->geom);
        dGeomTriMeshDataDestroy(side->data);
    }
    delete state;
}

size_t collide(void *argument, imp_FacePair *pairs, size_t capacity)
{
    State *state = static_cast<State *>(argument);
    size_t count = size_t(
        dCollide(state->a.geom, state->b.geom, max_contacts, state->contacts.data(), sizeof(dContactGeom)));
    for (size_t i = 0; i < count && i < capacity; ++i)
        pairs[i] = imp_FacePair{uint32_t(state->contacts[i].side1), uint32_t(state->contacts[i].side2)};
    return count;
}

} // namespace

extern "C" const MeshPeer ode_mesh_peer = {"ode-trimesh", create, destroy, collide};
