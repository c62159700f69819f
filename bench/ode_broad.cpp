// ODE's sweep-and-prune space.
#include "broad_peers.h"

#include <ode/ode.h>

#include <vector>

namespace
{

struct State {
    dSpaceID space;
    std::vector<dGeomID> geoms;
    size_t count;
};

void *open_space(const float *, size_t count)
{
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    return new State{nullptr, {}, count};
}

void empty_space(State *state)
{
    if (state->space)
        dSpaceDestroy(state->space); // with all that is in it
    state->space = nullptr;
    state->geoms.clear();
}

void close_space(void *argument)
{
    State *state = static_cast<State *>(argument);
    empty_space(state);
    delete state;
    dCloseODE();
}

void place(dGeomID geom, const float *box)
{
    dGeomSetPosition(geom, (dReal(box[0]) + box[3]) / 2, (dReal(box[1]) + box[4]) / 2,
                     (dReal(box[2]) + box[5]) / 2);
}

void fill_space(State *state, const float *boxes)
{
    state->space = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ);
    for (size_t i = 0; i < state->count; ++i) {
        const float *box = boxes + 6 * i;
        dGeomID geom =
            dCreateBox(state->space, dReal(box[3]) - box[0], dReal(box[4]) - box[1], dReal(box[5]) - box[2]);
        dGeomSetData(geom, reinterpret_cast<void *>(i));
        place(geom, box);
        state->geoms.push_back(geom);
    }
}

void take_pair(void *out, dGeomID a, dGeomID b)
{
    peer_pairs_add(static_cast<PeerPairs *>(out), uint32_t(reinterpret_cast<size_t>(dGeomGetData(a))),
                   uint32_t(reinterpret_cast<size_t>(dGeomGetData(b))));
}

void scratch(void *argument, const float *boxes, PeerPairs *out)
{
    State *state = static_cast<State *>(argument);
    empty_space(state);
    fill_space(state, boxes);
    dSpaceCollide(state->space, out, take_pair);
}

void coherent(void *argument, const float *boxes, PeerPairs *out)
{
    State *state = static_cast<State *>(argument);
    if (!state->space)
        fill_space(state, boxes);
    else
        for (size_t i = 0; i < state->count; ++i)
            place(state->geoms[i], boxes + 6 * i);
    dSpaceCollide(state->space, out, take_pair);
}

} // namespace

extern "C" const BroadPeer ode_broad = {"ode-sap", open_space, close_space, scratch, coherent};
