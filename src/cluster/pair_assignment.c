// A pair goes to the holder of the larger mesh, so that the smaller one travels, unless that rank is full:
// the pairs that it has before this one, in the order of ranks and their lists, make more than the mean by a
// tenth. Pairs that are left over fill up those ranks that have less than the mean, one after the other, so
// that pairs of the same body, which stand together, mostly stay together. A pair counts for the faces of its
// two bodies; counts, not times, so that it is the same each time.
//
// Nobody looks at all pairs: each rank is told by the others how much they have for it, and tells each how
// much of that it takes.
#include "cluster/pair_assignment.h"

#include "broad/pair_store.h"

#include "cluster/key_cuts.h"
#include "cluster/mailing.h"

#include <string.h>

typedef struct Assignment {
    impi_RankMeshes *meshes;
    impi_Cluster *cluster;
    const imp_IndexPair *pairs;
    size_t count;
    uint64_t mean, limit; // of what a rank is to do
    uint64_t *ranks;      // that each pair goes to
    uint64_t *quotas;     // for each rank: how much of this rank's pairs it takes; first how much there is
    uint64_t *loads;      // of all ranks
} Assignment;

static size_t face_count(const Assignment *assignment, uint32_t body)
{
    const impi_RankMeshes *meshes = assignment->meshes;
    return meshes->facts[meshes->of_body[body]].triangle_count;
}

static uint64_t pair_load(const Assignment *assignment, size_t pair)
{
    return face_count(assignment, assignment->pairs[pair].a) +
           (uint64_t)face_count(assignment, assignment->pairs[pair].b);
}

static uint32_t holder_of_larger(const Assignment *assignment, size_t pair)
{
    const impi_RankMeshes *meshes = assignment->meshes;
    imp_IndexPair bodies = assignment->pairs[pair];
    bool is_a = face_count(assignment, bodies.a) >= face_count(assignment, bodies.b);
    return impi_mesh_holder(meshes, meshes->of_body[is_a ? bodies.a : bodies.b]);
}

// ---- who takes how much

static imp_Status allocate(Assignment *assignment)
{
    impi_Cluster *cluster = assignment->cluster;
    uint32_t rank_count = cluster->exchange->rank_count;
    assignment->ranks = impi_cluster_allocate(cluster, assignment->count, sizeof *assignment->ranks);
    assignment->quotas = impi_cluster_allocate(cluster, rank_count, sizeof *assignment->quotas);
    assignment->loads = impi_cluster_allocate(cluster, rank_count, sizeof *assignment->loads);
    imp_Status status = impi_cluster_agree(cluster);
    if (status == IMP_STATUS_OK)
        memset(assignment->quotas, 0, rank_count * sizeof *assignment->quotas);
    return status;
}

static void count_wishes(Assignment *assignment)
{
    uint64_t total = 0, rank_count = assignment->cluster->exchange->rank_count;
    for (size_t i = 0; i < assignment->count; ++i) {
        uint64_t load = pair_load(assignment, i);
        assignment->ranks[i] = holder_of_larger(assignment, i);
        assignment->quotas[assignment->ranks[i]] += load;
        total += load;
    }
    impi_cluster_all_reduce(assignment->cluster, &total, 1, IMPI_REDUCE_SUM);
    assignment->mean = total / rank_count + (total % rank_count > 0);
    assignment->limit = assignment->mean + assignment->mean / 10;
}

// What this rank is offered by each becomes what it takes from each.
static void accept_offers(const Assignment *assignment, uint64_t *offers)
{
    uint64_t left = assignment->limit;
    for (uint32_t rank = 0; rank < assignment->cluster->exchange->rank_count; ++rank) {
        offers[rank] = offers[rank] < left ? offers[rank] : left;
        left -= offers[rank];
    }
}

static imp_Status find_quotas(Assignment *assignment)
{
    impi_Cluster *cluster = assignment->cluster;
    uint32_t rank_count = cluster->exchange->rank_count;
    impi_Routes one_each = impi_cluster_routes(cluster);
    uint64_t *offers = impi_cluster_allocate(cluster, rank_count, sizeof *offers);
    imp_Status status = impi_cluster_agree(cluster);
    if (status != IMP_STATUS_OK)
        return status;
    for (uint32_t rank = 0; rank <= rank_count; ++rank)
        one_each.sent_starts[rank] = rank;
    status = impi_cluster_post(cluster, &one_each);
    if (status != IMP_STATUS_OK)
        return status;
    impi_cluster_deliver(cluster, sizeof *offers, assignment->quotas, offers, &one_each);
    impi_cluster_deliver_own(cluster, sizeof *offers, assignment->quotas, offers, &one_each);
    accept_offers(assignment, offers);
    impi_cluster_deliver(cluster, sizeof *offers, offers, assignment->quotas, &one_each);
    impi_cluster_deliver_own(cluster, sizeof *offers, offers, assignment->quotas, &one_each);
    return IMP_STATUS_OK;
}

// ---- where pairs go

// Pairs stay with the holder while something is left of the quota; others are marked with the number of
// ranks. Returns how much those are.
static uint64_t use_quotas(Assignment *assignment)
{
    uint32_t rank_count = assignment->cluster->exchange->rank_count;
    uint64_t left_over = 0;
    memset(assignment->loads, 0, rank_count * sizeof *assignment->loads);
    for (size_t i = 0; i < assignment->count; ++i) {
        uint64_t load = pair_load(assignment, i), rank = assignment->ranks[i];
        uint64_t *quota = &assignment->quotas[rank];
        if (*quota == 0) {
            assignment->ranks[i] = rank_count;
            left_over += load;
            continue;
        }
        *quota -= load < *quota ? load : *quota;
        assignment->loads[rank] += load;
    }
    return left_over;
}

// What is left over of all ranks stands in one line, and so does the room that ranks have below the mean, of
// which there is at least as much.
static void spread_left_over(Assignment *assignment, uint64_t left_over)
{
    uint32_t rank_count = assignment->cluster->exchange->rank_count;
    uint64_t *room_ends = assignment->loads, end = 0;
    impi_cluster_all_reduce(assignment->cluster, assignment->loads, rank_count, IMPI_REDUCE_SUM);
    for (uint32_t rank = 0; rank < rank_count; ++rank) {
        uint64_t load = assignment->loads[rank];
        end += load < assignment->mean ? assignment->mean - load : 0;
        room_ends[rank] = end;
    }
    uint64_t place = impi_cluster_prefix_sum(assignment->cluster, left_over);
    for (size_t i = 0; i < assignment->count; ++i)
        if (assignment->ranks[i] == rank_count) {
            assignment->ranks[i] = impi_key_stretch(room_ends, rank_count - 1, place);
            place += pair_load(assignment, i);
        }
}

static imp_Status send_pairs(Assignment *assignment, imp_IndexPair **own_pairs, size_t *own_count)
{
    impi_Cluster *cluster = assignment->cluster;
    impi_Mailing mailing;
    impi_Routes routes = impi_cluster_routes(cluster);
    uint64_t *cuts = assignment->quotas;
    uint32_t rank_count = cluster->exchange->rank_count;
    for (uint32_t rank = 1; rank < rank_count; ++rank)
        cuts[rank - 1] = rank;
    impi_mailing_make(cluster, assignment->ranks, assignment->count, impi_index_bits(rank_count), cuts,
                      &routes, &mailing);
    imp_Status status = impi_cluster_post(cluster, &routes);
    if (status != IMP_STATUS_OK)
        return status;
    size_t received = impi_routes_received(cluster, &routes);
    imp_IndexPair *packed = impi_cluster_allocate(cluster, assignment->count, sizeof *packed);
    imp_IndexPair *own = impi_rank_meshes_allocate(assignment->meshes, received, sizeof *own);
    status = impi_cluster_agree(cluster);
    if (status != IMP_STATUS_OK)
        return status;
    impi_mailing_pack(cluster, &mailing, sizeof *packed, assignment->pairs, packed, own);
    impi_cluster_deliver(cluster, sizeof *packed, packed, own, &routes);
    *own_pairs = own;
    *own_count = received;
    return IMP_STATUS_OK;
}

imp_Status impi_pairs_assign(impi_RankMeshes *meshes, const imp_IndexPair *pairs, size_t count,
                             imp_IndexPair **own_pairs, size_t *own_count)
{
    Assignment assignment = {.meshes = meshes, .cluster = meshes->cluster, .pairs = pairs, .count = count};
    imp_Status status = allocate(&assignment);
    if (status != IMP_STATUS_OK)
        return status;
    count_wishes(&assignment);
    status = find_quotas(&assignment);
    if (status != IMP_STATUS_OK)
        return status;
    spread_left_over(&assignment, use_quotas(&assignment));
    return send_pairs(&assignment, own_pairs, own_count);
}
