#include "mesh_peers.h"

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>

typedef CGAL::Exact_predicates_inexact_constructions_kernel Kernel;
typedef std::vector<Kernel::Triangle_3> Triangles;
typedef CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator> Primitive;
typedef CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>> Tree;

struct State {
    Triangles a, b;
    Tree tree;
};

static Triangles convert(const imp_Triangle *triangles, size_t count)
{
    Triangles converted;
    for (size_t i = 0; i < count; ++i) {
        const imp_Vec3 *v = triangles[i].v;
        converted.emplace_back(Kernel::Point_3(v[0].x, v[0].y, v[0].z),
                               Kernel::Point_3(v[1].x, v[1].y, v[1].z),
                               Kernel::Point_3(v[2].x, v[2].y, v[2].z));
    }
    return converted;
}

static void *create(const imp_Triangle *a, size_t a_count, const imp_Triangle *b, size_t b_count)
{
    State *state = new State{convert(a, a_count), convert(b, b_count), {}};
    state->tree.insert(state->b.cbegin(), state->b.cend());
    state->tree.build();
    return state;
}

static void destroy(void *state)
{
    delete static_cast<State *>(state);
}

static size_t collide(void *argument, imp_FacePair *pairs, size_t capacity)
{
    State *state = static_cast<State *>(argument);
    std::vector<Tree::Primitive_id> found;
    size_t count = 0;
    for (size_t i = 0; i < state->a.size(); ++i) {
        found.clear();
        state->tree.all_intersected_primitives(state->a[i], std::back_inserter(found));
        for (const auto &id : found) {
            if (count < capacity)
                pairs[count] = imp_FacePair{uint32_t(i), uint32_t(id - state->b.cbegin())};
            ++count;
        }
    }
    return count;
}

extern "C" const MeshPeer cgal_mesh_peer = {"cgal-aabb", create, destroy, collide};
