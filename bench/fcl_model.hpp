/// FCL's trees over our meshes, and our poses as its transforms: what all that ask FCL about meshes share.
#ifndef IMPINGE_BENCH_FCL_MODEL_HPP
#define IMPINGE_BENCH_FCL_MODEL_HPP

#include <impinge/mesh.h>

#include <fcl/fcl.h>

#include <memory>
#include <vector>

inline fcl::Vector3d fcl_vector(const imp_Vec3 &v)
{
    return fcl::Vector3d(v.x, v.y, v.z);
}

/// An all-zero rotation is the identity.
inline fcl::Transform3d fcl_transform(const imp_Pose &pose)
{
    const imp_Quat &q = pose.rotation;
    fcl::Transform3d transform = fcl::Transform3d::Identity();
    transform.translation() = fcl_vector(pose.translation);
    if (q.w != 0 || q.x != 0 || q.y != 0 || q.z != 0)
        transform.linear() = fcl::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
    return transform;
}

template <typename Volume> std::shared_ptr<fcl::BVHModel<Volume>> fcl_make_model(const imp_Mesh *mesh)
{
    const imp_Vec3 *vertices = imp_mesh_get_vertices(mesh);
    const uint32_t *indices = imp_mesh_get_indices(mesh);
    std::vector<fcl::Vector3d> points;
    std::vector<fcl::Triangle> triangles;
    for (size_t i = 0; i < imp_mesh_get_vertex_count(mesh); ++i)
        points.push_back(fcl_vector(vertices[i]));
    for (size_t i = 0; i < imp_mesh_get_triangle_count(mesh); ++i)
        triangles.emplace_back(indices[3 * i], indices[3 * i + 1], indices[3 * i + 2]);
    auto model = std::make_shared<fcl::BVHModel<Volume>>();
    model->beginModel();
    model->addSubModel(points, triangles);
    model->endModel();
    return model;
}

/// Which way a tree's volumes are fitted to new vertices: from the bottom up each is merged of its two
/// children's, from the top down each is fitted to all of its triangles. The former is faster, and good for
/// boxes; FCL 0.7's trees of RSSs so refitted told distances that were too large, after seconds.
enum class FclRefit { bottom_up, top_down };

template <typename Volume>
void fcl_refit(fcl::BVHModel<Volume> &model, const imp_Vec3 *vertices, FclRefit way)
{
    model.beginReplaceModel();
    for (int i = 0; i < model.num_vertices; ++i)
        model.replaceVertex(fcl_vector(vertices[i]));
    model.endReplaceModel(true, way == FclRefit::bottom_up);
}

#endif
