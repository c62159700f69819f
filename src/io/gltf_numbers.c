#include "io/gltf_numbers.h"

#include "io/gltf_accessor.h"

#define FINITE_BLOCK ((size_t)1 << 14) // elements

static void fail_at(impi_GltfReader *reader, uint32_t accessor, size_t element, const char *what)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = reader->gltf->file_name;
    place.index = element;
    if (reader->status == IMP_STATUS_OK)
        reader->status = impi_fail_at(reader->gltf->context, IMP_STATUS_BAD_FILE, place,
                                      "accessor %u: element %zu %s", (unsigned)accessor, element, what);
}

// The first element from `first` on that is not finite.
static size_t find_not_finite(const impi_GltfAccessor *accessor, size_t first)
{
    while (impi_gltf_accessor_is_finite(accessor, first, 1))
        ++first;
    return first;
}

// Are the first `count` elements finite? Each is looked at once, however often it is used.
static void check_finite(impi_GltfReader *reader, uint32_t index, size_t count)
{
    impi_GltfAccessor *accessor = &reader->gltf->accessors[index];
    if (accessor->component != IMPI_GLTF_FLOAT || !impi_gltf_is_stored(accessor))
        return;
    while (accessor->finite_count < count && impi_gltf_goes_on(reader, 0)) {
        size_t block = count - accessor->finite_count;
        if (block > FINITE_BLOCK)
            block = FINITE_BLOCK;
        if (!impi_gltf_accessor_is_finite(accessor, accessor->finite_count, block)) {
            fail_at(reader, index, find_not_finite(accessor, accessor->finite_count), "is not finite");
            return;
        }
        accessor->finite_count += block;
        impi_gltf_goes_on(reader, block * accessor->width);
    }
}

static void check_all_finite(impi_GltfReader *reader, uint32_t index)
{
    check_finite(reader, index, reader->gltf->accessors[index].count);
}

static void check_corners(impi_GltfReader *reader, const impi_GltfPrimitive *primitive)
{
    const impi_GltfAccessor *corners = &reader->gltf->accessors[primitive->indices];
    size_t vertex_count = reader->gltf->accessors[primitive->position].count;
    uint32_t indices[IMPI_GLTF_BLOCK];
    for (size_t first = 0, count; first < corners->count && reader->status == IMP_STATUS_OK; first += count) {
        count = corners->count - first < IMPI_GLTF_BLOCK ? corners->count - first : IMPI_GLTF_BLOCK;
        impi_gltf_accessor_read_integers(corners, first, count, indices);
        // The highest bit is set by an index that has it, and by one beyond the last vertex: there are fewer
        // than 2^31.
        uint32_t beyond = 0, last = (uint32_t)vertex_count - 1;
        for (size_t i = 0; i < count; ++i)
            beyond |= indices[i] | (last - indices[i]);
        for (size_t i = 0; beyond >> 31 && i < count; ++i)
            if (indices[i] >= vertex_count)
                fail_at(reader, primitive->indices, first + i, "is the index of no vertex");
        impi_gltf_goes_on(reader, count);
    }
}

// Joints of weight 0 may be any.
static void check_joint_set(impi_GltfReader *reader, const impi_GltfPrimitive *primitive, uint32_t set,
                            uint32_t joint_count)
{
    const impi_GltfAccessor *joints = &reader->gltf->accessors[primitive->joints[set]],
                            *weights = &reader->gltf->accessors[primitive->weights[set]];
    double numbers[IMPI_GLTF_BLOCK], fractions[IMPI_GLTF_BLOCK];
    check_all_finite(reader, primitive->weights[set]);
    for (size_t first = 0, count; first < joints->count && impi_gltf_goes_on(reader, 0); first += count) {
        count = impi_gltf_accessor_read_block(joints, first, numbers);
        impi_gltf_accessor_read_block(weights, first, fractions);
        for (size_t i = 0; i < 4 * count; ++i) {
            if (fractions[i] != 0 && numbers[i] >= joint_count)
                fail_at(reader, primitive->joints[set], first + i / 4, "is the index of no joint");
            if (fractions[i] < 0)
                fail_at(reader, primitive->weights[set], first + i / 4, "is a negative weight");
        }
    }
}

static void check_mesh(impi_GltfReader *reader, impi_GltfMesh *mesh)
{
    for (uint32_t p = 0; p < mesh->primitive_count; ++p) {
        const impi_GltfPrimitive *primitive = &mesh->primitives[p];
        if (primitive->mode < IMPI_GLTF_TRIANGLES)
            continue;
        check_all_finite(reader, primitive->position);
        for (uint32_t i = 0; i < mesh->target_count; ++i)
            if (primitive->targets[i] != IMPI_GLTF_NONE)
                check_all_finite(reader, primitive->targets[i]);
        if (primitive->indices != IMPI_GLTF_NONE)
            check_corners(reader, primitive);
    }
    mesh->is_checked = true;
}

static void check_skin(impi_GltfReader *reader, const impi_GltfMesh *mesh, const impi_GltfSkin *skin)
{
    for (uint32_t p = 0; p < mesh->primitive_count; ++p)
        for (uint32_t set = 0; set < mesh->primitives[p].joint_set_count; ++set)
            if (mesh->primitives[p].mode >= IMPI_GLTF_TRIANGLES && reader->status == IMP_STATUS_OK)
                check_joint_set(reader, &mesh->primitives[p], set, skin->joint_count);
    if (skin->inverse_binds != IMPI_GLTF_NONE)
        check_finite(reader, skin->inverse_binds, skin->joint_count);
}

// Of all primitives that become triangles.
static size_t count_vertices_and_corners(const impi_Gltf *gltf, const impi_GltfMesh *mesh)
{
    size_t count = 0;
    for (uint32_t p = 0; p < mesh->primitive_count; ++p) {
        const impi_GltfPrimitive *primitive = &mesh->primitives[p];
        if (primitive->mode < IMPI_GLTF_TRIANGLES)
            continue;
        count += gltf->accessors[primitive->position].count;
        if (primitive->indices != IMPI_GLTF_NONE)
            count += gltf->accessors[primitive->indices].count;
    }
    return count;
}

// Refuse what is none or too much, and tell the watch how much it is.
static void check_total(impi_GltfReader *reader)
{
    const impi_Gltf *gltf = reader->gltf;
    size_t total = 0;
    for (uint32_t i = 0; i < gltf->scene_node_count && total <= IMPI_MAX_SCENE_VERTICES; ++i) {
        uint32_t mesh = gltf->nodes[gltf->scene_nodes[i]].mesh;
        if (mesh != IMPI_GLTF_NONE)
            total += count_vertices_and_corners(gltf, &gltf->meshes[mesh]);
    }
    if (total == 0)
        impi_gltf_fail(reader, IMP_STATUS_BAD_SHAPE, NULL, "the scene has no triangles");
    if (total > IMPI_MAX_SCENE_VERTICES)
        impi_gltf_fail(reader, IMP_STATUS_TOO_LARGE, NULL,
                       "its bodies have more than %zu vertices and corners together",
                       IMPI_MAX_SCENE_VERTICES);
    reader->gltf->number_count = 2 * (uint64_t)total; // three to a vertex, one to a corner
    impi_watch_work(&gltf->context->watch, "checking", gltf->number_count);
}

void impi_gltf_check_numbers(impi_GltfReader *reader)
{
    const impi_Gltf *gltf = reader->gltf;
    check_total(reader);
    for (uint32_t i = 0; i < gltf->scene_node_count && reader->status == IMP_STATUS_OK; ++i) {
        const impi_GltfNode *node = &gltf->nodes[gltf->scene_nodes[i]];
        if (node->mesh == IMPI_GLTF_NONE || !gltf->meshes[node->mesh].has_triangles)
            continue;
        if (!gltf->meshes[node->mesh].is_checked)
            check_mesh(reader, &gltf->meshes[node->mesh]);
        if (node->skin != IMPI_GLTF_NONE)
            check_skin(reader, &gltf->meshes[node->mesh], &gltf->skins[node->skin]);
    }
    for (uint32_t i = 0; i < gltf->channel_count && reader->status == IMP_STATUS_OK; ++i)
        if (gltf->channels[i].plays)
            check_all_finite(reader, gltf->channels[i].output);
}
