// Bullet's btDbvtBroadphase with deferred collision: pairs are found by one walk of its two trees. Its cache
// keeps pairs of enlarged boxes, so the boxes are compared when pairs are taken out.
#include "broad_peers.h"

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>

#include <memory>
#include <vector>

namespace
{

struct State {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    std::unique_ptr<btDbvtBroadphase> broadphase;
    std::vector<btBroadphaseProxy *> proxies;
    size_t count;
};

void *open_dispatcher(const float *, size_t count)
{
    State *state = new State;
    state->count = count;
    return state;
}

// Not with destroyProxy, which looks through all pairs for each proxy: minutes for a million boxes.
void drop_proxies(State *state)
{
    state->broadphase.reset();
    for (btBroadphaseProxy *proxy : state->proxies)
        btAlignedFree(proxy);
    state->proxies.clear();
}

void close_dispatcher(void *argument)
{
    State *state = static_cast<State *>(argument);
    drop_proxies(state);
    delete state;
}

btVector3 low(const float *box)
{
    return btVector3(box[0], box[1], box[2]);
}

btVector3 high(const float *box)
{
    return btVector3(box[3], box[4], box[5]);
}

void make_proxies(State *state, const float *boxes)
{
    state->broadphase.reset(new btDbvtBroadphase);
    state->broadphase->m_deferedcollide = true;
    for (size_t i = 0; i < state->count; ++i)
        state->proxies.push_back(state->broadphase->createProxy(low(boxes + 6 * i), high(boxes + 6 * i), 0,
                                                                reinterpret_cast<void *>(i), 1, 1,
                                                                &state->dispatcher));
}

void take_pairs(State *state, const float *boxes, PeerPairs *out)
{
    state->broadphase->calculateOverlappingPairs(&state->dispatcher);
    const btBroadphasePairArray &pairs =
        state->broadphase->getOverlappingPairCache()->getOverlappingPairArray();
    for (int i = 0; i < pairs.size(); ++i) {
        size_t a = reinterpret_cast<size_t>(pairs[i].m_pProxy0->m_clientObject);
        size_t b = reinterpret_cast<size_t>(pairs[i].m_pProxy1->m_clientObject);
        if (peer_boxes_overlap(boxes + 6 * a, boxes + 6 * b))
            peer_pairs_add(out, uint32_t(a), uint32_t(b));
    }
}

void scratch(void *argument, const float *boxes, PeerPairs *out)
{
    State *state = static_cast<State *>(argument);
    make_proxies(state, boxes);
    take_pairs(state, boxes, out);
    drop_proxies(state);
}

void coherent(void *argument, const float *boxes, PeerPairs *out)
{
    State *state = static_cast<State *>(argument);
    if (!state->broadphase)
        make_proxies(state, boxes);
    else
        for (size_t i = 0; i < state->count; ++i)
            state->broadphase->setAabb(state->proxies[i], low(boxes + 6 * i), high(boxes + 6 * i),
                                       &state->dispatcher);
    take_pairs(state, boxes, out);
}

} // namespace

extern "C" const BroadPeer bullet_broad = {"bullet-dbvt", open_dispatcher, close_dispatcher, scratch,
                                           coherent};
