// Queries on two meshes: a world of two bodies in a context of its own, kept ready for the next question.
#include "base/array.h"
#include "base/call.h"
#include "world/distance.h"

#include <impinge/query.h>
#include <impinge/world.h>

#include <stdlib.h>
#include <string.h>

struct imp_Query {
    imp_Allocator allocator;
    imp_Context *context;
    imp_World *world;
    imp_Mesh *meshes[2]; // held by the bodies
    imp_BodyId bodies[2];
    IMPI_ARRAY(uint32_t) relations;
    IMPI_ARRAY(imp_FacePair) pairs;
    IMPI_ARRAY(size_t) ends;
    IMPI_ARRAY(imp_Distance) distances;
};

imp_Status imp_query_create(const imp_Allocator *allocator, imp_Query **query)
{
    if (!query)
        return IMP_STATUS_BAD_ARGUMENT;
    imp_Context *context;
    imp_ContextDef def = {0};
    if (allocator)
        def.allocator = *allocator;
    imp_Status status = impi_context_make(&def, NULL, &context);
    if (status != IMP_STATUS_OK)
        return status;
    imp_Query *made = impi_allocate(&context->allocator, sizeof *made);
    if (made) {
        *made = (imp_Query){.allocator = context->allocator, .context = context};
        status = imp_world_create(context, NULL, &made->world);
    } else {
        status = IMP_STATUS_OUT_OF_MEMORY;
    }
    if (status != IMP_STATUS_OK) {
        impi_release(&context->allocator, made, sizeof *made);
        imp_context_destroy(context);
        return status;
    }
    *query = made;
    return IMP_STATUS_OK;
}

void imp_query_destroy(imp_Query *query)
{
    if (!query || impi_context_is_lost(query->context))
        return;
    imp_Allocator allocator = query->allocator;
    imp_world_destroy(query->world);
    impi_array_free(&allocator, &query->relations, sizeof *query->relations.data);
    impi_array_free(&allocator, &query->pairs, sizeof *query->pairs.data);
    impi_array_free(&allocator, &query->ends, sizeof *query->ends.data);
    impi_array_free(&allocator, &query->distances, sizeof *query->distances.data);
    imp_context_destroy(query->context);
    impi_release(&allocator, query, sizeof *query);
}

const imp_Error *imp_query_get_error(const imp_Query *query)
{
    return imp_context_get_error(query ? query->context : NULL);
}

static imp_Status check_query(const imp_Query *query)
{
    return impi_context_check(query ? query->context : NULL);
}

static imp_Status fail_no_question(imp_Query *query)
{
    return impi_fail(query->context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                     "the question or its answer is null");
}

// Have a body of `mesh` as number `i`.
static imp_Status have_mesh(imp_Query *query, int i, imp_Mesh *mesh)
{
    if (query->meshes[i] == mesh)
        return IMP_STATUS_OK;
    imp_BodyId body;
    imp_Status status = imp_world_add_body(query->world, &(imp_BodyDef){.mesh = mesh}, &body);
    if (status != IMP_STATUS_OK)
        return status;
    if (query->meshes[i])
        status = imp_world_remove_body(query->world, query->bodies[i]);
    query->meshes[i] = mesh;
    query->bodies[i] = body;
    return status;
}

static imp_Status prepare(imp_Query *query, const imp_MeshPair *meshes)
{
    if (!meshes->a || !meshes->b || (meshes->pose_count > 0 && !meshes->poses_b))
        return impi_fail(query->context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "a mesh or the poses of b are null");
    imp_Status status = have_mesh(query, 0, meshes->a);
    if (status == IMP_STATUS_OK)
        status = have_mesh(query, 1, meshes->b);
    if (status == IMP_STATUS_OK)
        status = imp_body_set_pose(query->world, query->bodies[0], meshes->pose_a);
    return status;
}

static imp_Status set_pose(imp_Query *query, const imp_MeshPair *meshes, size_t pose)
{
    imp_Status status = imp_body_set_pose(query->world, query->bodies[1], meshes->poses_b[pose]);
    if (status != IMP_STATUS_OK)
        query->context->error.index = pose;
    return status;
}

static imp_Status detect(imp_Query *query, const imp_MeshPair *meshes, size_t pose, const imp_DetectDef *def,
                         const imp_Report **report)
{
    imp_Status status = set_pose(query, meshes, pose);
    return status == IMP_STATUS_OK ? imp_world_detect(query->world, def, report) : status;
}

// Bodies may stand in either order of slots; a is the question's a.
static bool is_swapped(const imp_Query *query)
{
    return query->bodies[0].slot > query->bodies[1].slot;
}

static uint32_t orient_relations(const imp_Query *query, uint32_t relations)
{
    const uint32_t inside = IMP_RELATION_A_INSIDE_B | IMP_RELATION_B_INSIDE_A;
    bool is_one = (relations & inside) != 0 && (relations & inside) != inside;
    return is_one && is_swapped(query) ? relations ^ inside : relations;
}

// Of each pose, into the query's own memory.
static imp_Status find_relations(imp_Query *query, const imp_MeshPair *meshes, const imp_DetectDef *def)
{
    imp_Status status = prepare(query, meshes);
    if (status == IMP_STATUS_OK && !impi_array_reserve(&query->allocator, &query->relations,
                                                       sizeof *query->relations.data, meshes->pose_count))
        status = impi_fail_out_of_memory(query->context);
    for (size_t i = 0; status == IMP_STATUS_OK && i < meshes->pose_count; ++i) {
        const imp_Report *report;
        status = detect(query, meshes, i, def, &report);
        if (status == IMP_STATUS_OK)
            query->relations.data[i] =
                report->body_pair_count > 0 ? orient_relations(query, report->body_pairs[0].relations) : 0;
    }
    return status;
}

static imp_Status find_touching(imp_Query *query, const imp_MeshPair *meshes, bool *touch)
{
    const imp_DetectDef def = {.mode = IMP_DETECT_BODIES, .ignore_containment = true};
    imp_Status status = find_relations(query, meshes, &def);
    for (size_t i = 0; status == IMP_STATUS_OK && i < meshes->pose_count; ++i)
        touch[i] = (query->relations.data[i] & IMP_RELATION_TOUCH) != 0;
    return status;
}

static imp_Status tell_relations(imp_Query *query, const imp_MeshPair *meshes, uint32_t *relations)
{
    imp_Status status = find_relations(query, meshes, &(imp_DetectDef){.mode = IMP_DETECT_BODIES});
    if (status == IMP_STATUS_OK && meshes->pose_count > 0)
        memcpy(relations, query->relations.data, meshes->pose_count * sizeof *relations);
    return status;
}

imp_Status imp_meshes_touch(imp_Query *query, const imp_MeshPair *meshes, bool *touch)
{
    imp_Status status = check_query(query);
    if (status != IMP_STATUS_OK)
        return status;
    if (!meshes || (meshes->pose_count > 0 && !touch))
        return fail_no_question(query);
    impi_FloatGuard guard = impi_call_begin(query->context);
    return impi_call_end(query->context, guard, find_touching(query, meshes, touch));
}

imp_Status imp_meshes_relations(imp_Query *query, const imp_MeshPair *meshes, uint32_t *relations)
{
    imp_Status status = check_query(query);
    if (status != IMP_STATUS_OK)
        return status;
    if (!meshes || (meshes->pose_count > 0 && !relations))
        return fail_no_question(query);
    impi_FloatGuard guard = impi_call_begin(query->context);
    return impi_call_end(query->context, guard, tell_relations(query, meshes, relations));
}

static imp_FacePair orient_pair(const imp_Query *query, const imp_TouchingFaces *faces)
{
    return is_swapped(query) ? (imp_FacePair){faces->face_b, faces->face_a}
                             : (imp_FacePair){faces->face_a, faces->face_b};
}

static int compare_pairs(const void *left, const void *right)
{
    const imp_FacePair *a = left, *b = right;
    if (a->face_a != b->face_a)
        return a->face_a < b->face_a ? -1 : 1;
    return (a->face_b > b->face_b) - (a->face_b < b->face_b);
}

static imp_Status append_pairs(imp_Query *query, const imp_Report *report)
{
    size_t count = report->face_pair_count;
    if (count == 0)
        return IMP_STATUS_OK;
    if (!impi_array_reserve(&query->allocator, &query->pairs, sizeof *query->pairs.data,
                            query->pairs.count + count))
        return impi_fail_out_of_memory(query->context);
    imp_FacePair *added = query->pairs.data + query->pairs.count;
    for (size_t i = 0; i < count; ++i)
        added[i] = orient_pair(query, &report->face_pairs[i]);
    if (is_swapped(query))
        qsort(added, count, sizeof *added, compare_pairs);
    query->pairs.count += count;
    return IMP_STATUS_OK;
}

// All face pairs of one pose, counted in `*total`, and kept while there is room for those of all poses.
static imp_Status find_in_pose(imp_Query *query, const imp_MeshPair *meshes, size_t pose, size_t capacity,
                               size_t *total)
{
    const imp_Report *report;
    size_t room = *total < capacity ? capacity - *total : 1; // a limit of 0 is none
    const imp_DetectDef def = {.max_face_pairs = room, .count_all = true, .ignore_containment = true};
    imp_Status status = detect(query, meshes, pose, &def, &report);
    if (status != IMP_STATUS_OK)
        return status;
    *total += (size_t)report->face_pair_total;
    return *total <= capacity ? append_pairs(query, report) : IMP_STATUS_OK;
}

static imp_Status find_face_pairs(imp_Query *query, const imp_MeshPair *meshes, size_t capacity,
                                  size_t *total)
{
    imp_Status status = prepare(query, meshes);
    if (status == IMP_STATUS_OK &&
        !impi_array_reserve(&query->allocator, &query->ends, sizeof *query->ends.data, meshes->pose_count))
        status = impi_fail_out_of_memory(query->context);
    query->pairs.count = 0;
    for (size_t i = 0; status == IMP_STATUS_OK && i < meshes->pose_count; ++i) {
        status = find_in_pose(query, meshes, i, capacity, total);
        if (status == IMP_STATUS_OK)
            query->ends.data[i] = *total;
    }
    return status;
}

imp_Status imp_meshes_face_pairs(imp_Query *query, const imp_MeshPair *meshes, imp_FacePair *pairs,
                                 size_t capacity, size_t *ends, size_t *count)
{
    imp_Status status = check_query(query);
    if (status != IMP_STATUS_OK)
        return status;
    if (!meshes || !count || (capacity > 0 && !pairs))
        return fail_no_question(query);
    size_t total = 0;
    impi_FloatGuard guard = impi_call_begin(query->context);
    status = impi_call_end(query->context, guard, find_face_pairs(query, meshes, capacity, &total));
    if (status != IMP_STATUS_OK)
        return status;
    *count = total;
    if (total > capacity)
        return impi_fail(query->context, IMP_STATUS_BUFFER_SHORT, IMP_NOWHERE,
                         "%zu face pairs touch, but there is room for %zu", total, capacity);
    if (query->pairs.count > 0)
        memcpy(pairs, query->pairs.data, query->pairs.count * sizeof *pairs);
    if (ends && meshes->pose_count > 0)
        memcpy(ends, query->ends.data, meshes->pose_count * sizeof *ends);
    return IMP_STATUS_OK;
}

static imp_Status find_distances(imp_Query *query, const imp_MeshPair *meshes, const imp_DistanceDef *def,
                                 imp_Distance *results)
{
    imp_Status status = def ? impi_check_distance_def(query->context, def) : IMP_STATUS_OK;
    if (status == IMP_STATUS_OK)
        status = prepare(query, meshes);
    if (status == IMP_STATUS_OK && !impi_array_reserve(&query->allocator, &query->distances,
                                                       sizeof *query->distances.data, meshes->pose_count))
        status = impi_fail_out_of_memory(query->context);
    for (size_t i = 0; status == IMP_STATUS_OK && i < meshes->pose_count; ++i) {
        status = set_pose(query, meshes, i);
        if (status == IMP_STATUS_OK)
            status = imp_world_distance(query->world, query->bodies[0], query->bodies[1], def,
                                        &query->distances.data[i]);
    }
    if (status == IMP_STATUS_OK && meshes->pose_count > 0)
        memcpy(results, query->distances.data, meshes->pose_count * sizeof *results);
    return status;
}

imp_Status imp_meshes_distance(imp_Query *query, const imp_MeshPair *meshes, const imp_DistanceDef *def,
                               imp_Distance *results)
{
    imp_Status status = check_query(query);
    if (status != IMP_STATUS_OK)
        return status;
    if (!meshes || (meshes->pose_count > 0 && !results))
        return fail_no_question(query);
    impi_FloatGuard guard = impi_call_begin(query->context);
    return impi_call_end(query->context, guard, find_distances(query, meshes, def, results));
}
