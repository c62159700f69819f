#include "io/gltf_meshes.h"

#include "io/gltf_accessor.h"

#include <stdio.h>

// Where next to nothing is stored, a short file could ask for any number of vertices: for each element that a
// sparse accessor without a bufferView holds, this many may be zero.
#define MAX_ZEROS_PER_ELEMENT 256

static bool has_type(const impi_GltfAccessor *accessor, impi_GltfComponent component, unsigned width)
{
    return accessor->component == component && accessor->width == width && !accessor->normalized;
}

static bool is_unsigned(const impi_GltfAccessor *accessor, unsigned width)
{
    return has_type(accessor, IMPI_GLTF_UNSIGNED_BYTE, width) ||
           has_type(accessor, IMPI_GLTF_UNSIGNED_SHORT, width);
}

static bool is_fraction(const impi_GltfAccessor *accessor, unsigned width)
{
    return has_type(accessor, IMPI_GLTF_FLOAT, width) || (accessor->normalized && accessor->width == width &&
                                                          (accessor->component == IMPI_GLTF_UNSIGNED_BYTE ||
                                                           accessor->component == IMPI_GLTF_UNSIGNED_SHORT));
}

// Refuse an accessor that holds too little for the number of its elements; `purpose` is what it is for.
static void check_stored(impi_GltfReader *reader, const impi_JsonValue *object, uint32_t index,
                         const char *purpose)
{
    const impi_GltfAccessor *accessor = &reader->gltf->accessors[index];
    if (!impi_gltf_is_stored(accessor))
        impi_gltf_fail(reader, IMP_STATUS_UNSUPPORTED, object, "accessor %u for %s has no bufferView",
                       (unsigned)index, purpose);
    else if (!accessor->bytes && accessor->count / MAX_ZEROS_PER_ELEMENT > accessor->sparse_count)
        impi_gltf_fail(reader, IMP_STATUS_UNSUPPORTED, object,
                       "accessor %u for %s has no bufferView and only %zu of %zu elements", (unsigned)index,
                       purpose, accessor->sparse_count, accessor->count);
}

// An attribute that is a point or displacement per vertex; `count` 0 takes any number of them.
static uint32_t read_points(impi_GltfReader *reader, const impi_JsonValue *attributes, size_t count)
{
    const impi_Gltf *gltf = reader->gltf;
    uint32_t index = impi_gltf_index(reader, attributes, "POSITION", "accessor", gltf->accessor_count);
    if (index == IMPI_GLTF_NONE)
        return index;
    const impi_GltfAccessor *accessor = &gltf->accessors[index];
    if (!has_type(accessor, IMPI_GLTF_FLOAT, 3))
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, attributes,
                       "accessor %u for POSITION is no VEC3 of floats", (unsigned)index);
    if (count > 0 && accessor->count != count)
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, attributes,
                       "accessor %u has %zu elements for %zu vertices", (unsigned)index, accessor->count,
                       count);
    if (count == 0)
        check_stored(reader, attributes, index, "POSITION");
    return index;
}

static void read_targets(impi_GltfReader *reader, const impi_JsonValue *object, impi_GltfMesh *mesh,
                         impi_GltfPrimitive *primitive, size_t vertex_count)
{
    uint32_t count;
    const impi_JsonValue *item = impi_gltf_array(reader, object, "targets", &count);
    bool is_first = primitive == mesh->primitives;
    if (count > IMPI_MAX_MORPH_TARGETS)
        impi_gltf_fail(reader, IMP_STATUS_UNSUPPORTED, item, "it has more than %d morph targets",
                       IMPI_MAX_MORPH_TARGETS);
    if (!is_first && count != mesh->target_count)
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, object,
                       "its primitives have different numbers of morph targets");
    if (is_first)
        mesh->target_count = count;
    primitive->targets = impi_gltf_allocate(reader, count, sizeof *primitive->targets);
    for (uint32_t i = 0; i < count && reader->status == IMP_STATUS_OK; ++i) {
        item = i == 0 ? item + 1 : impi_json_next(&reader->gltf->json, item);
        primitive->targets[i] = read_points(reader, item, vertex_count);
    }
}

static void read_joint_sets(impi_GltfReader *reader, const impi_JsonValue *attributes,
                            impi_GltfPrimitive *primitive, size_t vertex_count)
{
    const impi_Gltf *gltf = reader->gltf;
    for (uint32_t set = 0; reader->status == IMP_STATUS_OK; ++set) {
        char joints_key[16], weights_key[16];
        snprintf(joints_key, sizeof joints_key, "JOINTS_%u", (unsigned)set);
        snprintf(weights_key, sizeof weights_key, "WEIGHTS_%u", (unsigned)set);
        uint32_t joints = impi_gltf_index(reader, attributes, joints_key, "accessor", gltf->accessor_count);
        uint32_t weights = impi_gltf_index(reader, attributes, weights_key, "accessor", gltf->accessor_count);
        if (reader->status != IMP_STATUS_OK || (joints == IMPI_GLTF_NONE && weights == IMPI_GLTF_NONE))
            return;
        if (joints == IMPI_GLTF_NONE || weights == IMPI_GLTF_NONE) {
            impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, attributes, "%s and %s belong together", joints_key,
                           weights_key);
        } else if (set == IMPI_GLTF_MAX_JOINT_SETS) {
            impi_gltf_fail(reader, IMP_STATUS_UNSUPPORTED, attributes, "a vertex has more than %d joints",
                           4 * IMPI_GLTF_MAX_JOINT_SETS);
        } else if (!is_unsigned(&gltf->accessors[joints], 4) || !is_fraction(&gltf->accessors[weights], 4) ||
                   gltf->accessors[joints].count != vertex_count ||
                   gltf->accessors[weights].count != vertex_count) {
            impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, attributes,
                           "%s or %s has a wrong type, or not one element per vertex", joints_key,
                           weights_key);
        } else {
            primitive->joints[set] = joints;
            primitive->weights[set] = weights;
            primitive->joint_set_count = set + 1;
        }
    }
}

// Are there as many corners as whole triangles have?
static void check_corner_count(impi_GltfReader *reader, const impi_JsonValue *object,
                               const impi_GltfPrimitive *primitive)
{
    const impi_Gltf *gltf = reader->gltf;
    bool has_indices = primitive->indices != IMPI_GLTF_NONE;
    const impi_GltfAccessor *corners =
        &gltf->accessors[has_indices ? primitive->indices : primitive->position];
    if (has_indices && !is_unsigned(corners, 1) && !has_type(corners, IMPI_GLTF_UNSIGNED_INT, 1))
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, object, "accessor %u for indices is no unsigned SCALAR",
                       (unsigned)primitive->indices);
    else if (corners->count < 3 || (primitive->mode == IMPI_GLTF_TRIANGLES && corners->count % 3 != 0))
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, object, "%zu corners are no whole number of triangles",
                       corners->count);
    else if (has_indices)
        check_stored(reader, object, primitive->indices, "indices");
}

static void read_primitive(impi_GltfReader *reader, const impi_JsonValue *object, impi_GltfMesh *mesh,
                           impi_GltfPrimitive *primitive)
{
    const impi_Gltf *gltf = reader->gltf;
    const impi_JsonValue *attributes = impi_json_member(&gltf->json, object, "attributes");
    primitive->mode = (uint32_t)impi_gltf_integer(reader, object, "mode", IMPI_GLTF_FAN, IMPI_GLTF_TRIANGLES);
    primitive->indices = impi_gltf_index(reader, object, "indices", "accessor", gltf->accessor_count);
    primitive->position = read_points(reader, attributes, 0);
    if (reader->status != IMP_STATUS_OK)
        return;
    size_t vertex_count = 0;
    if (primitive->position != IMPI_GLTF_NONE)
        vertex_count = gltf->accessors[primitive->position].count;
    else if (primitive->mode >= IMPI_GLTF_TRIANGLES)
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, object, "a primitive has no POSITION");
    if (reader->status == IMP_STATUS_OK && primitive->mode >= IMPI_GLTF_TRIANGLES)
        check_corner_count(reader, object, primitive);
    mesh->has_triangles = mesh->has_triangles || primitive->mode >= IMPI_GLTF_TRIANGLES;
    read_targets(reader, object, mesh, primitive, vertex_count);
    read_joint_sets(reader, attributes, primitive, vertex_count);
}

static void read_mesh(impi_GltfReader *reader, const impi_JsonValue *object)
{
    impi_GltfMesh *mesh = &reader->gltf->meshes[reader->number];
    const impi_JsonValue *item = impi_gltf_array(reader, object, "primitives", &mesh->primitive_count);
    mesh->primitives = impi_gltf_allocate(reader, mesh->primitive_count, sizeof *mesh->primitives);
    if (!item)
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, object, "it has no primitives");
    for (uint32_t i = 0; i < mesh->primitive_count && reader->status == IMP_STATUS_OK; ++i) {
        item = i == 0 ? item + 1 : impi_json_next(&reader->gltf->json, item);
        read_primitive(reader, item, mesh, &mesh->primitives[i]);
    }
    double *weights = impi_gltf_allocate(reader, mesh->target_count, sizeof *weights);
    if (weights && impi_gltf_numbers(reader, object, "weights", mesh->target_count, weights))
        mesh->weights = weights;
}

void impi_gltf_read_meshes(impi_GltfReader *reader)
{
    impi_Gltf *gltf = reader->gltf;
    gltf->meshes = impi_gltf_make_items(reader, "meshes", sizeof *gltf->meshes, &gltf->mesh_count);
    impi_gltf_read_items(reader, "meshes", "mesh", read_mesh);
}

static void read_skin(impi_GltfReader *reader, const impi_JsonValue *object)
{
    const impi_Gltf *gltf = reader->gltf;
    impi_GltfSkin *skin = &gltf->skins[reader->number];
    skin->joints = impi_gltf_indices(reader, object, "joints", "node", gltf->node_count, &skin->joint_count);
    skin->inverse_binds =
        impi_gltf_index(reader, object, "inverseBindMatrices", "accessor", gltf->accessor_count);
    if (reader->status != IMP_STATUS_OK)
        return;
    if (skin->joint_count == 0 || skin->joint_count > UINT16_MAX)
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, object, "it has no joints, or too many");
    if (skin->inverse_binds != IMPI_GLTF_NONE) {
        const impi_GltfAccessor *accessor = &gltf->accessors[skin->inverse_binds];
        if (!has_type(accessor, IMPI_GLTF_FLOAT, 16) || accessor->count < skin->joint_count)
            impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, object,
                           "accessor %u for inverseBindMatrices does not hold a MAT4 of floats per joint",
                           (unsigned)skin->inverse_binds);
    }
}

void impi_gltf_read_skins(impi_GltfReader *reader)
{
    impi_Gltf *gltf = reader->gltf;
    gltf->skins = impi_gltf_make_items(reader, "skins", sizeof *gltf->skins, &gltf->skin_count);
    impi_gltf_read_items(reader, "skins", "skin", read_skin);
}
