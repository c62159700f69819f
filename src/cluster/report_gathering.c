#include "cluster/report_gathering.h"

#include <stdlib.h>
#include <string.h>

// Rows of all ranks, one rank after the other, on rank 0, in scratch memory.
static imp_Status send_to_first(impi_Cluster *cluster, const void *rows, size_t count, size_t size,
                                void **received, size_t *received_count)
{
    impi_Routes routes = impi_cluster_routes(cluster);
    for (uint32_t rank = 0; routes.sent_starts && rank < cluster->exchange->rank_count; ++rank)
        routes.sent_starts[rank + 1] = count;
    imp_Status status = impi_cluster_post(cluster, &routes);
    if (status != IMP_STATUS_OK)
        return status;
    *received_count = impi_routes_received(cluster, &routes);
    *received = impi_cluster_allocate(cluster, *received_count, size);
    status = impi_cluster_agree(cluster);
    if (status != IMP_STATUS_OK)
        return status;
    impi_cluster_deliver(cluster, size, rows, *received, &routes);
    impi_cluster_deliver_own(cluster, size, rows, *received, &routes);
    return IMP_STATUS_OK;
}

// ---- what travels

typedef struct PairRow {
    imp_BodyPair pair;
    uint64_t face_pair_count;
    uint64_t first_face_pair; // among those of all ranks; set where they are gathered
} PairRow;

typedef struct Rows {
    PairRow *pairs;
    imp_FacePair *faces; // pair by pair
    imp_OpenContainer *containers;
    size_t pair_count, face_count, container_count;
} Rows;

static imp_BodyId among_all(const impi_AssignedWorld *assigned, imp_BodyId id)
{
    return (imp_BodyId){assigned->bodies[id.slot] + 1, id.generation};
}

static uint64_t count_faces(const imp_Report *report, size_t first, const imp_BodyPair *pair)
{
    size_t end = first;
    while (end < report->face_pair_count && report->face_pairs[end].body_a.slot == pair->body_a.slot &&
           report->face_pairs[end].body_b.slot == pair->body_b.slot)
        ++end;
    return end - first;
}

static imp_Status list_own(impi_Cluster *cluster, const impi_AssignedWorld *assigned, Rows *own)
{
    const imp_Report *report = assigned->report;
    *own = (Rows){.pair_count = report->body_pair_count,
                  .face_count = report->face_pair_count,
                  .container_count = report->open_container_count};
    own->pairs = impi_cluster_allocate(cluster, own->pair_count, sizeof *own->pairs);
    own->faces = impi_cluster_allocate(cluster, own->face_count, sizeof *own->faces);
    own->containers = impi_cluster_allocate(cluster, own->container_count, sizeof *own->containers);
    imp_Status status = impi_cluster_agree(cluster);
    if (status != IMP_STATUS_OK)
        return status;
    size_t next = 0;
    for (size_t i = 0; i < own->pair_count; ++i) {
        imp_BodyPair pair = report->body_pairs[i];
        uint64_t face_pair_count = count_faces(report, next, &pair);
        next += (size_t)face_pair_count;
        pair.body_a = among_all(assigned, pair.body_a);
        pair.body_b = among_all(assigned, pair.body_b);
        own->pairs[i] = (PairRow){.pair = pair, .face_pair_count = face_pair_count};
    }
    for (size_t i = 0; i < own->face_count; ++i)
        own->faces[i] = (imp_FacePair){report->face_pairs[i].face_a, report->face_pairs[i].face_b};
    for (size_t i = 0; i < own->container_count; ++i)
        own->containers[i] = (imp_OpenContainer){among_all(assigned, report->open_containers[i].inner),
                                                 among_all(assigned, report->open_containers[i].outer)};
    return IMP_STATUS_OK;
}

static imp_Status gather_rows(impi_Cluster *cluster, const Rows *own, Rows *all)
{
    void *pairs, *faces, *containers;
    imp_Status status =
        send_to_first(cluster, own->pairs, own->pair_count, sizeof *own->pairs, &pairs, &all->pair_count);
    if (status == IMP_STATUS_OK)
        status =
            send_to_first(cluster, own->faces, own->face_count, sizeof *own->faces, &faces, &all->face_count);
    if (status == IMP_STATUS_OK)
        status = send_to_first(cluster, own->containers, own->container_count, sizeof *own->containers,
                               &containers, &all->container_count);
    if (status != IMP_STATUS_OK)
        return status;
    all->pairs = pairs;
    all->faces = faces;
    all->containers = containers;
    return IMP_STATUS_OK;
}

// ---- in the order of a world's report

static int compare_slots(imp_BodyId a, imp_BodyId b)
{
    return (a.slot > b.slot) - (a.slot < b.slot);
}

static int compare_pairs(const void *left, const void *right)
{
    const PairRow *a = left, *b = right;
    int order = compare_slots(a->pair.body_a, b->pair.body_a);
    return order ? order : compare_slots(a->pair.body_b, b->pair.body_b);
}

// By the pair of bodies; of two that are in each other's boxes first the one that is inner of lesser slot.
static int compare_containers(const void *left, const void *right)
{
    const imp_OpenContainer *a = left, *b = right;
    bool is_up_a = a->inner.slot < a->outer.slot, is_up_b = b->inner.slot < b->outer.slot;
    int order = compare_slots(is_up_a ? a->inner : a->outer, is_up_b ? b->inner : b->outer);
    if (order == 0)
        order = compare_slots(is_up_a ? a->outer : a->inner, is_up_b ? b->outer : b->inner);
    return order ? order : is_up_b - is_up_a;
}

static void sort_rows(Rows *all)
{
    uint64_t first = 0;
    for (size_t i = 0; i < all->pair_count; ++i) {
        all->pairs[i].first_face_pair = first;
        first += all->pairs[i].face_pair_count;
    }
    qsort(all->pairs, all->pair_count, sizeof *all->pairs, compare_pairs);
    qsort(all->containers, all->container_count, sizeof *all->containers, compare_containers);
}

static void put_pair(const Rows *all, const PairRow *row, imp_BodyPair *pair, imp_TouchingFaces *faces)
{
    *pair = row->pair;
    for (size_t i = 0; i < row->face_pair_count; ++i) {
        imp_FacePair found = all->faces[row->first_face_pair + i];
        faces[i] = (imp_TouchingFaces){row->pair.body_a, found.face_a, row->pair.body_b, found.face_b};
    }
}

static void put_report(impi_Cluster *cluster, const Rows *all, impi_RankReport *gathered)
{
    imp_BodyPair *pairs = impi_cluster_allocate_in(cluster, &gathered->arena, all->pair_count, sizeof *pairs);
    imp_TouchingFaces *faces =
        impi_cluster_allocate_in(cluster, &gathered->arena, all->face_count, sizeof *faces);
    imp_OpenContainer *containers =
        impi_cluster_allocate_in(cluster, &gathered->arena, all->container_count, sizeof *containers);
    if (!pairs || !faces || !containers)
        return;
    size_t next = 0;
    for (size_t i = 0; i < all->pair_count; ++i) {
        put_pair(all, &all->pairs[i], &pairs[i], &faces[next]);
        next += (size_t)all->pairs[i].face_pair_count;
    }
    if (all->container_count > 0)
        memcpy(containers, all->containers, all->container_count * sizeof *containers);
    gathered->report = (imp_Report){.body_pairs = pairs,
                                    .body_pair_count = all->pair_count,
                                    .face_pairs = faces,
                                    .face_pair_count = all->face_count,
                                    .face_pair_total = all->face_count,
                                    .open_containers = containers,
                                    .open_container_count = all->container_count};
}

imp_Status impi_report_gather(impi_Cluster *cluster, const impi_AssignedWorld *assigned,
                              impi_RankReport *gathered)
{
    Rows own, all;
    imp_Status status = list_own(cluster, assigned, &own);
    if (status == IMP_STATUS_OK)
        status = gather_rows(cluster, &own, &all);
    if (status != IMP_STATUS_OK)
        return status;
    if (cluster->exchange->rank == 0) {
        sort_rows(&all);
        put_report(cluster, &all, gathered);
    }
    return impi_cluster_agree(cluster);
}

// ---- meshes

// Remarks as one text each, ended by a zero; nothing but that zero where there is none.
static size_t put_remarks(const impi_RankMeshes *meshes, char *text)
{
    size_t size = 0;
    for (size_t i = meshes->cluster->exchange->rank; i < meshes->count;
         i += meshes->cluster->exchange->rank_count) {
        const char *remark = meshes->facts[i].remark ? meshes->facts[i].remark : "";
        size_t length = strlen(remark) + 1;
        if (text)
            memcpy(text + size, remark, length);
        size += length;
    }
    return size;
}

static void take_remarks(const impi_RankMeshes *meshes, const char *text, impi_MeshFacts *facts)
{
    uint32_t rank_count = meshes->cluster->exchange->rank_count;
    for (uint32_t rank = 0; rank < rank_count; ++rank)
        for (size_t i = rank; i < meshes->count; i += rank_count) {
            facts[i].remark = *text ? text : NULL;
            text += strlen(text) + 1;
        }
}

static void put_facts(const impi_RankMeshes *meshes, const char *text, size_t size, impi_RankReport *gathered)
{
    impi_Cluster *cluster = meshes->cluster;
    impi_MeshFacts *facts = impi_cluster_allocate_in(cluster, &gathered->arena, meshes->count, sizeof *facts);
    uint32_t *of_body =
        impi_cluster_allocate_in(cluster, &gathered->arena, meshes->body_count, sizeof *of_body);
    char *remarks = impi_cluster_allocate_in(cluster, &gathered->arena, size, 1);
    if (!facts || !of_body || !remarks)
        return;
    memcpy(facts, meshes->facts, meshes->count * sizeof *facts);
    memcpy(of_body, meshes->of_body, meshes->body_count * sizeof *of_body);
    memcpy(remarks, text, size);
    take_remarks(meshes, remarks, facts);
    gathered->meshes = facts;
    gathered->mesh_count = meshes->count;
    gathered->mesh_of_body = of_body;
}

imp_Status impi_facts_gather(const impi_RankMeshes *meshes, impi_RankReport *gathered)
{
    impi_Cluster *cluster = meshes->cluster;
    size_t own_size = put_remarks(meshes, NULL), size;
    char *own = impi_cluster_allocate(cluster, own_size, 1);
    void *all;
    if (own)
        put_remarks(meshes, own);
    imp_Status status = send_to_first(cluster, own, own_size, 1, &all, &size);
    if (status != IMP_STATUS_OK)
        return status;
    if (cluster->exchange->rank == 0)
        put_facts(meshes, all, size, gathered);
    return impi_cluster_agree(cluster);
}
