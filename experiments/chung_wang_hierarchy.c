// Each level is a hull made anew, not the one before it with holes filled: hulls of n vertices cost n log n,
// and levels shrink by a constant factor, so that all together cost no more than a few times the first one.
// More than half of the vertices of a triangulated surface have at most 12 neighbours; so at least every 13th
// of that half is taken away at each level, more where those with fewest neighbours go first.
#include "chung_wang_hierarchy.h"

#include "chung_wang_neighbours.h"

#include "base/array.h"
#include "geom/vector.h"
#include "shape/hull.h"
#include "shape/hull_simplex.h"

#define MAX_DEGREE    12
#define SIMPLEX_COUNT 4

typedef struct Builder {
    imp_Context *context;
    ChungWangHierarchy *hierarchy;
    // In the order of the mesh; all distinct vertices of it.
    uint32_t *mesh_vertices;
    imp_Vec3 *all_positions;
    uint32_t *ranks; // the numbers that vertices get in the hierarchy
    // Of the level that is being made.
    uint32_t *members; // positions in the arrays above, ascending
    imp_Vec3 *positions;
    size_t member_count;
    uint32_t *firsts, *neighbours; // by position in `members`
    bool *taken, *blocked;
} Builder;

static bool builder_begin(Builder *builder, const ChungWangBody *body)
{
    impi_Arena *arena = &builder->context->scratch;
    const imp_Mesh *mesh = body->convex->mesh;
    size_t most = mesh->arrays.vertex_count;
    builder->mesh_vertices = impi_arena_allocate_array(arena, most, sizeof(uint32_t));
    builder->all_positions = impi_arena_allocate_array(arena, most, sizeof(imp_Vec3));
    builder->ranks = impi_arena_allocate_array(arena, most, sizeof(uint32_t));
    builder->members = impi_arena_allocate_array(arena, most, sizeof(uint32_t));
    builder->positions = impi_arena_allocate_array(arena, most, sizeof(imp_Vec3));
    builder->firsts = impi_arena_allocate_array(arena, most + 1, sizeof(uint32_t));
    builder->neighbours = impi_arena_allocate_array(arena, 3 * mesh->arrays.triangle_count, sizeof(uint32_t));
    builder->taken = impi_arena_allocate_array(arena, most, sizeof(bool));
    builder->blocked = impi_arena_allocate_array(arena, most, sizeof(bool));
    if (!builder->mesh_vertices || !builder->all_positions || !builder->ranks || !builder->members ||
        !builder->positions || !builder->firsts || !builder->neighbours || !builder->taken ||
        !builder->blocked)
        return false;
    for (uint32_t v = 0; v < most; ++v)
        if (body->first_neighbours[v] < body->first_neighbours[v + 1]) {
            size_t i = builder->member_count++;
            builder->mesh_vertices[i] = v;
            builder->all_positions[i] = builder->positions[i] = mesh->arrays.vertices[v];
            builder->members[i] = (uint32_t)i;
        }
    return true;
}

// Leave those members that are vertices of their hull, which has them in the same order.
static void keep_hull_vertices(Builder *builder, const impi_MeshArrays *hull)
{
    size_t kept = 0;
    for (size_t i = 0; i < builder->member_count && kept < hull->vertex_count; ++i)
        if (impi_is_equal(&builder->positions[i], &hull->vertices[kept])) {
            builder->members[kept] = builder->members[i];
            builder->positions[kept] = hull->vertices[kept];
            ++kept;
        }
    builder->member_count = kept;
}

// For now a level's neighbours are the corners of its triangles, until numbers are known.
static imp_Status add_level(Builder *builder, const impi_MeshArrays *hull)
{
    ChungWangHierarchy *hierarchy = builder->hierarchy;
    IMPI_ARRAY(ChungWangLevel)
    levels = {hierarchy->levels, hierarchy->level_count, hierarchy->level_capacity};
    bool has_room = impi_array_reserve(&hierarchy->allocator, &levels, sizeof *levels.data, levels.count + 1);
    hierarchy->levels = levels.data;
    hierarchy->level_capacity = levels.capacity;
    if (!has_room)
        return impi_fail_out_of_memory(builder->context);
    ChungWangLevel *level = &hierarchy->levels[hierarchy->level_count++];
    *level = (ChungWangLevel){.vertex_count = (uint32_t)hull->vertex_count,
                              .triangle_count = hull->triangle_count};
    level->firsts = impi_allocate_array(&hierarchy->allocator, hull->vertex_count + 1, sizeof(uint32_t));
    level->neighbours =
        impi_allocate_array(&hierarchy->allocator, 3 * hull->triangle_count, sizeof(uint32_t));
    if (!level->firsts || !level->neighbours)
        return impi_fail_out_of_memory(builder->context);
    for (size_t i = 0; i < 3 * hull->triangle_count; ++i)
        level->neighbours[i] = builder->members[hull->indices[i]];
    return IMP_STATUS_OK;
}

static imp_Status make_level(Builder *builder)
{
    impi_MeshArrays hull;
    imp_ConvexDef def = {.points = &builder->positions->x, .point_count = builder->member_count};
    imp_Status status = impi_hull_find(builder->context, &def, &hull);
    if (status != IMP_STATUS_OK)
        return status;
    keep_hull_vertices(builder, &hull);
    status = add_level(builder, &hull);
    if (status == IMP_STATUS_OK)
        status = chung_wang_list_neighbours(builder->context, hull.indices, hull.triangle_count,
                                            hull.vertex_count, builder->firsts, builder->neighbours);
    impi_mesh_arrays_release(&builder->context->allocator, &hull);
    return status;
}

static void take(Builder *builder, uint32_t vertex)
{
    builder->taken[vertex] = builder->blocked[vertex] = true;
    for (uint32_t i = builder->firsts[vertex]; i < builder->firsts[vertex + 1]; ++i)
        builder->blocked[builder->neighbours[i]] = true;
}

// Mark vertices that are no neighbours of each other, those with fewest neighbours first.
static size_t mark_independent(Builder *builder)
{
    size_t taken_count = 0;
    for (size_t v = 0; v < builder->member_count; ++v)
        builder->taken[v] = builder->blocked[v] = false;
    for (uint32_t degree = 3; degree <= MAX_DEGREE; ++degree)
        for (uint32_t v = 0; v < builder->member_count; ++v) {
            bool fits = builder->firsts[v + 1] - builder->firsts[v] == degree && !builder->blocked[v];
            if (fits && builder->member_count - taken_count > SIMPLEX_COUNT) {
                take(builder, v);
                ++taken_count;
            }
        }
    return taken_count;
}

static bool is_solid(const imp_Vec3 *positions, size_t count)
{
    uint32_t ignored[4];
    impi_HullPoints points = {(const char *)positions, sizeof *positions, count};
    impi_Watch nobody = {.is_active = false};
    return count >= SIMPLEX_COUNT && impi_hull_simplex(&nobody, &points, ignored) == 3;
}

// Take vertices away, which get the highest numbers. False, and nothing is changed but `positions`, when
// there is nothing to take away or the rest would be flat.
static bool shrink(Builder *builder)
{
    size_t left = 0, taken_count = mark_independent(builder);
    for (size_t i = 0; i < builder->member_count; ++i)
        if (!builder->taken[i])
            builder->positions[left++] = builder->all_positions[builder->members[i]];
    if (taken_count == 0 || !is_solid(builder->positions, left))
        return false;
    uint32_t rank = (uint32_t)left;
    left = 0;
    for (size_t i = 0; i < builder->member_count; ++i) {
        if (builder->taken[i])
            builder->ranks[builder->members[i]] = rank++;
        else
            builder->members[left++] = builder->members[i];
    }
    builder->member_count = left;
    return true;
}

static imp_Status finish(Builder *builder)
{
    imp_Context *context = builder->context;
    ChungWangHierarchy *hierarchy = builder->hierarchy;
    for (size_t i = 0; i < builder->member_count; ++i)
        builder->ranks[builder->members[i]] = (uint32_t)i;
    size_t vertex_count = hierarchy->levels[0].vertex_count;
    hierarchy->vertex_count = vertex_count;
    hierarchy->positions = impi_allocate_array(&hierarchy->allocator, vertex_count, sizeof(imp_Vec3));
    hierarchy->mesh_vertices = impi_allocate_array(&hierarchy->allocator, vertex_count, sizeof(uint32_t));
    uint32_t *indices = impi_arena_allocate_array(&context->scratch, 3 * hierarchy->levels[0].triangle_count,
                                                  sizeof *indices);
    if (!hierarchy->positions || !hierarchy->mesh_vertices || !indices)
        return impi_fail_out_of_memory(context);
    imp_Status status = IMP_STATUS_OK;
    for (size_t l = 0; l < hierarchy->level_count && status == IMP_STATUS_OK; ++l) {
        ChungWangLevel *level = &hierarchy->levels[l];
        for (size_t i = 0; i < 3 * level->triangle_count; ++i) {
            uint32_t vertex = level->neighbours[i], rank = builder->ranks[vertex];
            indices[i] = rank;
            hierarchy->positions[rank] = builder->all_positions[vertex];
            hierarchy->mesh_vertices[rank] = builder->mesh_vertices[vertex];
        }
        status = chung_wang_list_neighbours(context, indices, level->triangle_count, level->vertex_count,
                                            level->firsts, level->neighbours);
    }
    return status;
}

imp_Status chung_wang_hierarchy_create(imp_Context *context, const ChungWangBody *body,
                                       ChungWangHierarchy **hierarchy)
{
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    ChungWangHierarchy *made = impi_allocate(&context->allocator, sizeof *made);
    if (!made)
        return impi_fail_out_of_memory(context);
    *made = (ChungWangHierarchy){.allocator = context->allocator};
    Builder builder = {.context = context, .hierarchy = made};
    imp_Status status = builder_begin(&builder, body) ? IMP_STATUS_OK : impi_fail_out_of_memory(context);
    if (status == IMP_STATUS_OK)
        status = make_level(&builder);
    while (status == IMP_STATUS_OK && shrink(&builder))
        status = make_level(&builder);
    if (status == IMP_STATUS_OK)
        status = finish(&builder);
    impi_arena_rewind(&context->scratch, mark);
    if (status == IMP_STATUS_OK)
        *hierarchy = made;
    else
        chung_wang_hierarchy_destroy(made);
    return status;
}

void chung_wang_hierarchy_destroy(ChungWangHierarchy *hierarchy)
{
    if (!hierarchy)
        return;
    imp_Allocator allocator = hierarchy->allocator;
    for (size_t l = 0; l < hierarchy->level_count; ++l) {
        const ChungWangLevel *level = &hierarchy->levels[l];
        impi_release(&allocator, level->firsts, (level->vertex_count + (size_t)1) * sizeof *level->firsts);
        impi_release(&allocator, level->neighbours, 3 * level->triangle_count * sizeof *level->neighbours);
    }
    impi_release(&allocator, hierarchy->levels, hierarchy->level_capacity * sizeof *hierarchy->levels);
    impi_release(&allocator, hierarchy->positions, hierarchy->vertex_count * sizeof *hierarchy->positions);
    impi_release(&allocator, hierarchy->mesh_vertices,
                 hierarchy->vertex_count * sizeof *hierarchy->mesh_vertices);
    impi_release(&allocator, hierarchy, sizeof *hierarchy);
}

// The best vertex so far.
typedef struct Search {
    const imp_Vec3 *positions;
    imp_Vec3 direction;
    double along;
    uint32_t vertex, visit_count;
} Search;

static void visit(Search *search, uint32_t vertex)
{
    const imp_Vec3 *p = &search->positions[vertex];
    double along = (search->direction.x * p->x + search->direction.y * p->y) + search->direction.z * p->z;
    if (search->visit_count++ == 0 || along > search->along) {
        search->along = along;
        search->vertex = vertex;
    }
}

uint32_t chung_wang_hierarchy_support(const ChungWangHierarchy *hierarchy, imp_Vec3 direction,
                                      uint32_t *visit_count)
{
    Search search = {.positions = hierarchy->positions, .direction = direction};
    size_t l = hierarchy->level_count - 1;
    for (uint32_t v = 0; v < hierarchy->levels[l].vertex_count; ++v)
        visit(&search, v);
    while (l-- > 0) {
        const ChungWangLevel *level = &hierarchy->levels[l];
        uint32_t from = search.vertex;
        for (uint32_t i = level->firsts[from]; i < level->firsts[from + 1]; ++i)
            visit(&search, level->neighbours[i]);
    }
    if (visit_count)
        *visit_count = search.visit_count;
    return hierarchy->mesh_vertices[search.vertex];
}
