#include "octree_peers.h"

#include <CGAL/AABB_face_graph_triangle_primitive.h>
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Side_of_triangle_mesh.h>
#include <CGAL/Surface_mesh.h>

#include <memory>
#include <optional>
#include <string>

typedef CGAL::Exact_predicates_inexact_constructions_kernel Kernel;
typedef CGAL::Surface_mesh<Kernel::Point_3> Mesh;
typedef CGAL::AABB_face_graph_triangle_primitive<Mesh> Primitive;
typedef CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>> Tree;
typedef CGAL::Side_of_triangle_mesh<Mesh, Kernel> Side;

struct State {
    Mesh mesh;
    std::string text;
};

struct Build {
    const imp_OctreeGrid *grid;
    Tree tree;
    std::optional<Side> side; // of solids
    std::string *text;
    std::vector<Primitive::Id> faces;
    size_t list_face_count;
};

struct Cell {
    uint32_t level, at[3];
};

static void *create(const imp_Mesh *mesh)
{
    State *state = new State;
    const imp_Vec3 *vertices = imp_mesh_get_vertices(mesh);
    const uint32_t *indices = imp_mesh_get_indices(mesh);
    for (size_t i = 0; i < imp_mesh_get_vertex_count(mesh); ++i)
        state->mesh.add_vertex(Kernel::Point_3(vertices[i].x, vertices[i].y, vertices[i].z));
    for (size_t i = 0; i < imp_mesh_get_triangle_count(mesh); ++i)
        state->mesh.add_face(Mesh::Vertex_index(indices[3 * i]), Mesh::Vertex_index(indices[3 * i + 1]),
                             Mesh::Vertex_index(indices[3 * i + 2]));
    return state;
}

static void destroy(void *state)
{
    delete static_cast<State *>(state);
}

static double corner(const imp_OctreeGrid *grid, int axis, uint32_t i)
{
    double origin = axis == 0 ? grid->origin.x : axis == 1 ? grid->origin.y : grid->origin.z;
    return origin + double(i) * grid->voxel;
}

static CGAL::Bbox_3 box_of(const imp_OctreeGrid *grid, const Cell &cell)
{
    double low[3], high[3];
    uint32_t width = 1u << (grid->level - cell.level);
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = corner(grid, axis, cell.at[axis] * width);
        high[axis] = corner(grid, axis, (cell.at[axis] + 1) * width);
    }
    return CGAL::Bbox_3(low[0], low[1], low[2], high[0], high[1], high[2]);
}

static char colour_without_faces(Build &build, const CGAL::Bbox_3 &box)
{
    if (!build.side)
        return 'W';
    Kernel::Point_3 center((box.xmin() + box.xmax()) / 2, (box.ymin() + box.ymax()) / 2,
                           (box.zmin() + box.zmax()) / 2);
    return (*build.side)(center) == CGAL::ON_UNBOUNDED_SIDE ? 'W' : 'B';
}

// Writes the cell; eight equal children of a solid become one cell, as do eight white ones.
static char build_cell(Build &build, const Cell &cell)
{
    std::string &text = *build.text;
    CGAL::Bbox_3 box = box_of(build.grid, cell);
    bool is_voxel = cell.level == build.grid->level;
    char colour;
    if (is_voxel && !build.side) {
        build.faces.clear();
        build.tree.all_intersected_primitives(box, std::back_inserter(build.faces));
        build.list_face_count += build.faces.size();
        text += colour = build.faces.empty() ? 'W' : 'B';
        return colour;
    }
    if (!build.tree.do_intersect(box)) {
        text += colour = colour_without_faces(build, box);
        return colour;
    }
    if (is_voxel) {
        text += 'B';
        return 'B';
    }
    size_t start = text.size();
    bool all_black = true, all_white = true;
    text += '(';
    for (uint32_t octant = 0; octant < 8; ++octant) {
        colour = build_cell(build, {cell.level + 1,
                                    {2 * cell.at[0] + (octant & 1), 2 * cell.at[1] + (octant >> 1 & 1),
                                     2 * cell.at[2] + (octant >> 2 & 1)}});
        all_black &= colour == 'B';
        all_white &= colour == 'W';
    }
    if (!all_white && !(all_black && build.side))
        return '(';
    text.resize(start);
    text += colour = all_white ? 'W' : 'B';
    return colour;
}

static size_t build(void *argument, const imp_OctreeGrid *grid, imp_OctreeRule rule, const char **text,
                    size_t *list_face_count)
{
    State *state = static_cast<State *>(argument);
    state->text.clear();
    Build build = {grid, Tree(faces(state->mesh).first, faces(state->mesh).second, state->mesh),
                   {},   &state->text,
                   {},   0};
    build.tree.build();
    if (rule == IMP_OCTREE_OUTER)
        build.side.emplace(build.tree);
    build_cell(build, {0, {0, 0, 0}});
    *text = state->text.data();
    *list_face_count = build.list_face_count;
    return state->text.size();
}

extern "C" const OctreePeer cgal_octree_peer = {"cgal", create, destroy, build};
