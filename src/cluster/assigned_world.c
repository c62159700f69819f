#include "cluster/assigned_world.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int compare_keys(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

// Slots in the order of bodies, so that pairs keep their order and a world finds the same about them.
static bool list_bodies(impi_RankMeshes *meshes, const imp_IndexPair *pairs, size_t count,
                        impi_AssignedWorld *assigned, uint32_t *body_count)
{
    uint32_t *slots = impi_cluster_allocate(meshes->cluster, meshes->body_count, sizeof *slots);
    uint32_t *bodies = impi_rank_meshes_allocate(meshes, meshes->body_count + 1, sizeof *bodies);
    assigned->pairs = impi_rank_meshes_allocate(meshes, count, sizeof *assigned->pairs);
    if (!slots || !bodies || !assigned->pairs)
        return false;
    memset(slots, 0, meshes->body_count * sizeof *slots);
    for (size_t i = 0; i < count; ++i)
        slots[pairs[i].a] = slots[pairs[i].b] = 1;
    *body_count = 0;
    for (uint32_t i = 0; i < meshes->body_count; ++i)
        if (slots[i]) {
            slots[i] = ++*body_count;
            bodies[slots[i]] = i;
        }
    for (size_t i = 0; i < count; ++i)
        assigned->pairs[i] = (uint64_t)slots[pairs[i].a] << 32 | slots[pairs[i].b];
    qsort(assigned->pairs, count, sizeof *assigned->pairs, compare_keys);
    assigned->pair_count = count;
    assigned->bodies = bodies;
    return true;
}

static bool is_assigned(imp_BodyId a, imp_BodyId b, void *user)
{
    const impi_AssignedWorld *assigned = user;
    uint64_t key = (uint64_t)a.slot << 32 | b.slot;
    return bsearch(&key, assigned->pairs, assigned->pair_count, sizeof key, compare_keys);
}

static imp_Status fill(const impi_RankMeshes *meshes, uint32_t body_count, impi_AssignedWorld *assigned)
{
    imp_WorldDef def = {.expected_body_count = body_count};
    imp_Status status = imp_world_create(meshes->cluster->context, &def, &assigned->world);
    if (status == IMP_STATUS_OK)
        status = imp_world_set_pair_filter(assigned->world, is_assigned, assigned);
    for (uint32_t slot = 1; slot <= body_count && status == IMP_STATUS_OK; ++slot) {
        uint32_t number = assigned->bodies[slot];
        imp_BodyDef body = {.mesh = meshes->meshes[meshes->of_body[number]],
                            .pose = meshes->bodies[number].pose};
        imp_BodyId id = {0};
        status = imp_world_add_body(assigned->world, &body, &id);
        assert(status != IMP_STATUS_OK || id.slot == slot);
    }
    return status;
}

void impi_assigned_world_detect(impi_RankMeshes *meshes, const imp_IndexPair *pairs, size_t count,
                                imp_DetectMode mode, impi_AssignedWorld *assigned)
{
    uint32_t body_count;
    *assigned = (impi_AssignedWorld){.world = NULL};
    if (!list_bodies(meshes, pairs, count, assigned, &body_count))
        return;
    imp_DetectDef def = {.mode = mode};
    imp_Status status = fill(meshes, body_count, assigned);
    if (status == IMP_STATUS_OK)
        status = imp_world_detect(assigned->world, &def, &assigned->report);
    impi_cluster_keep(meshes->cluster, status, IMPI_CLUSTER_NO_ORDER);
}

void impi_assigned_world_destroy(impi_AssignedWorld *assigned)
{
    imp_world_destroy(assigned->world);
    assigned->world = NULL;
}
