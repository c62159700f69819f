#include "io/gltf_body.h"

#include "io/gltf_accessor.h"
#include "io/gltf_triangles.h"

#include <math.h>
#include <string.h>

// What is read together with a body. Arrays that it needs no longer than to have its mesh are taken from the
// file's arena.
typedef struct Reader {
    impi_Gltf *gltf;
    const impi_GltfNode *node;
    const impi_GltfMesh *mesh;
    imp_Scene *scene;
    impi_SceneBody *body;
} Reader;

static void *allocate(const Reader *reader, impi_Arena *arena, size_t count, size_t size)
{
    void *storage = impi_arena_allocate_array(arena, count, size);
    if (!storage)
        impi_fail_out_of_memory(reader->gltf->context);
    return storage;
}

// ---- skins

// Count the vertices of each joint, or, where there are lists, fill them. Those of a joint are in order of
// the primitives, the sets of weights, and the vertices.
static imp_Status visit_weights(const Reader *reader)
{
    const impi_Gltf *gltf = reader->gltf;
    impi_SceneJoint *joints = reader->body->shape.joints;
    double numbers[IMPI_GLTF_BLOCK], fractions[IMPI_GLTF_BLOCK];
    size_t first_vertex = 0;
    for (uint32_t p = 0; p < reader->mesh->primitive_count; ++p) {
        const impi_GltfPrimitive *primitive = &reader->mesh->primitives[p];
        if (primitive->mode < IMPI_GLTF_TRIANGLES)
            continue;
        size_t vertex_count = gltf->accessors[primitive->position].count;
        for (uint32_t set = 0; set < primitive->joint_set_count; ++set)
            for (size_t first = 0, count; first < vertex_count; first += count) {
                count =
                    impi_gltf_accessor_read_block(&gltf->accessors[primitive->joints[set]], first, numbers);
                impi_gltf_accessor_read_block(&gltf->accessors[primitive->weights[set]], first, fractions);
                for (size_t i = 0; i < 4 * count; ++i) {
                    if (!(fractions[i] > 0))
                        continue;
                    impi_SceneJoint *joint = &joints[(uint32_t)numbers[i]];
                    if (joint->vertices) {
                        joint->vertices[joint->vertex_count] = (uint32_t)(first_vertex + first + i / 4);
                        joint->weights[joint->vertex_count] = fractions[i];
                    }
                    ++joint->vertex_count;
                }
                if (!impi_watch_goes_on(&gltf->context->watch))
                    return impi_watch_status(gltf->context);
            }
        first_vertex += vertex_count;
    }
    return IMP_STATUS_OK;
}

static bool allocate_joint(const Reader *reader, impi_SceneJoint *joint, size_t vertex_count)
{
    joint->vertex_count = 0;
    joint->vertices = allocate(reader, &reader->scene->arena, vertex_count, sizeof *joint->vertices);
    joint->weights = allocate(reader, &reader->scene->arena, vertex_count, sizeof *joint->weights);
    return joint->vertices && joint->weights;
}

// Weights of a vertex add up to 1. Vertices that no joint holds follow the body's node, which becomes the
// last joint.
static imp_Status complete_weights(const Reader *reader, size_t *unheld_count)
{
    impi_BodyShape *shape = &reader->body->shape;
    double *sums = allocate(reader, &reader->gltf->arena, shape->vertex_count, sizeof *sums);
    if (!sums)
        return IMP_STATUS_OUT_OF_MEMORY;
    memset(sums, 0, shape->vertex_count * sizeof *sums);
    for (size_t j = 0; j < shape->joint_count; ++j)
        for (size_t i = 0; i < shape->joints[j].vertex_count; ++i)
            sums[shape->joints[j].vertices[i]] += shape->joints[j].weights[i];
    for (size_t j = 0; j < shape->joint_count; ++j)
        for (size_t i = 0; i < shape->joints[j].vertex_count; ++i)
            shape->joints[j].weights[i] /= sums[shape->joints[j].vertices[i]];
    size_t count = 0;
    for (size_t i = 0; i < shape->vertex_count; ++i)
        count += !(sums[i] > 0);
    if (count == 0)
        return IMP_STATUS_OK;
    impi_SceneJoint *last = &shape->joints[shape->joint_count++];
    *last = (impi_SceneJoint){.node = reader->body->node, .inverse_bind = impi_affine_identity};
    if (!allocate_joint(reader, last, count))
        return IMP_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < shape->vertex_count; ++i)
        if (!(sums[i] > 0)) {
            last->vertices[last->vertex_count] = (uint32_t)i;
            last->weights[last->vertex_count++] = 1;
        }
    *unheld_count += count;
    return IMP_STATUS_OK;
}

// By columns, as glTF has matrices.
static imp_Transform read_inverse_bind(const impi_GltfAccessor *accessor, size_t index)
{
    double m[16];
    impi_gltf_accessor_read(accessor, index, 1, m);
    return (imp_Transform){{{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}},
                           {m[12], m[13], m[14]}};
}

static imp_Status read_joints(const Reader *reader, size_t *unheld_count)
{
    const impi_Gltf *gltf = reader->gltf;
    impi_BodyShape *shape = &reader->body->shape;
    if (reader->node->skin == IMPI_GLTF_NONE)
        return IMP_STATUS_OK;
    const impi_GltfSkin *skin = &gltf->skins[reader->node->skin];
    shape->joints =
        allocate(reader, &reader->scene->arena, (size_t)skin->joint_count + 1, sizeof *shape->joints);
    if (!shape->joints)
        return IMP_STATUS_OUT_OF_MEMORY;
    shape->joint_count = skin->joint_count;
    for (uint32_t j = 0; j < skin->joint_count; ++j)
        shape->joints[j] = (impi_SceneJoint){
            .node = gltf->nodes[skin->joints[j]].scene_index,
            .inverse_bind = skin->inverse_binds == IMPI_GLTF_NONE
                                ? impi_affine_identity
                                : read_inverse_bind(&gltf->accessors[skin->inverse_binds], j)};
    imp_Status status = visit_weights(reader);
    for (uint32_t j = 0; j < skin->joint_count && status == IMP_STATUS_OK; ++j)
        if (!allocate_joint(reader, &shape->joints[j], shape->joints[j].vertex_count))
            status = IMP_STATUS_OUT_OF_MEMORY;
    if (status == IMP_STATUS_OK)
        status = visit_weights(reader);
    return status == IMP_STATUS_OK ? complete_weights(reader, unheld_count) : status;
}

// ---- morph targets

static bool displaces(const Reader *reader, uint32_t target)
{
    for (uint32_t p = 0; p < reader->mesh->primitive_count; ++p) {
        const impi_GltfPrimitive *primitive = &reader->mesh->primitives[p];
        if (primitive->mode >= IMPI_GLTF_TRIANGLES && primitive->targets[target] != IMPI_GLTF_NONE &&
            impi_gltf_is_stored(&reader->gltf->accessors[primitive->targets[target]]))
            return true;
    }
    return false;
}

static imp_Status read_displacements(const Reader *reader, uint32_t target, imp_Vec3 *displacements)
{
    imp_Status status = IMP_STATUS_OK;
    for (uint32_t p = 0; p < reader->mesh->primitive_count && status == IMP_STATUS_OK; ++p) {
        const impi_GltfPrimitive *primitive = &reader->mesh->primitives[p];
        if (primitive->mode < IMPI_GLTF_TRIANGLES)
            continue;
        size_t count = reader->gltf->accessors[primitive->position].count;
        if (primitive->targets[target] == IMPI_GLTF_NONE)
            memset(displacements, 0, count * sizeof *displacements);
        else
            status = impi_gltf_accessor_read_all(reader->gltf->context,
                                                 &reader->gltf->accessors[primitive->targets[target]],
                                                 &displacements->x);
        displacements += count;
    }
    return status;
}

static imp_Status set_target_weights(const Reader *reader)
{
    impi_BodyShape *shape = &reader->body->shape;
    const double *weights = reader->node->weights ? reader->node->weights : reader->mesh->weights;
    shape->target_count = reader->mesh->target_count;
    shape->displacements =
        allocate(reader, &reader->scene->arena, shape->target_count, sizeof *shape->displacements);
    shape->target_weights =
        allocate(reader, &reader->scene->arena, shape->target_count, sizeof *shape->target_weights);
    if (!shape->displacements || !shape->target_weights)
        return IMP_STATUS_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < shape->target_count; ++i) {
        shape->displacements[i] = NULL;
        shape->target_weights[i] = weights ? weights[i] : 0;
    }
    return IMP_STATUS_OK;
}

// Targets that never have a weight are left out.
static imp_Status read_targets(const Reader *reader, impi_Arena *arena)
{
    impi_BodyShape *shape = &reader->body->shape;
    bool has_track = reader->scene->nodes[reader->body->node].tracks[IMPI_PATH_WEIGHTS];
    for (uint32_t i = 0; i < shape->target_count; ++i) {
        if (!displaces(reader, i) || (!has_track && shape->target_weights[i] == 0))
            continue;
        shape->displacements[i] = allocate(reader, arena, shape->vertex_count, sizeof(imp_Vec3));
        if (!shape->displacements[i])
            return IMP_STATUS_OUT_OF_MEMORY;
        imp_Status status = read_displacements(reader, i, shape->displacements[i]);
        if (status != IMP_STATUS_OK)
            return status;
    }
    return IMP_STATUS_OK;
}

// ---- the mesh

// Seen from outside, a mirrored triangle turns the other way round; turned back, outside stays outside.
static void turn_triangles(impi_MeshBuilder *builder)
{
    for (size_t i = 0; i + 2 < builder->indices.count; i += 3) {
        uint32_t second = builder->indices.data[i + 1];
        builder->indices.data[i + 1] = builder->indices.data[i + 2];
        builder->indices.data[i + 2] = second;
    }
}

// Give the builder the vertices of time 0, and the body those of the file where it needs them later.
static imp_Status shape_vertices(const Reader *reader, impi_MeshBuilder *builder, impi_Arena *arena)
{
    impi_BodyShape *shape = &reader->body->shape;
    imp_Pose pose;
    // Without joints, a vertex can be replaced where it stands.
    shape->vertices = builder->vertices.data;
    if (reader->body->deforms || shape->joint_count > 0) {
        shape->vertices = allocate(reader, arena, shape->vertex_count, sizeof *shape->vertices);
        if (!shape->vertices)
            return IMP_STATUS_OUT_OF_MEMORY;
        memcpy(shape->vertices, builder->vertices.data, shape->vertex_count * sizeof *shape->vertices);
    }
    impi_scene_body_sample(reader->scene, reader->body, 0, &pose, builder->vertices.data);
    if (impi_scene_body_is_mirrored(reader->scene, reader->body))
        turn_triangles(builder);
    for (size_t i = 0; i < shape->vertex_count; ++i) {
        const imp_Vec3 *v = &builder->vertices.data[i];
        if (!isfinite(v->x) || !isfinite(v->y) || !isfinite(v->z))
            return impi_gltf_fail_transforms(reader->gltf);
    }
    return IMP_STATUS_OK;
}

static imp_Status read_shape(const Reader *reader, impi_MeshBuilder *builder, size_t *unheld_count)
{
    impi_SceneBody *body = reader->body;
    imp_Status status = impi_gltf_add_triangles(reader->gltf, reader->mesh, builder);
    body->shape.vertex_count = builder->vertices.count;
    if (status == IMP_STATUS_OK)
        status = set_target_weights(reader);
    if (status == IMP_STATUS_OK)
        status = read_joints(reader, unheld_count);
    if (status == IMP_STATUS_OK && !body->path && !impi_scene_body_plan(reader->scene, body))
        status = impi_fail_out_of_memory(reader->gltf->context);
    impi_Arena *arena = body->deforms ? &reader->scene->arena : &reader->gltf->arena;
    if (status == IMP_STATUS_OK)
        status = read_targets(reader, arena);
    if (status == IMP_STATUS_OK)
        status = shape_vertices(reader, builder, arena);
    if (!body->deforms)
        body->shape = (impi_BodyShape){.joint_count = body->shape.joint_count};
    return status;
}

// Make the mesh. A failure leaves none.
static imp_Status make_mesh(const Reader *reader, const impi_UnitConversion *conversion, size_t *unheld_count)
{
    impi_Gltf *gltf = reader->gltf;
    impi_MeshBuilder builder;
    impi_mesh_builder_init(&builder, gltf->context, gltf->file_name);
    builder.conversion = *conversion;
    impi_ArenaMark mark = impi_arena_mark(&gltf->arena);
    imp_Status status = read_shape(reader, &builder, unheld_count);
    impi_arena_rewind(&gltf->arena, mark);
    if (status == IMP_STATUS_OK)
        status = impi_mesh_builder_finish(&builder, &reader->body->mesh);
    impi_mesh_builder_free(&builder);
    return status;
}

imp_Status impi_gltf_read_body(const impi_GltfBodyDef *def, imp_Scene *scene, impi_SceneBody *body,
                               size_t *unheld_count)
{
    uint32_t source = def->node->mesh;
    Reader reader = {.gltf = def->gltf,
                     .node = def->node,
                     .mesh = &def->gltf->meshes[source],
                     .scene = scene,
                     .body = body};
    // Whatever has a skin or morph targets may have a shape of its own.
    bool is_plain = def->node->skin == IMPI_GLTF_NONE && reader.mesh->target_count == 0;
    if (is_plain && !impi_scene_body_plan(scene, body))
        return impi_fail_out_of_memory(def->gltf->context);
    if (!is_plain || body->deforms)
        return make_mesh(&reader, def->conversion, unheld_count);
    imp_Transform stretch = impi_scene_body_stretch(scene, body);
    imp_Mesh *made = impi_gltf_instances_find(def->instances, source, &stretch);
    if (made) {
        body->mesh = imp_mesh_retain(made);
        return impi_watch_goes_on(&def->gltf->context->watch) ? IMP_STATUS_OK
                                                              : impi_watch_status(def->gltf->context);
    }
    imp_Status status = make_mesh(&reader, def->conversion, unheld_count);
    if (status == IMP_STATUS_OK)
        impi_gltf_instances_add(def->instances, source, &stretch, body->mesh);
    return status;
}
