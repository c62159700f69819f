#include "cluster/rank_meshes.h"

#include <stdlib.h>
#include <string.h>

// ---- which meshes there are

typedef struct NamedBody {
    const char *path;
    uint32_t body;
} NamedBody;

static int compare_named(const void *left, const void *right)
{
    const NamedBody *a = left, *b = right;
    int order = strcmp(a->path, b->path);
    return order ? order : (a->body > b->body) - (a->body < b->body);
}

// of_body first becomes the first body with the same path, then the number of the mesh.
static void number_meshes(impi_RankMeshes *meshes, NamedBody *named)
{
    for (uint32_t i = 0; i < meshes->body_count; ++i)
        named[i] = (NamedBody){meshes->bodies[i].path, i};
    qsort(named, meshes->body_count, sizeof *named, compare_named);
    for (size_t i = 0, first = 0; i < meshes->body_count; ++i) {
        first = i > 0 && strcmp(named[i].path, named[first].path) == 0 ? first : i;
        meshes->of_body[named[i].body] = named[first].body;
    }
    for (uint32_t i = 0; i < meshes->body_count; ++i)
        if (meshes->of_body[i] == i) {
            meshes->of_body[i] = (uint32_t)meshes->count;
            meshes->first_body[meshes->count++] = i;
        } else {
            meshes->of_body[i] = meshes->of_body[meshes->of_body[i]];
        }
}

static imp_Status find_meshes(impi_RankMeshes *meshes)
{
    NamedBody *named = impi_cluster_allocate(meshes->cluster, meshes->body_count, sizeof *named);
    meshes->of_body = impi_rank_meshes_allocate(meshes, meshes->body_count, sizeof *meshes->of_body);
    meshes->first_body = impi_rank_meshes_allocate(meshes, meshes->body_count, sizeof *meshes->first_body);
    imp_Status status = impi_cluster_agree(meshes->cluster);
    if (status != IMP_STATUS_OK)
        return status;
    number_meshes(meshes, named);
    imp_Mesh **rooms = impi_rank_meshes_allocate(meshes, meshes->count, sizeof(imp_Mesh *));
    meshes->facts = impi_rank_meshes_allocate(meshes, meshes->count, sizeof *meshes->facts);
    for (size_t i = 0; rooms && i < meshes->count; ++i)
        rooms[i] = NULL;
    meshes->meshes = rooms;
    return impi_cluster_agree(meshes->cluster);
}

// ---- reading

static bool is_held(const impi_RankMeshes *meshes, uint32_t mesh)
{
    return impi_mesh_holder(meshes, mesh) == meshes->cluster->exchange->rank;
}

static void read_held(impi_RankMeshes *meshes)
{
    imp_Status status = IMP_STATUS_OK;
    for (uint32_t i = 0; i < meshes->count && status == IMP_STATUS_OK; ++i) {
        if (!is_held(meshes, i))
            continue;
        uint32_t body = meshes->first_body[i];
        status = imp_mesh_load(meshes->cluster->context, meshes->bodies[body].path, &meshes->meshes[i]);
        impi_cluster_keep(meshes->cluster, status, body);
    }
}

// What all ranks learn of a mesh, in words of which only its holder has any: so they can be added up.
typedef struct FactWords {
    uint64_t vertex_count, triangle_count, bounds[6];
} FactWords;

#define WORDS_PER_MESH (sizeof(FactWords) / sizeof(uint64_t))

static imp_Status spread_facts(impi_RankMeshes *meshes)
{
    FactWords *words = impi_cluster_allocate(meshes->cluster, meshes->count, sizeof *words);
    imp_Status status = impi_cluster_agree(meshes->cluster);
    if (status != IMP_STATUS_OK)
        return status;
    memset(words, 0, meshes->count * sizeof *words);
    for (uint32_t i = 0; i < meshes->count; ++i) {
        if (!is_held(meshes, i))
            continue;
        imp_Box bounds = imp_mesh_get_bounds(meshes->meshes[i]);
        words[i].vertex_count = imp_mesh_get_vertex_count(meshes->meshes[i]);
        words[i].triangle_count = imp_mesh_get_triangle_count(meshes->meshes[i]);
        memcpy(words[i].bounds, &bounds, sizeof bounds);
    }
    impi_cluster_all_reduce(meshes->cluster, &words->vertex_count, meshes->count * WORDS_PER_MESH,
                            IMPI_REDUCE_SUM);
    for (uint32_t i = 0; i < meshes->count; ++i) {
        impi_MeshFacts *facts = &meshes->facts[i];
        *facts = (impi_MeshFacts){.vertex_count = (size_t)words[i].vertex_count,
                                  .triangle_count = (size_t)words[i].triangle_count};
        memcpy(&facts->bounds, words[i].bounds, sizeof facts->bounds);
        if (is_held(meshes, i))
            facts->remark = imp_mesh_get_remark(meshes->meshes[i]);
    }
    return IMP_STATUS_OK;
}

imp_Status impi_rank_meshes_load(impi_Cluster *cluster, impi_Arena *arena, const impi_RankBody *bodies,
                                 size_t body_count, impi_RankMeshes *meshes)
{
    *meshes =
        (impi_RankMeshes){.cluster = cluster, .arena = arena, .bodies = bodies, .body_count = body_count};
    imp_Status status = find_meshes(meshes);
    if (status != IMP_STATUS_OK)
        return status;
    read_held(meshes);
    status = impi_cluster_agree(cluster);
    return status == IMP_STATUS_OK ? spread_facts(meshes) : status;
}

void impi_rank_meshes_release(impi_RankMeshes *meshes)
{
    for (size_t i = 0; meshes->meshes && i < meshes->count; ++i)
        imp_mesh_release(meshes->meshes[i]);
    meshes->meshes = NULL;
}

// ---- travel

// Which meshes go between this rank and each other one.
typedef struct Requests {
    impi_Routes asked;           // of this rank from others; received: of others from this one
    uint32_t *wanted, *supplied; // the meshes, rank after rank
    size_t wanted_count, supplied_count;
} Requests;

// Holders one after the other, as mesh numbers are dealt out to them.
static void list_wanted(const impi_RankMeshes *meshes, const bool *is_needed, Requests *requests)
{
    uint32_t rank_count = meshes->cluster->exchange->rank_count;
    for (uint32_t rank = 0; rank < rank_count; ++rank) {
        for (size_t i = rank; i < meshes->count; i += rank_count)
            if (is_needed[i] && !meshes->meshes[i])
                requests->wanted[requests->wanted_count++] = (uint32_t)i;
        requests->asked.sent_starts[rank + 1] = requests->wanted_count;
    }
}

static imp_Status send_requests(impi_RankMeshes *meshes, const bool *is_needed, Requests *requests)
{
    impi_Cluster *cluster = meshes->cluster;
    requests->wanted = impi_cluster_allocate(cluster, meshes->count, sizeof *requests->wanted);
    requests->asked = impi_cluster_routes(cluster);
    imp_Status status = impi_cluster_agree(cluster);
    if (status != IMP_STATUS_OK)
        return status;
    list_wanted(meshes, is_needed, requests);
    status = impi_cluster_post(cluster, &requests->asked);
    if (status != IMP_STATUS_OK)
        return status;
    requests->supplied_count = impi_routes_received(cluster, &requests->asked);
    requests->supplied = impi_cluster_allocate(cluster, requests->supplied_count, sizeof *requests->supplied);
    status = impi_cluster_agree(cluster);
    if (status == IMP_STATUS_OK)
        impi_cluster_deliver(cluster, sizeof *requests->supplied, requests->wanted, requests->supplied,
                             &requests->asked);
    return status;
}

// Vertices or triangles of meshes: rows of one size, as many as the facts tell.
typedef struct RowKind {
    size_t size;
    size_t (*count)(const impi_MeshFacts *facts);
    const void *(*rows)(const imp_Mesh *mesh);
} RowKind;

static size_t vertex_count_of(const impi_MeshFacts *facts)
{
    return facts->vertex_count;
}

static size_t triangle_count_of(const impi_MeshFacts *facts)
{
    return facts->triangle_count;
}

static const void *vertices_of(const imp_Mesh *mesh)
{
    return imp_mesh_get_vertices(mesh);
}

static const void *triangles_of(const imp_Mesh *mesh)
{
    return imp_mesh_get_indices(mesh);
}

static const RowKind vertex_rows = {sizeof(imp_Vec3), vertex_count_of, vertices_of};
static const RowKind triangle_rows = {3 * sizeof(uint32_t), triangle_count_of, triangles_of};

static size_t count_rows(const impi_RankMeshes *meshes, const RowKind *kind, const uint32_t *list,
                         size_t begin, size_t end)
{
    size_t count = 0;
    for (size_t i = begin; i < end; ++i)
        count += kind->count(&meshes->facts[list[i]]);
    return count;
}

// What came stands in the parcel, mesh after mesh as they are wanted.
static imp_Status send_rows(impi_RankMeshes *meshes, const Requests *requests, const RowKind *kind,
                            impi_Arena *parcel, void **received)
{
    impi_Cluster *cluster = meshes->cluster;
    impi_Routes routes = impi_cluster_routes(cluster);
    const size_t *asked = requests->asked.received_starts;
    size_t row_count = count_rows(meshes, kind, requests->supplied, 0, requests->supplied_count),
           wanted_count = count_rows(meshes, kind, requests->wanted, 0, requests->wanted_count);
    char *sent = impi_cluster_allocate(cluster, row_count, kind->size);
    *received = impi_cluster_allocate_in(cluster, parcel, wanted_count, kind->size);
    imp_Status status = impi_cluster_agree(cluster);
    if (status != IMP_STATUS_OK)
        return status;
    for (uint32_t rank = 0; rank < cluster->exchange->rank_count; ++rank)
        routes.sent_starts[rank + 1] = routes.sent_starts[rank] + count_rows(meshes, kind, requests->supplied,
                                                                             asked[rank], asked[rank + 1]);
    for (size_t i = 0; i < requests->supplied_count; ++i) {
        size_t size = kind->size * kind->count(&meshes->facts[requests->supplied[i]]);
        memcpy(sent, kind->rows(meshes->meshes[requests->supplied[i]]), size);
        sent += size;
    }
    status = impi_cluster_post(cluster, &routes);
    if (status == IMP_STATUS_OK)
        impi_cluster_deliver(cluster, kind->size, sent - kind->size * row_count, *received, &routes);
    return status;
}

static void make_meshes(impi_RankMeshes *meshes, const uint32_t *wanted, size_t wanted_count,
                        const imp_Vec3 *vertices, const uint32_t *indices)
{
    imp_Status status = IMP_STATUS_OK;
    for (size_t i = 0; i < wanted_count && status == IMP_STATUS_OK; ++i) {
        const impi_MeshFacts *facts = &meshes->facts[wanted[i]];
        imp_MeshDef def = {.vertices = &vertices->x,
                           .vertex_count = facts->vertex_count,
                           .indices = indices,
                           .triangle_count = facts->triangle_count};
        status = imp_mesh_create(meshes->cluster->context, &def, &meshes->meshes[wanted[i]]);
        impi_cluster_keep(meshes->cluster, status, IMPI_CLUSTER_NO_ORDER);
        vertices += facts->vertex_count;
        indices += 3 * facts->triangle_count;
    }
}

static imp_Status fetch(impi_RankMeshes *meshes, const bool *is_needed, impi_Arena *parcel,
                        size_t *received_count)
{
    Requests requests = {.wanted = NULL};
    void *vertices, *indices;
    imp_Status status = send_requests(meshes, is_needed, &requests);
    if (status == IMP_STATUS_OK)
        status = send_rows(meshes, &requests, &vertex_rows, parcel, &vertices);
    if (status == IMP_STATUS_OK)
        status = send_rows(meshes, &requests, &triangle_rows, parcel, &indices);
    if (status != IMP_STATUS_OK)
        return status;
    // Making meshes empties the scratch memory, in which the list is.
    uint32_t *wanted =
        impi_cluster_allocate_in(meshes->cluster, parcel, requests.wanted_count, sizeof *wanted);
    if (wanted) {
        memcpy(wanted, requests.wanted, requests.wanted_count * sizeof *wanted);
        make_meshes(meshes, wanted, requests.wanted_count, vertices, indices);
    }
    status = impi_cluster_agree(meshes->cluster);
    if (status == IMP_STATUS_OK)
        *received_count = requests.wanted_count;
    return status;
}

imp_Status impi_rank_meshes_fetch(impi_RankMeshes *meshes, const bool *is_needed, size_t *received_count)
{
    impi_Arena parcel;
    impi_arena_init(&parcel, &meshes->cluster->context->allocator);
    imp_Status status = fetch(meshes, is_needed, &parcel, received_count);
    impi_arena_destroy(&parcel);
    return status;
}
