#include "fcl_crowd.h"

#include "fcl_model.hpp"

typedef fcl::BVHModel<fcl::OBB<double>> Model;

struct FclCrowd {
    std::vector<std::shared_ptr<Model>> models;
    std::vector<std::unique_ptr<fcl::CollisionObject<double>>> bodies;
    fcl::DynamicAABBTreeCollisionManager<double> manager;
};

FclCrowd *fcl_crowd_create(imp_Mesh *const *meshes, size_t count)
{
    auto *crowd = new FclCrowd;
    for (size_t i = 0; i < count; ++i) {
        crowd->models.push_back(fcl_make_model<fcl::OBB<double>>(meshes[i]));
        crowd->models.back()->computeLocalAABB();
        crowd->bodies.emplace_back(new fcl::CollisionObject<double>(crowd->models.back()));
        crowd->manager.registerObject(crowd->bodies.back().get());
    }
    crowd->manager.setup();
    return crowd;
}

void fcl_crowd_destroy(FclCrowd *crowd)
{
    delete crowd;
}

void fcl_crowd_pose(FclCrowd *crowd, size_t body, const imp_Pose *pose)
{
    crowd->bodies[body]->setTransform(fcl_transform(*pose));
    crowd->bodies[body]->computeAABB();
}

void fcl_crowd_deform(FclCrowd *crowd, size_t body, const imp_Vec3 *vertices)
{
    Model &model = *crowd->models[body];
    fcl_refit(model, vertices, FclRefit::bottom_up);
    model.computeLocalAABB();
}

static bool collide_pair(fcl::CollisionObject<double> *a, fcl::CollisionObject<double> *b, void *argument)
{
    fcl::CollisionRequest<double> request(100000000, false);
    fcl::CollisionResult<double> result;
    *static_cast<size_t *>(argument) += fcl::collide(a, b, request, result);
    return false;
}

size_t fcl_crowd_collide(FclCrowd *crowd)
{
    size_t pairs = 0;
    crowd->manager.update();
    crowd->manager.collide(&pairs, collide_pair);
    return pairs;
}
