// FCL's DynamicAABBTreeCollisionManager. Objects are made beforehand, with the bounding boxes set directly.
#include "broad_peers.h"

#include <fcl/fcl.h>

#include <memory>
#include <vector>

namespace
{

struct BoxObject : fcl::CollisionObject<float> {
    uint32_t index;
    BoxObject(const std::shared_ptr<fcl::CollisionGeometry<float>> &geometry, uint32_t at)
        : fcl::CollisionObject<float>(geometry), index(at)
    {
    }
    void set_box(const float *box)
    {
        aabb.min_ = fcl::Vector3f(box[0], box[1], box[2]);
        aabb.max_ = fcl::Vector3f(box[3], box[4], box[5]);
    }
};

struct State {
    std::vector<std::unique_ptr<BoxObject>> objects;
    std::vector<fcl::CollisionObject<float> *> pointers;
    std::unique_ptr<fcl::DynamicAABBTreeCollisionManager<float>> manager;
};

bool take_pair(fcl::CollisionObject<float> *a, fcl::CollisionObject<float> *b, void *out)
{
    peer_pairs_add(static_cast<PeerPairs *>(out), static_cast<BoxObject *>(a)->index,
                   static_cast<BoxObject *>(b)->index);
    return false;
}

void *open_objects(const float *, size_t count)
{
    State *state = new State;
    auto geometry = std::make_shared<fcl::Box<float>>(1.0f, 1.0f, 1.0f);
    for (size_t i = 0; i < count; ++i) {
        state->objects.emplace_back(new BoxObject(geometry, uint32_t(i)));
        state->pointers.push_back(state->objects.back().get());
    }
    return state;
}

void close_objects(void *state)
{
    delete static_cast<State *>(state);
}

void set_boxes(State *state, const float *boxes)
{
    for (size_t i = 0; i < state->objects.size(); ++i)
        state->objects[i]->set_box(boxes + 6 * i);
}

void scratch(void *argument, const float *boxes, PeerPairs *out)
{
    State *state = static_cast<State *>(argument);
    set_boxes(state, boxes);
    fcl::DynamicAABBTreeCollisionManager<float> manager;
    manager.registerObjects(state->pointers);
    manager.setup();
    manager.collide(out, take_pair);
}

void coherent(void *argument, const float *boxes, PeerPairs *out)
{
    State *state = static_cast<State *>(argument);
    set_boxes(state, boxes);
    if (!state->manager) {
        state->manager.reset(new fcl::DynamicAABBTreeCollisionManager<float>);
        state->manager->registerObjects(state->pointers);
        state->manager->setup();
    } else {
        state->manager->update();
    }
    state->manager->collide(out, take_pair);
}

} // namespace

extern "C" const BroadPeer fcl_broad = {"fcl-aabb", open_objects, close_objects, scratch, coherent};
