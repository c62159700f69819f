// A lower anchor: what one gets from a tree that knows the distance of points alone.
#include "distance_peers.h"

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Simple_cartesian.h>

#include <cmath>
#include <limits>
#include <vector>

namespace
{

typedef CGAL::Simple_cartesian<double> Kernel; // distances need no exact predicates
typedef std::vector<Kernel::Triangle_3> Triangles;
typedef CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator> Primitive;
typedef CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>> Tree;

struct State {
    std::vector<imp_Vec3> vertices; // of a
    Triangles triangles;            // of b
    Tree tree;
};

Kernel::Point_3 convert(const imp_Vec3 &v)
{
    return Kernel::Point_3(v.x, v.y, v.z);
}

void *create(const DistancePair *pair)
{
    State *state = new State;
    const imp_Vec3 *vertices = imp_mesh_get_vertices(pair->a), *corners = imp_mesh_get_vertices(pair->b);
    const uint32_t *indices = imp_mesh_get_indices(pair->b);
    state->vertices.assign(vertices, vertices + imp_mesh_get_vertex_count(pair->a));
    for (size_t i = 0; i < imp_mesh_get_triangle_count(pair->b); ++i, indices += 3)
        state->triangles.emplace_back(convert(corners[indices[0]]), convert(corners[indices[1]]),
                                      convert(corners[indices[2]]));
    state->tree.insert(state->triangles.cbegin(), state->triangles.cend());
    state->tree.build();
    state->tree.accelerate_distance_queries();
    return state;
}

void destroy(void *state)
{
    delete static_cast<State *>(state);
}

// Vertices of a go into the frame of b, where the tree stands: the rotation's inverse is its transpose.
Kernel::Point_3 into_frame(const imp_Transform &pose, const imp_Vec3 &v)
{
    double x = v.x - pose.translation.x, y = v.y - pose.translation.y, z = v.z - pose.translation.z;
    const auto &m = pose.rows;
    return Kernel::Point_3(m[0][0] * x + m[1][0] * y + m[2][0] * z, m[0][1] * x + m[1][1] * y + m[2][1] * z,
                           m[0][2] * x + m[1][2] * y + m[2][2] * z);
}

void ask(void *argument, const DistanceQuestions *questions, DistanceAnswer *answers)
{
    State *state = static_cast<State *>(argument);
    for (size_t i = 0; i < questions->count; ++i) {
        imp_Transform pose;
        if (imp_pose_transform(&questions->poses_b[i], &pose) != IMP_STATUS_OK)
            std::abort();
        double least = std::numeric_limits<double>::infinity();
        for (const imp_Vec3 &vertex : state->vertices)
            least = std::min(least, state->tree.squared_distance(into_frame(pose, vertex)));
        answers[i].distance = std::sqrt(least);
    }
}

} // namespace

extern "C" const DistancePeer cgal_vertices_distance = {"cgal-vertices", 1, create, destroy, nullptr, ask, 2};
