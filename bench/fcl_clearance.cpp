#include "fcl_clearance.h"

#include "fcl_model.hpp"

typedef fcl::RSS<double> Volume;
typedef fcl::BVHModel<Volume> Model;

struct FclClearance {
    std::vector<std::shared_ptr<Model>> models;
    std::vector<std::unique_ptr<fcl::CollisionObjectd>> bodies;
    fcl::DynamicAABBTreeCollisionManagerd manager;
    double clearance;
};

// Bodies posed with a rotation get the box around a sphere, others the local box.
static void make_box(Model &model, double clearance)
{
    model.computeLocalAABB();
    model.aabb_radius += clearance / 2;
    model.aabb_local.expand(fcl::Vector3d::Constant(clearance / 2));
}

FclClearance *fcl_clearance_create(imp_Mesh *const *meshes, size_t count, double clearance)
{
    auto *bodies = new FclClearance;
    bodies->clearance = clearance;
    for (size_t i = 0; i < count; ++i) {
        bodies->models.push_back(fcl_make_model<Volume>(meshes[i]));
        bodies->bodies.emplace_back(new fcl::CollisionObjectd(bodies->models.back()));
        bodies->bodies.back()->setUserData(reinterpret_cast<void *>(i));
        make_box(*bodies->models.back(), clearance); // making the body made it as it was
        bodies->manager.registerObject(bodies->bodies.back().get());
    }
    bodies->manager.setup();
    return bodies;
}

void fcl_clearance_destroy(FclClearance *bodies)
{
    delete bodies;
}

void fcl_clearance_pose(FclClearance *bodies, size_t body, const imp_Pose *pose)
{
    bodies->bodies[body]->setTransform(fcl_transform(*pose));
    bodies->bodies[body]->computeAABB();
}

void fcl_clearance_deform(FclClearance *bodies, size_t body, const imp_Vec3 *vertices)
{
    fcl_refit(*bodies->models[body], vertices, FclRefit::top_down);
    make_box(*bodies->models[body], bodies->clearance);
}

struct Search {
    double clearance;
    uint32_t frame;
    NearPairs *pairs;
};

// A result that holds the clearance already spares FCL all that is farther.
static bool ask_pair(fcl::CollisionObjectd *a, fcl::CollisionObjectd *b, void *argument)
{
    Search *search = static_cast<Search *>(argument);
    fcl::DistanceResultd result(std::nextafter(search->clearance, 2 * search->clearance));
    fcl::distance(a, b, fcl::DistanceRequestd(true), result);
    if (result.min_distance <= search->clearance)
        near_pairs_add(search->pairs,
                       NearPair{search->frame, uint32_t(reinterpret_cast<uintptr_t>(a->getUserData())),
                                uint32_t(reinterpret_cast<uintptr_t>(b->getUserData())),
                                result.min_distance});
    return false;
}

void fcl_clearance_find(FclClearance *bodies, uint32_t frame, NearPairs *pairs)
{
    Search search = {bodies->clearance, frame, pairs};
    bodies->manager.update();
    bodies->manager.collide(&search, ask_pair);
}
