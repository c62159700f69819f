// FCL's distances between meshes with those two of its volumes that are made for it, closest points
// included. FCL's own relative and absolute errors stay 0.
#include "distance_peers.h"
#include "fcl_model.hpp"

#include <cmath>

namespace
{

void ask_fcl(const fcl::CollisionGeometryd *a, const fcl::CollisionGeometryd *b,
             const fcl::Transform3d &pose_b, fcl::DistanceResultd &result)
{
    fcl::distance(a, fcl::Transform3d::Identity(), b, pose_b, fcl::DistanceRequestd(true), result);
}

template <typename Volume, bool BEGINS_WITH_LAST> struct Trees {
    std::shared_ptr<fcl::BVHModel<Volume>> a, b;
    intptr_t last_a = 0, last_b = 0; // triangles

    explicit Trees(const DistancePair &pair)
        : a(fcl_make_model<Volume>(pair.a)), b(fcl_make_model<Volume>(pair.b))
    {
    }

    // FCL begins with the first triangle of both. Its interface has no other guess, but whatever distance a
    // result already holds is one.
    void guess(const fcl::Transform3d &pose, fcl::DistanceResultd &result) const
    {
        const fcl::Triangle &s = a->tri_indices[last_a], &t = b->tri_indices[last_b];
        fcl::Vector3d p, q;
        double distance = fcl::detail::TriangleDistanced::triDistance(
            a->vertices[s[0]], a->vertices[s[1]], a->vertices[s[2]], b->vertices[t[0]], b->vertices[t[1]],
            b->vertices[t[2]], pose, p, q);
        result.update(distance, a.get(), b.get(), int(last_a), int(last_b), p, q);
    }

    void ask(const imp_Pose &pose_b, fcl::DistanceResultd &result)
    {
        fcl::Transform3d pose = fcl_transform(pose_b);
        if (BEGINS_WITH_LAST)
            guess(pose, result);
        ask_fcl(a.get(), b.get(), pose, result);
        last_a = result.b1;
        last_b = result.b2;
    }
};

template <typename State> void *create(const DistancePair *pair)
{
    return new State(*pair);
}

template <typename State> void destroy(void *state)
{
    delete static_cast<State *>(state);
}

template <typename State> void deform(void *argument, const imp_Vec3 *a, const imp_Vec3 *b)
{
    State *state = static_cast<State *>(argument);
    fcl_refit(*state->a, a, FclRefit::top_down);
    fcl_refit(*state->b, b, FclRefit::top_down);
}

// A result that holds the limit already, or a little more, spares FCL all that is farther.
template <typename State>
void ask(void *argument, const DistanceQuestions *questions, DistanceAnswer *answers)
{
    for (size_t i = 0; i < questions->count; ++i) {
        fcl::DistanceResultd result;
        if (questions->at_most)
            result.min_distance = std::nextafter(questions->at_most[i], INFINITY);
        static_cast<State *>(argument)->ask(questions->poses_b[i], result);
        const fcl::Vector3d *points = result.nearest_points;
        answers[i] = DistanceAnswer{result.min_distance,
                                    {points[0].x(), points[0].y(), points[0].z()},
                                    {points[1].x(), points[1].y(), points[1].z()}};
    }
}

// A hull that FCL knows to be convex: its GJK against the triangles of a tree.
struct HullAndTree {
    std::unique_ptr<fcl::Convexd> a;
    std::shared_ptr<fcl::BVHModel<fcl::RSS<double>>> b;

    explicit HullAndTree(const DistancePair &pair) : b(fcl_make_model<fcl::RSS<double>>(pair.b))
    {
        const imp_Vec3 *vertices = imp_mesh_get_vertices(pair.a);
        const uint32_t *indices = imp_mesh_get_indices(pair.a);
        auto points = std::make_shared<std::vector<fcl::Vector3d>>();
        auto faces = std::make_shared<std::vector<int>>();
        for (size_t i = 0; i < imp_mesh_get_vertex_count(pair.a); ++i)
            points->push_back(fcl_vector(vertices[i]));
        for (size_t i = 0; i < imp_mesh_get_triangle_count(pair.a); ++i) {
            faces->push_back(3);
            faces->insert(faces->end(), indices + 3 * i, indices + 3 * i + 3);
        }
        a.reset(new fcl::Convexd(points, int(imp_mesh_get_triangle_count(pair.a)), faces));
        a->computeLocalAABB();
    }

    void ask(const imp_Pose &pose_b, fcl::DistanceResultd &result)
    {
        ask_fcl(a.get(), b.get(), fcl_transform(pose_b), result);
    }
};

template <typename State> constexpr DistancePeer tree_peer(const char *name)
{
    return DistancePeer{name, 1, create<State>, destroy<State>, deform<State>, ask<State>, 0};
}

} // namespace

extern "C" const DistancePeer fcl_rss_distance = tree_peer<Trees<fcl::RSS<double>, false>>("fcl-rss");
extern "C" const DistancePeer fcl_obbrss_distance =
    tree_peer<Trees<fcl::OBBRSS<double>, false>>("fcl-obbrss");
extern "C" const DistancePeer fcl_rss_last_distance =
    tree_peer<Trees<fcl::RSS<double>, true>>("fcl-rss-last");
extern "C" const DistancePeer fcl_obbrss_last_distance =
    tree_peer<Trees<fcl::OBBRSS<double>, true>>("fcl-obbrss-last");
extern "C" const DistancePeer fcl_convex_distance = {
    "fcl-convex", 1, create<HullAndTree>, destroy<HullAndTree>, nullptr, ask<HullAndTree>, 0};
