#include "fcl_configurations.h"

#include "fcl_model.hpp"

typedef fcl::OBBRSS<double> Volume;

struct FclConfigurations {
    std::vector<std::unique_ptr<fcl::CollisionObjectd>> bodies;
    std::vector<fcl::CollisionObjectd *> moved;
    fcl::DynamicAABBTreeCollisionManagerd manager;
    const bool *is_asked;
};

FclConfigurations *fcl_configurations_create(imp_Mesh *const *meshes, const imp_Pose *poses, size_t count,
                                             const bool *is_asked)
{
    auto *made = new FclConfigurations;
    made->is_asked = is_asked;
    for (size_t i = 0; i < count; ++i) {
        made->bodies.emplace_back(
            new fcl::CollisionObjectd(fcl_make_model<Volume>(meshes[i]), fcl_transform(poses[i])));
        made->bodies.back()->setUserData(reinterpret_cast<void *>(i));
        made->manager.registerObject(made->bodies.back().get());
    }
    made->manager.setup();
    return made;
}

void fcl_configurations_destroy(FclConfigurations *bodies)
{
    delete bodies;
}

struct Search {
    const FclConfigurations *bodies;
    bool first_only;
    uint32_t number;
    NearPairs *pairs;
};

// One contact tells that a pair touches.
static bool ask_pair(fcl::CollisionObjectd *a, fcl::CollisionObjectd *b, void *argument)
{
    Search *search = static_cast<Search *>(argument);
    size_t i = reinterpret_cast<uintptr_t>(a->getUserData());
    size_t k = reinterpret_cast<uintptr_t>(b->getUserData());
    if (!search->bodies->is_asked[i * search->bodies->bodies.size() + k])
        return false;
    fcl::CollisionRequestd request(1, false);
    fcl::CollisionResultd result;
    if (fcl::collide(a, b, request, result) == 0)
        return false;
    near_pairs_add(search->pairs, NearPair{search->number, uint32_t(i), uint32_t(k), 0});
    return search->first_only;
}

void fcl_configurations_ask(FclConfigurations *bodies, const size_t *moved, size_t moved_count,
                            const imp_Pose *poses, bool first_only, uint32_t number, NearPairs *pairs)
{
    Search search = {bodies, first_only, number, pairs};
    bodies->moved.clear();
    for (size_t i = 0; i < moved_count; ++i) {
        fcl::CollisionObjectd *body = bodies->bodies[moved[i]].get();
        body->setTransform(fcl_transform(poses[i]));
        body->computeAABB();
        bodies->moved.push_back(body);
    }
    bodies->manager.update(bodies->moved);
    bodies->manager.collide(&search, ask_pair);
}
