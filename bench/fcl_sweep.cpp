// FCL's conservative advancement of two meshes on interpolated motions, which are our rigid paths with the
// origin as pivot.
#include "sweep_peers.h"

#include "fcl_model.hpp"

#include <cmath>

namespace
{

template <typename Volume> struct Trees {
    std::shared_ptr<fcl::BVHModel<Volume>> a, b;
};

template <typename Volume> void *create(imp_Mesh *a, imp_Mesh *b)
{
    return new Trees<Volume>{fcl_make_model<Volume>(a), fcl_make_model<Volume>(b)};
}

template <typename Volume> void destroy(void *state)
{
    delete static_cast<Trees<Volume> *>(state);
}

template <typename Volume> double ask(void *state, const RigidQuestion *question)
{
    Trees<Volume> *trees = static_cast<Trees<Volume> *>(state);
    fcl::ContinuousCollisionRequestd request(10, 1e-4, fcl::CCDM_LINEAR, fcl::GST_LIBCCD,
                                             fcl::CCDC_CONSERVATIVE_ADVANCEMENT);
    fcl::ContinuousCollisionResultd result;
    fcl::continuousCollide(trees->a.get(), fcl_transform(question->from_a), fcl_transform(question->to_a),
                           trees->b.get(), fcl_transform(question->from_b), fcl_transform(question->to_b),
                           request, result);
    return result.is_collide ? result.time_of_contact : INFINITY;
}

// One mesh on its path: where it is, and how fast its vertices move at most.
struct Motion {
    fcl::Vector3d from, way;
    fcl::Quaterniond start, end;
    double speed;

    Motion(const imp_Pose &pose, const imp_Pose &goal, double radius)
    {
        fcl::Transform3d first = fcl_transform(pose), last = fcl_transform(goal);
        from = first.translation();
        way = last.translation() - from;
        start = fcl::Quaterniond(first.linear());
        end = fcl::Quaterniond(last.linear());
        speed = way.norm() + start.angularDistance(end) * radius;
    }

    fcl::Transform3d at(double time) const
    {
        fcl::Transform3d pose = fcl::Transform3d::Identity();
        pose.translation() = from + time * way;
        pose.linear() = start.slerp(time, end).toRotationMatrix();
        return pose;
    }
};

double radius_of(const fcl::BVHModel<fcl::RSS<double>> &model)
{
    double radius = 0;
    for (int i = 0; i < model.num_vertices; ++i)
        radius = std::max(radius, model.vertices[i].norm());
    return radius;
}

// Until they are a millionth of their size apart.
double ask_by_hand(void *state, const RigidQuestion *question)
{
    auto *trees = static_cast<Trees<fcl::RSS<double>> *>(state);
    double radius_a = radius_of(*trees->a), radius_b = radius_of(*trees->b), time = 0;
    Motion a(question->from_a, question->to_a, radius_a), b(question->from_b, question->to_b, radius_b);
    while (time <= 1) {
        fcl::DistanceResultd result;
        fcl::distance(trees->a.get(), a.at(time), trees->b.get(), b.at(time), fcl::DistanceRequestd(false),
                      result);
        if (result.min_distance <= 1e-6 * radius_a)
            return time;
        time += result.min_distance / (a.speed + b.speed);
    }
    return INFINITY;
}

template <typename Volume> constexpr RigidPeer peer(const char *name)
{
    return RigidPeer{name, 1, create<Volume>, destroy<Volume>, ask<Volume>};
}

} // namespace

extern "C" const RigidPeer fcl_rss_sweep = peer<fcl::RSS<double>>("fcl-rss");
extern "C" const RigidPeer fcl_obbrss_sweep = peer<fcl::OBBRSS<double>>("fcl-obbrss");
extern "C" const RigidPeer fcl_distance_sweep = {"fcl-distance", 1, create<fcl::RSS<double>>,
                                                 destroy<fcl::RSS<double>>, ask_by_hand};
