#include "fcl_mesh.h"

#include "fcl_model.hpp"

// What the three kinds of volumes have in common.
struct FclPair {
    virtual ~FclPair() = default;
    virtual void deform(const imp_Vec3 *a, const imp_Vec3 *b) = 0;
    virtual size_t collide(const imp_Pose *pose, imp_FacePair *pairs, size_t capacity) = 0;
};

template <typename Volume> struct VolumePair final : FclPair {
    std::shared_ptr<fcl::BVHModel<Volume>> a, b;

    VolumePair(const imp_Mesh *mesh_a, const imp_Mesh *mesh_b)
        : a(fcl_make_model<Volume>(mesh_a)), b(fcl_make_model<Volume>(mesh_b))
    {
    }

    void deform(const imp_Vec3 *vertices_a, const imp_Vec3 *vertices_b) override
    {
        fcl_refit(*a, vertices_a, FclRefit::bottom_up);
        fcl_refit(*b, vertices_b, FclRefit::bottom_up);
    }

    size_t collide(const imp_Pose *pose, imp_FacePair *pairs, size_t capacity) override
    {
        fcl::CollisionRequest<double> request(100000000, false);
        fcl::CollisionResult<double> result;
        fcl::collide(a.get(), fcl::Transform3d::Identity(), b.get(), fcl_transform(*pose), request, result);
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
