#include "fcl_mesh.h"

#include <fcl/fcl.h>

#include <memory>

// What the three kinds of volumes have in common.
struct FclPair {
    virtual ~FclPair() = default;
    virtual void deform(const imp_Vec3 *a, const imp_Vec3 *b) = 0;
    virtual size_t collide(const imp_Pose *pose, imp_FacePair *pairs, size_t capacity) = 0;
};

typedef fcl::Vector3<double> Vector;

static Vector convert(const imp_Vec3 &v)
{
    return Vector(v.x, v.y, v.z);
}

template <typename Volume> static std::shared_ptr<fcl::BVHModel<Volume>> make_model(const imp_Mesh *mesh)
{
    const imp_Vec3 *vertices = imp_mesh_get_vertices(mesh);
    const uint32_t *indices = imp_mesh_get_indices(mesh);
    std::vector<Vector> points;
    std::vector<fcl::Triangle> triangles;
    for (size_t i = 0; i < imp_mesh_get_vertex_count(mesh); ++i)
        points.push_back(convert(vertices[i]));
    for (size_t i = 0; i < imp_mesh_get_triangle_count(mesh); ++i)
        triangles.emplace_back(indices[3 * i], indices[3 * i + 1], indices[3 * i + 2]);
    auto model = std::make_shared<fcl::BVHModel<Volume>>();
    model->beginModel();
    model->addSubModel(points, triangles);
    model->endModel();
    return model;
}

template <typename Volume> struct VolumePair final : FclPair {
    std::shared_ptr<fcl::BVHModel<Volume>> a, b;

    VolumePair(const imp_Mesh *mesh_a, const imp_Mesh *mesh_b)
        : a(make_model<Volume>(mesh_a)), b(make_model<Volume>(mesh_b))
    {
    }

    static void refit(fcl::BVHModel<Volume> &model, const imp_Vec3 *vertices)
    {
        model.beginReplaceModel();
        for (int i = 0; i < model.num_vertices; ++i)
            model.replaceVertex(convert(vertices[i]));
        model.endReplaceModel(true, true);
    }

    void deform(const imp_Vec3 *vertices_a, const imp_Vec3 *vertices_b) override
    {
        refit(*a, vertices_a);
        refit(*b, vertices_b);
    }

    size_t collide(const imp_Pose *pose, imp_FacePair *pairs, size_t capacity) override
    {
        fcl::Transform3<double> identity = fcl::Transform3<double>::Identity(), transform = identity;
        bool turned =
            pose->rotation.w != 0 || pose->rotation.x != 0 || pose->rotation.y != 0 || pose->rotation.z != 0;
        transform.translation() = convert(pose->translation);
        if (turned)
            transform.linear() = fcl::Quaternion<double>(pose->rotation.w, pose->rotation.x, pose->rotation.y,
                                                         pose->rotation.z)
                                     .toRotationMatrix();
        fcl::CollisionRequest<double> request(100000000, false);
        fcl::CollisionResult<double> result;
        fcl::collide(a.get(), identity, b.get(), transform, request, result);
        size_t count = result.numContacts();
        for (size_t i = 0; pairs && i < count && i < capacity; ++i) {
            const auto &contact = result.getContact(i);
            pairs[i] = imp_FacePair{(uint32_t)contact.b1, (uint32_t)contact.b2};
        }
        return count;
    }
};

FclPair *fcl_pair_create(FclVolume volume, const imp_Mesh *a, const imp_Mesh *b)
{
    switch (volume) {
    case FCL_AABB:
        return new VolumePair<fcl::AABB<double>>(a, b);
    case FCL_OBB:
        return new VolumePair<fcl::OBB<double>>(a, b);
    default:
        return new VolumePair<fcl::OBBRSS<double>>(a, b);
    }
}

void fcl_pair_destroy(FclPair *pair)
{
    delete pair;
}

void fcl_pair_deform(FclPair *pair, const imp_Vec3 *a, const imp_Vec3 *b)
{
    pair->deform(a, b);
}

size_t fcl_pair_collide(FclPair *pair, const imp_Pose *pose_b, imp_FacePair *pairs, size_t capacity)
{
    return pair->collide(pose_b, pairs, capacity);
}
