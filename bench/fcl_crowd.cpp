#include "fcl_crowd.h"

#include <fcl/fcl.h>

#include <memory>

typedef fcl::BVHModel<fcl::OBB<double>> Model;
typedef fcl::Vector3<double> Vector;

struct FclCrowd {
    std::vector<std::shared_ptr<Model>> models;
    std::vector<std::unique_ptr<fcl::CollisionObject<double>>> bodies;
    fcl::DynamicAABBTreeCollisionManager<double> manager;
};

static std::shared_ptr<Model> make_model(const imp_Mesh *mesh)
{
    const imp_Vec3 *vertices = imp_mesh_get_vertices(mesh);
    const uint32_t *indices = imp_mesh_get_indices(mesh);
    auto model = std::make_shared<Model>();
    std::vector<Vector> points;
    std::vector<fcl::Triangle> triangles;
    for (size_t i = 0; i < imp_mesh_get_vertex_count(mesh); ++i)
        points.emplace_back(vertices[i].x, vertices[i].y, vertices[i].z);
    for (size_t i = 0; i < imp_mesh_get_triangle_count(mesh); ++i)
        triangles.emplace_back(indices[3 * i], indices[3 * i + 1], indices[3 * i + 2]);
    model->beginModel();
    model->addSubModel(points, triangles);
    model->endModel();
    return model;
}

FclCrowd *fcl_crowd_create(imp_Mesh *const *meshes, size_t count)
{
    auto *crowd = new FclCrowd;
    for (size_t i = 0; i < count; ++i) {
        crowd->models.push_back(make_model(meshes[i]));
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
    fcl::Quaternion<double> rotation(pose->rotation.w, pose->rotation.x, pose->rotation.y, pose->rotation.z);
    crowd->bodies[body]->setTransform(rotation.toRotationMatrix(),
                                      Vector(pose->translation.x, pose->translation.y, pose->translation.z));
    crowd->bodies[body]->computeAABB();
}

void fcl_crowd_deform(FclCrowd *crowd, size_t body, const imp_Vec3 *vertices)
{
    Model &model = *crowd->models[body];
    model.beginReplaceModel();
    for (int i = 0; i < model.num_vertices; ++i)
        model.replaceVertex(Vector(vertices[i].x, vertices[i].y, vertices[i].z));
    model.endReplaceModel(true, true);
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
