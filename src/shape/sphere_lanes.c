#include "shape/sphere_lanes.h"

#include "base/memory.h"
#include "shape/mesh_derived.h"

#include <float.h>

// A length in single precision, not less.
static float round_up(double length)
{
    float rounded = (float)length;
    return (double)rounded < length ? nextafterf(rounded, INFINITY) : rounded;
}

static void store_point(const impi_LocalFrame *frame, const imp_Vec3 *point, float to[3])
{
    imp_Vec3 local = impi_to_local(frame, *point);
    to[0] = (float)local.x;
    to[1] = (float)local.y;
    to[2] = (float)local.z;
}

// A radius or protrusion in the local frame, with room for what rounding does to the center.
static float widen(const impi_LocalFrame *frame, const imp_Vec3 *center, double length)
{
    imp_Vec3 local = impi_to_local(frame, *center);
    double room = IMPI_SPHERE_LANE_ERROR * (fabs(local.x) + fabs(local.y) + fabs(local.z));
    // What scaling rounds is less than the least float.
    return round_up(scalbn(length, frame->exponent) + room + (frame->is_point ? 0 : (double)FLT_MIN));
}

static void fill_node(const impi_SphereLanes *lanes, const impi_SphereLanesDef *def, size_t i)
{
    const imp_Sphere *sphere = &def->spheres[i];
    impi_SphereNode *node = &lanes->nodes[i];
    store_point(&lanes->frame, &sphere->center, node->center);
    store_point(&lanes->frame, &sphere->point, node->point);
    node->radius = widen(&lanes->frame, &sphere->center, sphere->radius);
    node->protrusion = widen(&lanes->frame, &sphere->center,
                             def->is_solid ? sphere->protrusion : sphere->surface_protrusion);
    node->first_child = sphere->first_child;
    node->child_count = sphere->child_count;
}

static void fill_lane(impi_SphereGroup *group, unsigned lane, const impi_SphereNode *node)
{
    for (int axis = 0; axis < 3; ++axis) {
        group->center[axis][lane] = node ? node->center[axis] : 0;
        group->point[axis][lane] = node ? node->point[axis] : 0;
    }
    group->radius[lane] = node ? node->radius : 0;
    group->protrusion[lane] = node ? node->protrusion : 0;
}

static void fill_groups(impi_SphereLanes *lanes)
{
    size_t next = 0;
    for (size_t i = 0; i < lanes->node_count; ++i) {
        impi_SphereNode *node = &lanes->nodes[i];
        size_t room = IMPI_SPHERE_LANES * impi_sphere_group_count(node->child_count);
        node->first_group = (uint32_t)next;
        for (size_t child = 0; child < room; ++child)
            fill_lane(&lanes->groups[next + child / IMPI_SPHERE_LANES], child % IMPI_SPHERE_LANES,
                      child < node->child_count ? &lanes->nodes[node->first_child + child] : NULL);
        next += room / IMPI_SPHERE_LANES;
    }
}

static void measure_leaves(impi_SphereLanes *lanes)
{
    double sum = 0;
    for (size_t i = lanes->first_leaf; i < lanes->node_count; ++i)
        sum += (double)lanes->nodes[i].radius;
    lanes->mean_leaf_radius = (float)(sum / (double)(lanes->node_count - lanes->first_leaf));
}

// Where each face of the mesh stands in its blocks.
static imp_Status place_faces(imp_Context *context, const impi_SphereLanesDef *def, impi_SphereLanes *lanes)
{
    const impi_MeshBlocks *blocks;
    imp_Status status = impi_mesh_blocks(context, def->mesh, &blocks);
    if (status != IMP_STATUS_OK)
        return status;
    impi_BlockFace *places =
        impi_arena_allocate_array(&context->scratch, def->mesh->arrays.triangle_count, sizeof *places);
    if (!places)
        return impi_fail_out_of_memory(context);
    for (size_t block = 0; block < blocks->blocks.block_count; ++block)
        for (unsigned lane = 0; lane < blocks->blocks.blocks[block].face_count; ++lane)
            places[blocks->blocks.blocks[block].faces[lane]] = impi_block_face((uint32_t)block, lane);
    for (size_t i = 0; i < lanes->face_count; ++i)
        lanes->faces[i] = places[def->faces->faces[i]];
    return IMP_STATUS_OK;
}

imp_Status impi_sphere_lanes_make(imp_Context *context, const impi_SphereLanesDef *def,
                                  impi_SphereLanes *lanes)
{
    const imp_Allocator *allocator = &context->allocator;
    impi_SphereLanes made = {.frame = impi_local_frame_make(&def->mesh->shape.bounds),
                             .node_count = def->count,
                             .first_leaf = def->first_leaf,
                             .first = def->faces->first,
                             .face_count = def->faces->face_count};
    for (size_t i = 0; i < def->count; ++i)
        made.group_count += impi_sphere_group_count(def->spheres[i].child_count);
    made.nodes = impi_allocate_array(allocator, made.node_count, sizeof *made.nodes);
    made.groups = impi_allocate_array(allocator, made.group_count, sizeof *made.groups);
    made.faces = impi_allocate_array(allocator, made.face_count, sizeof *made.faces);
    bool has_memory = made.nodes && (made.groups || made.group_count == 0) && made.faces;
    imp_Status status = has_memory ? place_faces(context, def, &made) : impi_fail_out_of_memory(context);
    if (status != IMP_STATUS_OK) {
        impi_sphere_lanes_free(allocator, &made);
        return status;
    }
    for (size_t i = 0; i < def->count; ++i)
        fill_node(&made, def, i);
    fill_groups(&made);
    measure_leaves(&made);
    *lanes = made;
    return IMP_STATUS_OK;
}

void impi_sphere_lanes_free(const imp_Allocator *allocator, impi_SphereLanes *lanes)
{
    impi_release(allocator, lanes->nodes, lanes->node_count * sizeof *lanes->nodes);
    impi_release(allocator, lanes->groups, lanes->group_count * sizeof *lanes->groups);
    impi_release(allocator, lanes->faces, lanes->face_count * sizeof *lanes->faces);
    *lanes = (impi_SphereLanes){0};
}
